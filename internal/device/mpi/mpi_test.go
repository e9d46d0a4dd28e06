package mpi_test

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gohops/hops/internal/device/mpi"
	"github.com/gohops/hops/internal/device/mpi/mpitest"
)

func TestMain(m *testing.M) {
	os.Exit(mpitest.Main(m, map[string]func() error{"all": everyCall, "fail": badCalls}))
}

// Every operation, on any number of ranks, with each library.
func TestUnderLaunchers(t *testing.T) {
	for _, l := range interfaces(t) {
		for _, n := range []int{1, 2, 3, 4, 7} {
			t.Run(fmt.Sprintf("%s/%d", l.Name, n), func(t *testing.T) {
				out, err := l.Self(t, n, "all").CombinedOutput()
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				if got := strings.Count(string(out), "rank is content under "+l.Name); got != n {
					t.Errorf("%d of %d ranks are content:\n%s", got, n, out)
				}
			})
		}
	}
}

// interfaces are the launchers of this machine, and that of Open MPI once more with
// the standard interface put over it.
func interfaces(t *testing.T) []mpitest.Launcher {
	t.Helper()
	list := mpitest.Launchers(t)
	if list[0].Name != "openmpi" {
		return list
	}
	library := filepath.Join(t.TempDir(), "libmpi_abi.so")
	out, err := exec.Command(cmp.Or(os.Getenv("CC"), "gcc"), "-shared", "-fPIC", "-o", library, "testdata/abi.c", "-ldl").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return append(list, list[0].With("abi", library))
}

func TestErrorsAreValues(t *testing.T) {
	for _, l := range interfaces(t) {
		out, err := l.Self(t, 2, "fail").CombinedOutput()
		if err != nil || strings.Count(string(out), "as expected: mpi: MPI_Isend: ") != 2 {
			t.Errorf("%s: %v\n%s", l.Name, err, out)
		}
	}
}

// The launcher of one library with another library would leave every process
// alone in its world.
func TestLauncherAndLibraryMustFit(t *testing.T) {
	ls := mpitest.Launchers(t)
	if len(ls) < 2 {
		t.Skip("there is one MPI only")
	}
	out, err := ls[1].With(ls[0].Name, ls[0].Name).Self(t, 2, "all").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "started 2 processes, but ") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestLibraryNotFound(t *testing.T) {
	for chosen, want := range map[string]string{
		"abi":             "no MPI library found; looked for libmpi_abi.so.0, libmpi_abi.so.1, libmpi_abi.so.",
		"/no/such/lib.so": "looked for /no/such/lib.so",
		"lam":             "want openmpi, mpich, abi or the path",
	} {
		if out, err := exec.Command("ldconfig", "-p").Output(); err == nil && chosen == "abi" && bytes.Contains(out, []byte("libmpi_abi.so")) {
			continue
		}
		if _, err := mpi.Start(chosen); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", chosen, err, want)
		}
	}
}

func TestNotLaunched(t *testing.T) {
	if mpi.Launched() {
		t.Error("the test thinks that a launcher started it")
	}
	t.Setenv("PMI_SIZE", "3")
	if !mpi.Launched() {
		t.Error("PMI_SIZE is not taken for a launcher's")
	}
}

// everyCall is a rank that checks all operations against what arithmetic says.
func everyCall() error {
	lib, err := mpi.Start(mpitest.Library())
	if err != nil {
		return err
	}
	world, err := lib.World()
	if err != nil {
		return err
	}
	for _, step := range []func(*mpi.Library, *mpi.Comm) error{
		describe, ring, probed, reductions, broadcast, groups,
	} {
		if err := step(lib, world); err != nil {
			return fmt.Errorf("rank %d of %d: %w", world.Rank, world.Size, err)
		}
	}
	fmt.Printf("rank is content under %s\n", lib.ABI())
	return lib.Finish()
}

func wait(lib *mpi.Library, r mpi.Request, err error) error {
	for done := false; !done && err == nil; runtime.Gosched() {
		done, err = lib.Done(r)
	}
	return err
}

func describe(lib *mpi.Library, _ *mpi.Comm) error {
	version, err := lib.Version()
	if err != nil {
		return err
	}
	maker := map[string]string{"openmpi": "Open MPI", "mpich": "MPICH"}[lib.ABI()]
	if !strings.Contains(version, maker) {
		return fmt.Errorf("version %q is not of %s", version, maker)
	}
	return nil
}

// ring passes messages of several sizes to the next rank. The library sees addresses
// only, so the buffers must be kept from the garbage collector until it is done.
func ring(lib *mpi.Library, c *mpi.Comm) error {
	next, before := (c.Rank+1)%c.Size, (c.Rank+c.Size-1)%c.Size
	for _, size := range []int{0, 1, 4096, 1 << 20} { // eager and rendezvous
		out := bytes.Repeat([]byte{byte(c.Rank + 1)}, size)
		in := make([]byte, size+10)
		sent, err := c.Send(out, next, size%97)
		if err != nil {
			return err
		}
		r, err := c.Receive(in, before, size%97)
		if err := wait(lib, r, err); err != nil {
			return err
		}
		want := append(bytes.Repeat([]byte{byte(before + 1)}, size), make([]byte, 10)...)
		if !bytes.Equal(in, want) {
			return fmt.Errorf("%d bytes from %d: other bytes arrived", size, before)
		}
		if err := wait(lib, sent, nil); err != nil {
			return err
		}
		runtime.KeepAlive(out)
		runtime.KeepAlive(in)
	}
	return nil
}

// probed receives messages whose size nobody announced. Progress takes none of them.
func probed(lib *mpi.Library, c *mpi.Comm) error {
	const tag = 11
	out := make([]byte, 100+c.Rank)
	to := (c.Rank + 1) % c.Size
	sent, err := c.Send(out, to, tag)
	if err != nil {
		return err
	}
	from := (c.Rank + c.Size - 1) % c.Size
	for {
		if err := c.Progress(); err != nil {
			return err
		}
		m, ok, err := c.Probe(tag)
		if err != nil {
			return err
		}
		if !ok {
			runtime.Gosched()
			continue
		}
		if m.Bytes != 100+from || m.Source != from {
			return fmt.Errorf("found %+v, want %d bytes from %d", m, 100+from, from)
		}
		in := make([]byte, m.Bytes)
		r, err := c.ReceiveFound(in, m)
		if err = wait(lib, r, err); err != nil {
			return err
		}
		return wait(lib, sent, nil)
	}
}

func reductions(lib *mpi.Library, c *mpi.Comm) error {
	n := uint64(c.Size)
	for op, want := range []uint64{mpi.Sum: n * (n + 1) / 2, mpi.Max: n, mpi.Or: orTo(n)} {
		words := []uint64{uint64(c.Rank) + 1, 1 << 40}
		r, err := c.AllReduce(words, mpi.Op(op))
		if err = wait(lib, r, err); err != nil {
			return err
		}
		if words[0] != want {
			return fmt.Errorf("operation %d: %d, want %d", op, words[0], want)
		}
	}
	return nil
}

func orTo(n uint64) (all uint64) {
	for i := range n {
		all |= i + 1
	}
	return all
}

// broadcast checks a broadcast by the last rank, and a barrier.
func broadcast(lib *mpi.Library, c *mpi.Comm) error {
	word := []byte{byte(c.Rank), 0}
	r, err := c.Broadcast(word, c.Size-1)
	if err = wait(lib, r, err); err != nil {
		return err
	}
	if int(word[0]) != c.Size-1 {
		return fmt.Errorf("broadcast brought %d", word[0])
	}
	r, err = c.Barrier()
	err = wait(lib, r, err)
	return err
}

func groups(lib *mpi.Library, c *mpi.Comm) error {
	half, err := c.Split(c.Rank%2, -c.Rank)
	if err != nil {
		return err
	}
	want := (c.Size + 1 - c.Rank%2) / 2
	if half.Size != want || half.Rank != want-1-c.Rank/2 {
		return fmt.Errorf("rank %d of %d in the group of its parity", half.Rank, half.Size)
	}
	words := []uint64{1}
	r, err := half.AllReduce(words, mpi.Sum)
	if err = wait(lib, r, err); err != nil || int(words[0]) != want {
		return fmt.Errorf("a group of %d counts %d: %w", want, words[0], err)
	}
	return half.Free()
}

// badCalls shows that MPI's errors come back and do not end the process.
func badCalls() error {
	lib, err := mpi.Start(mpitest.Library())
	if err != nil {
		return err
	}
	world, err := lib.World()
	if err != nil {
		return err
	}
	if _, err = world.Send([]byte("to nobody"), world.Size, 1); err == nil {
		return fmt.Errorf("sent to a rank that does not exist")
	}
	fmt.Println("as expected:", err)
	return lib.Finish()
}
