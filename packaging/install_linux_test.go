package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// benchmark is a run of all of hops in under a second: generate, build, search, validate.
var benchmark = []string{"graph500", "--scale", "10"}

// asRoot lets a command change owners and roots: as it is for root, and in a user namespace
// for others.
func asRoot(cmd *exec.Cmd, root string) *exec.Cmd {
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	return cmd
}

// needsRoots skips a test where neither root nor a user namespace may change roots, as in
// a container without that right.
func needsRoots(t *testing.T) {
	t.Helper()
	if out, err := asRoot(exec.Command("/bin/true"), "/").CombinedOutput(); err != nil {
		t.Skipf("packages cannot be installed into roots of their own: %v %s", err, out)
	}
}

// runIn runs the program at a path inside a root and returns what it prints.
func runIn(t *testing.T, root, program string, args ...string) string {
	t.Helper()
	cmd := asRoot(exec.Command(program, args...), root)
	cmd.Dir, cmd.Env = "/", []string{"HOME=/"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s in a root of its own: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// works checks the version and a validated benchmark.
func works(t *testing.T, run func(args ...string) string) {
	t.Helper()
	if out := run("version"); !strings.Contains(out, "hops v"+testVersion+", commit ") || !strings.Contains(out, " of "+testCommits[:10]) {
		t.Errorf("version: %s", out)
	}
	if out := run(benchmark...); !strings.Contains(out, "Score: ") {
		t.Errorf("%s: %s", benchmark, out)
	}
}

func (r testRelease) unpack(archive string) (program string) {
	r.Helper()
	dir := r.TempDir()
	command(r.T, dir, "tar", "-xf", r.file(archive))
	return filepath.Join(dir, strings.TrimSuffix(filepath.Base(r.file(archive)), ".tar.gz"), "hops")
}

// static runs the static program in a root that has nothing else.
func (r testRelease) static() {
	program := r.unpack("hops-VERSION-linux-" + runtime.GOARCH + "-static.tar.gz")
	isStatic(r.T, program)
	root := r.TempDir()
	copyFile(r.T, program, filepath.Join(root, "hops"))
	works(r.T, func(args ...string) string { return runIn(r.T, root, "/hops", args...) })
	for engine, ranks := range map[string]string{"gpu": "1", "cluster": "2"} {
		cmd := exec.Command(program, "graph500", "--scale", "8", "--engine", engine)
		cmd.Env = append(os.Environ(), "OMPI_COMM_WORLD_SIZE="+ranks, "OMPI_COMM_WORLD_RANK=0")
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "this build of hops is static") {
			r.Errorf("engine %s of the static program: %v\n%s", engine, err, out)
		}
	}
}

func isStatic(t *testing.T, program string) {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("%s has a %v and needs a dynamic loader", program, p.Type)
		}
	}
}

// arm64 runs the program for another processor under an emulator.
func (r testRelease) arm64() {
	program := r.unpack("hops-VERSION-linux-arm64-static.tar.gz")
	isStatic(r.T, program)
	works(r.T, func(args ...string) string {
		if runtime.GOARCH == "arm64" {
			return command(r.T, "", program, args...)
		}
		return command(r.T, "", "qemu-aarch64", append([]string{program}, args...)...)
	})
}

// deb installs the package into a root that has a C library and is told so, runs it, and
// removes it.
func (r testRelease) deb() {
	root := r.rootWithLibrary()
	admin := filepath.Join(root, "var/lib/dpkg")
	for _, dir := range []string{"info", "updates", "triggers"} {
		makeFolder(r.T, filepath.Join(admin, dir))
	}
	status := command(r.T, "", "dpkg-query", "--status", "libc6")
	if err := os.WriteFile(filepath.Join(admin, "status"), []byte(status), 0o644); err != nil {
		r.Fatal(err)
	}
	dpkg := func(args ...string) string {
		out, err := asRoot(exec.Command("dpkg", append([]string{"--root=" + root}, args...)...), "").CombinedOutput()
		if err != nil {
			r.Fatalf("dpkg %s: %v\n%s", args, err, out)
		}
		return string(out)
	}
	dpkg("--install", r.file("hops_VERSION_"+runtime.GOARCH+".deb"))
	if out := dpkg("--verify", "hops"); out != "" {
		r.Errorf("installed files differ from their sums: %s", out)
	}
	works(r.T, func(args ...string) string { return runIn(r.T, root, "/usr/bin/hops", args...) })
	r.installedManual(root)
	dpkg("--remove", "hops")
	if _, err := os.Stat(filepath.Join(root, "usr/bin/hops")); !os.IsNotExist(err) {
		r.Error("the removed package leaves its program:", err)
	}
}

// installedManual checks that a verb has its page in the manual.
func (r testRelease) installedManual(root string) {
	r.Helper()
	text := command(r.T, "", "gzip", "-dc", filepath.Join(root, "usr/share/man/man1/hops-path.1.gz"))
	if !strings.HasPrefix(text, ".TH \"HOPS-PATH\" 1 \""+testCommits[:10]+"\"") || !strings.Contains(text, "\\-\\-all") {
		r.Errorf("the page of hops path: %.300s", text)
	}
}

// rpm installs the package. Its dependency on the C library is looked at alone, because the
// database of the new root knows of no packages.
func (r testRelease) rpm() {
	arch := rpmArch[runtime.GOARCH]
	file := r.file("hops-VERSION-1." + arch + ".rpm")
	if out := command(r.T, "", "rpm", "--query", "--requires", "--package", file); !strings.Contains(out, "glibc") {
		r.Errorf("the package requires %s", out)
	}
	root := r.rootWithLibrary()
	rpm := func(args ...string) string {
		out, err := asRoot(exec.Command("rpm", append([]string{"--root", root, "--nodeps"}, args...)...), "").CombinedOutput()
		if err != nil {
			r.Fatalf("rpm %s: %v\n%s", args, err, out)
		}
		return string(out)
	}
	rpm("--install", "--force-debian", file)
	rpm("--verify", "hops")
	works(r.T, func(args ...string) string { return runIn(r.T, root, "/usr/bin/hops", args...) })
}

// rootWithLibrary is a folder with the libraries that the dynamic program needs, at the
// places where they are here.
func (r testRelease) rootWithLibrary() string {
	r.Helper()
	program := r.unpack("hops-VERSION-linux-" + runtime.GOARCH + ".tar.gz")
	root := r.TempDir()
	files := regexp.MustCompile(`/\S+\.so\S*`).FindAllString(command(r.T, "", "ldd", program), -1)
	if len(files) == 0 {
		r.Fatal("the dynamic program needs no library")
	}
	for _, file := range files {
		copyFile(r.T, file, filepath.Join(root, file))
	}
	return root
}

func makeFolder(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}

// copyFile copies a program or what a link to one leads to.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	makeFolder(t, filepath.Dir(to))
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, content, 0o755); err != nil {
		t.Fatal(err)
	}
}
