// Package mpitest starts tests under the MPI launchers of this machine.
//
// A test binary cannot be a rank and run tests at the same time. It starts
// itself again under a launcher, with arguments that tell its TestMain to be a
// rank instead:
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

	"github.com/gohops/hops/internal/testing/tooltest"
)

// asRank is the first argument of a test binary that is a rank. The program that it
// runs and the MPI library follow.
const asRank = "mpitest-rank"

// Main runs the tests, or in a rank the program that it was started for. It returns
// the exit status of the process.
func Main(m *testing.M, programs map[string]func() error) int {
	if len(os.Args) != 4 || os.Args[1] != asRank {
		return m.Run()
	}
	run, ok := programs[os.Args[2]]
	if !ok {
		fmt.Fprintf(os.Stderr, "mpitest: no program %q\n", os.Args[2])
		return 2
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// Library returns the MPI library that this rank should use, as mpi.Start takes it.
func Library() string { return os.Args[3] }

// A Launcher starts ranks on this host, also more ranks than it has processors.
type Launcher struct {
	Name  string // binary interface of its library: openmpi, mpich or abi
	path  string
	flags []string
	env   []string
	mpi   string // library, if it is not the launcher's own
}

// known are the launchers under the names that Debian gives them.
var known = []Launcher{
	{
		Name: "openmpi", path: "mpirun.openmpi",
		flags: []string{"--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"},
		env:   []string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"},
	},
	{Name: "mpich", path: "mpiexec.mpich"},
}

// Launchers returns the installed launchers. Without one, or with -short, it skips the
// test. `make setup` installs both. Under -short the race detector checks ranks of one
// process instead.
func Launchers(t testing.TB) []Launcher {
	t.Helper()
	if testing.Short() {
		t.Skip("short: no ranks in processes of their own")
	}
	var found []Launcher
	var absent []string
	for _, l := range known {
		path, err := exec.LookPath(l.path)
		if err != nil {
			absent = append(absent, l.path)
			continue
		}
		if l.Name == "mpich" && mpichWantsPMIx() {
			t.Logf("%s cannot start ranks of this MPICH, which is built for PMIx", path)
			continue
		}
		l.path = path
		found = append(found, l)
	}
	if len(absent) > 0 && (len(found) == 0 || os.Getenv("CI") != "") {
		tooltest.Missing(t, "not installed: ", absent)
	}
	for _, path := range absent {
		t.Logf("not installed: %s", path)
	}
	return found
}

// mpichWantsPMIx tells whether the MPICH library was built for launchers with PMIx. Its
// own launcher has none, so each rank would be the only one of its world. Ubuntu 24.04
// has such a package.
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

// With returns the launcher with another library, of the binary interface name.
func (l Launcher) With(name, library string) Launcher {
	l.Name, l.mpi = name, library
	return l
}

// Command returns a command that runs args as n ranks.
func (l Launcher) Command(n int, args ...string) *exec.Cmd {
	full := append([]string{"-n", strconv.Itoa(n)}, l.flags...)
	cmd := exec.Command(l.path, append(full, args...)...)
	// Ranks of a small machine share its processors; idle ones must not spin.
	cmd.Env = append(append(os.Environ(), l.env...), "GOMAXPROCS=2")
	return cmd
}

// Self returns a command that runs the named program of this test binary as n ranks.
func (l Launcher) Self(t testing.TB, n int, name string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return l.Command(n, self, asRank, name, l.mpi)
}
