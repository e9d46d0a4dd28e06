// Package mpitest starts tests under the MPI launchers of this machine.
//
// A test binary cannot be a rank and run tests at the same time. It starts
// itself again under a launcher, with a variable that tells its TestMain to be
// a rank instead:
//
//	func TestMain(m *testing.M) { os.Exit(mpitest.Main(m, map[string]func() error{"ring": ring})) }
//
//	func TestRing(t *testing.T) {
//		for _, l := range mpitest.Launchers(t) {
//			out, err := l.Self(t, 3, "ring").CombinedOutput()
package mpitest

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// program is the variable that names what a rank runs.
const program = "HOPS_TEST_RANK"

// Main runs the tests, or in a rank the program that it was started for. It
// returns what the process should exit with.
func Main(m *testing.M, programs map[string]func() error) int {
	name := os.Getenv(program)
	if name == "" {
		return m.Run()
	}
	run, ok := programs[name]
	if !ok {
		fmt.Fprintf(os.Stderr, "mpitest: no program %q\n", name)
		return 2
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// A Launcher starts ranks on this machine, more than it has processors if need
// be.
type Launcher struct {
	Name  string // the interface of its library: openmpi, mpich or abi
	path  string
	flags []string
	env   []string
}

// known are the launchers by the names that Debian gives them side by side.
var known = []Launcher{
	{
		Name: "openmpi", path: "mpirun.openmpi",
		flags: []string{"--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"},
		env:   []string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"},
	},
	{Name: "mpich", path: "mpiexec.mpich"},
}

// Launchers returns those that are installed. A machine without any skips the
// test; `make setup` installs both. So does -short: what the race detector could
// find between ranks it finds in those of one process.
func Launchers(t testing.TB) []Launcher {
	t.Helper()
	if testing.Short() {
		t.Skip("short: no ranks in processes of their own")
	}
	var found []Launcher
	for _, l := range known {
		path, err := exec.LookPath(l.path)
		if err != nil {
			t.Logf("not installed: %s", l.path)
			continue
		}
		if l.Name == "mpich" && mpichWantsPMIx() {
			t.Logf("%s cannot start ranks of this MPICH, which is built for PMIx", path)
			continue
		}
		l.path = path
		found = append(found, l)
	}
	if len(found) == 0 {
		t.Skip("no MPI launcher is installed")
	}
	return found
}

// mpichWantsPMIx tells whether the library was built for launchers with PMIx, which its
// own is not: each rank that this one starts then believes to be the only one. Ubuntu
// 24.04 has such a package.
func mpichWantsPMIx() bool {
	paths, _ := filepath.Glob("/usr/lib/*/libmpich.so.12")
	for _, path := range paths {
		f, err := elf.Open(path)
		if err != nil {
			continue
		}
		needed, _ := f.ImportedLibraries()
		_ = f.Close()
		if slices.ContainsFunc(needed, func(name string) bool { return strings.HasPrefix(name, "libpmix.so.") }) {
			return true
		}
	}
	return false
}

// With is the launcher with another library that has an interface of the given name.
func (l Launcher) With(name, library string) Launcher {
	l.Name = name
	l.env = append(slices.Clone(l.env), "HOPS_MPI="+library)
	return l
}

// Command is a command line run by n ranks.
func (l Launcher) Command(n int, args ...string) *exec.Cmd {
	full := append([]string{"-n", strconv.Itoa(n)}, l.flags...)
	cmd := exec.Command(l.path, append(full, args...)...)
	// Ranks of a small machine share its processors; idle ones must not spin.
	cmd.Env = append(append(os.Environ(), l.env...), "GOMAXPROCS=2")
	return cmd
}

// Self is this test binary run by n ranks, each being the named program.
func (l Launcher) Self(t testing.TB, n int, name string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := l.Command(n, self)
	cmd.Env = append(cmd.Env, program+"="+name)
	return cmd
}
