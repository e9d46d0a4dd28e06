package lint

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// licences that modules may have, and a clause by which the text of each is known.
var licences = map[string]string{
	"0BSD":       "Permission to use, copy, modify, and/or distribute this software",
	"Apache-2.0": "Apache License",
	"BSD":        "Redistribution and use in source and binary forms",
	"MIT":        "Permission is hereby granted, free of charge",
	"MPL-2.0":    "Mozilla Public License Version 2.0",
}

// Every module that hops or its tests import permits what hops does with it.
func TestLicences(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-test", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}={{.Dir}}{{end}}{{end}}", "./...")
	cmd.Dir = "../../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := strings.Fields(string(out))
	slices.Sort(modules)
	for _, m := range slices.Compact(modules) {
		path, folder, _ := strings.Cut(m, "=")
		if name := licenceIn(folder); name == "" {
			t.Errorf("%s has no licence of those in internal/testing/lint/licences_test.go", path)
		} else {
			t.Logf("%s: %s", path, name)
		}
	}
	if len(modules) < 10 {
		t.Errorf("only %d modules are found", len(modules))
	}
}

// licenceIn is the name of the licence in a folder, or "".
func licenceIn(folder string) string {
	for _, pattern := range []string{"LICENSE*", "LICENCE*", "COPYING*"} {
		files, _ := filepath.Glob(filepath.Join(folder, pattern))
		for _, f := range files {
			text, _ := os.ReadFile(f)
			for name, clause := range licences {
				if strings.Contains(strings.Join(strings.Fields(string(text)), " "), clause) {
					return name
				}
			}
		}
	}
	return ""
}

func TestUnknownLicences(t *testing.T) {
	folder := t.TempDir()
	for text, want := range map[string]string{
		"GNU GENERAL PUBLIC LICENSE Version 3": "", "Permission is hereby\ngranted, free of charge": "MIT",
	} {
		if err := os.WriteFile(filepath.Join(folder, "LICENSE.txt"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := licenceIn(folder); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if got := licenceIn(t.TempDir()); got != "" {
		t.Errorf("an empty folder is %q", got)
	}
}
