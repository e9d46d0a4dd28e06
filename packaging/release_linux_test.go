package main

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const (
	testVersion = "0.9.8"
	testCommits = "2020-02-03T04:05:06Z"
)

// full makes the tests build for all platforms, of which arm64 runs under an emulator.
// Without it they build the two programs that run here by themselves, which is a third of
// the work.
var full = flag.Bool("full", false, "build for all platforms; needs qemu-user and ruby")

// tested are the platforms of the releases that are made.
func tested() []string {
	if *full {
		return allPlatforms
	}
	return []string{"linux/" + runtime.GOARCH, "linux/" + runtime.GOARCH + "/static"}
}

// A testRelease is the folder of a release, with its version in names.
type testRelease struct {
	*testing.T
	dir, key string
}

func (r testRelease) file(name string) string {
	return filepath.Join(r.dir, strings.ReplaceAll(name, "VERSION", testVersion))
}

// The files of a release are installed and run as their users do. Two releases of one
// commit, made in two folders, are equal.
func TestRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	needsRoots(t)
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin") // runc, and what dpkg calls
	key := filepath.Join(t.TempDir(), "key")
	command(t, "", "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "a test", "-f", key)
	source, clone := tagged(t), t.TempDir()
	command(t, "", "git", "clone", "-q", source, clone)
	r := testRelease{t, releaseOf(t, source, key), key}
	t.Run("twice", func(t *testing.T) { equal(t, r.dir, releaseOf(t, clone, key)) })
	tests := map[string]func(testRelease){
		"signature": testRelease.signature, "static": testRelease.static, "deb": testRelease.deb, "rpm": testRelease.rpm,
		"image": testRelease.image, "bill": testRelease.bill, "recipes": testRelease.recipes,
	}
	if *full {
		tests["arm64"] = testRelease.arm64
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(testRelease{t, r.dir, r.key}) })
	}
}

// tagged is a copy of this tree, committed and tagged.
func tagged(t *testing.T) string {
	t.Helper()
	source := t.TempDir()
	copyTree(t, "..", source)
	for _, name := range []string{"GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"} {
		t.Setenv(name, testCommits)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	command(t, source, "git", "init", "-q")
	command(t, source, "git", "add", "--all")
	command(t, source, "git", "-c", "user.name=a test", "-c", "user.email=test@example.org", "commit", "-q", "-m", "a test")
	command(t, source, "git", "tag", "v"+testVersion)
	return source
}

// releaseOf makes a release and returns its folder.
func releaseOf(t *testing.T, source, key string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "release")
	if _, err := makeRelease(t.Context(), source, out, tested(), key); err != nil {
		t.Fatal(err)
	}
	return out
}

// copyTree copies the files of the repository, without its history and outputs of builds.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(from, file)
		target := filepath.Join(to, name)
		switch {
		case slices.Contains([]string{".git", "bin", "build"}, name):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, info.Mode().Perm())
	})
	if err != nil {
		t.Fatal(err)
	}
}

// command runs a program that must succeed and returns what it prints.
func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func equal(t *testing.T, dir, again string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil || len(files) < 10 {
		t.Fatal(len(files), "files:", err)
	}
	for _, f := range files {
		a, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(again, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs between two releases of one commit", f.Name())
		}
	}
}

// signature checks the files as SECURITY.md tells users to.
func (r testRelease) signature() {
	command(r.T, r.dir, "sha256sum", "--check", "--strict", "SHA256SUMS")
	public, err := os.ReadFile(r.key + ".pub")
	if err != nil {
		r.Fatal(err)
	}
	signers := filepath.Join(r.TempDir(), "signers")
	if err := os.WriteFile(signers, append([]byte("release "), public...), 0o644); err != nil {
		r.Fatal(err)
	}
	sums, err := os.ReadFile(r.file("SHA256SUMS"))
	if err != nil {
		r.Fatal(err)
	}
	verify := func(content []byte) error {
		cmd := exec.Command("ssh-keygen", "-Y", "verify", "-f", signers, "-I", "release", "-n", "file", "-s", r.file("SHA256SUMS.sig"))
		cmd.Stdin = bytes.NewReader(content)
		return cmd.Run()
	}
	if err := verify(sums); err != nil {
		r.Error("the signature is refused:", err)
	}
	if verify(append(sums, ' ')) == nil {
		r.Error("a changed list of checksums is taken")
	}
}

// A clone with changes is refused, because nobody could make its release again.
func TestChangedClone(t *testing.T) {
	dir := t.TempDir()
	command(t, dir, "git", "init", "-q")
	if err := os.WriteFile(filepath.Join(dir, "new.go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := makeRelease(t.Context(), dir, filepath.Join(dir, "out"), nil, ""); err == nil || !strings.Contains(err.Error(), "new.go") {
		t.Error("the error does not name the file that is not committed:", err)
	}
}
