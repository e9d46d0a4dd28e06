package main

import (
	"debug/elf"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A program built with the tag static needs nothing but the kernel, searches like any
// other, and says what it lacks.
func TestStaticProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the program once more")
	}
	program := filepath.Join(t.TempDir(), "hops")
	build := exec.Command("go", "build", "-tags", "static", "-o", program, ".")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, p := range file.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("the program has a segment %v", p.Type)
		}
	}
	out, err := exec.Command(program, "graph500", "--scale", "9", "--roots", "2", "--quiet").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "2 of 2, each validated") {
		t.Errorf("%v\n%s", err, out)
	}
	out, err = exec.Command(program, "graph500", "--scale", "9", "--engine", "gpu", "--quiet").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "this build of hops is static") {
		t.Errorf("%v\n%s", err, out)
	}
}
