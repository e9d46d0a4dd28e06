package launch

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gohops/hops/internal/base/topo"
	"github.com/gohops/hops/internal/device/mpi/mpitest"
	"github.com/gohops/hops/internal/ranks/rank"
)

func TestMain(m *testing.M) {
	os.Exit(mpitest.Main(m, map[string]func() error{"comm": commProgram, "abort": abortProgram, "die": dieProgram, "stop": stopProgram, "orphan": orphanProgram}))
}

// Everything that a rank.Comm promises, over each MPI.
func TestCommOverMPI(t *testing.T) {
	for _, l := range mpitest.Launchers(t) {
		for _, n := range []int{1, 3, 7} {
			t.Run(fmt.Sprintf("%s/%d", l.Name, n), func(t *testing.T) {
				out, err := l.Self(t, n, "comm").CombinedOutput()
				if err != nil || strings.Count(string(out), "all is well") != n {
					t.Fatalf("%v\n%s", err, out)
				}
			})
		}
	}
}

func commProgram() error {
	w, err := Join("", nil)
	if err != nil {
		return err
	}
	for _, step := range []func(w *World) error{
		packets, sharedPackets, reductions, gathered, exchanged, inPieces, splitAndShared, grouped, traffic, introduced,
	} {
		if err := step(w); err != nil {
			return fmt.Errorf("rank %d of %d: %w", w.Rank(), w.Size(), err)
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	fmt.Println("all is well")
	return nil
}

// packets of all sizes from all to all arrive whole and in order.
func packets(w *World) error {
	const each = 60
	var sent []rank.Pending
	for i := range each {
		for to := range w.Size() {
			p, err := w.Send(to, i%3, payload(w.Rank(), to, i))
			if err != nil {
				return err
			}
			sent = append(sent, p)
		}
	}
	for channel := range 3 {
		next := make([]int, w.Size())
		for got := 0; got < w.Size()*each/3; {
			p, ok, err := w.Receive(channel)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			i := 3*next[p.From] + channel
			if want := payload(p.From, w.Rank(), i); !bytes.Equal(p.Data, want) {
				return fmt.Errorf("packet %d from %d on channel %d has %d bytes, want %d", i, p.From, channel, len(p.Data), len(want))
			}
			next[p.From]++
			got++
			p.Free()
		}
	}
	for _, p := range sent {
		if err := p.Wait(); err != nil {
			return err
		}
	}
	_, err := w.Send(0, 0, make([]byte, rank.MaxPacket+1))
	if err == nil {
		return errors.New("a packet that is too large was sent")
	}
	return nil
}

// payload is the i-th packet from rank a to rank b; sizes range from nothing to the
// largest packet.
func payload(a, b, i int) []byte {
	return bytes.Repeat([]byte{byte(a), byte(b), byte(i)}, i*i*i%(rank.MaxPacket/3))
}

func reductions(w *World) error {
	n, r := uint64(w.Size()), uint64(w.Rank())
	sum, most, bits := []uint64{r, 1}, []uint64{r, 9 - r}, []uint64{1 << r}
	var under []rank.Pending
	for _, x := range []struct {
		op rank.Op
		v  []uint64
	}{{rank.Sum, sum}, {rank.Max, most}, {rank.Or, bits}} {
		p, err := w.Reduce(x.op, x.v)
		if err != nil {
			return err
		}
		under = append(under, p)
	}
	for i := range under {
		if err := under[len(under)-1-i].Wait(); err != nil {
			return err
		}
	}
	if sum[0] != n*(n-1)/2 || sum[1] != n || most[0] != n-1 || most[1] != 9 || bits[0] != 1<<n-1 {
		return fmt.Errorf("sum %v, max %v, or %v", sum, most, bits)
	}
	return longReductions(w)
}

// gathered checks a gather to which rank r contributes r bytes, with a gap after each.
func gathered(w *World) error {
	var parts []rank.Span
	end := int64(0)
	for r := range w.Size() {
		parts = append(parts, rank.Span{Lo: end, Hi: end + int64(r)})
		end += int64(r) + 1
	}
	all := bytes.Repeat([]byte{99}, int(end))
	for i := parts[w.Rank()].Lo; i < parts[w.Rank()].Hi; i++ {
		all[i] = byte(w.Rank())
	}
	if err := w.Gather(all, parts); err != nil {
		return err
	}
	for r := range w.Size() {
		if want := append(bytes.Repeat([]byte{byte(r)}, r), 99); !bytes.Equal(all[parts[r].Lo:parts[r].Hi+1], want) {
			return fmt.Errorf("gathered %v", all)
		}
	}
	if err := w.Gather(all, []rank.Span{{Lo: 0, Hi: end + 1}}); err == nil {
		return errors.New("parts beyond the end were accepted")
	}
	return nil
}

// exchanged checks an exchange in which rank a sends a×b+1 bytes to rank b.
func exchanged(w *World) error {
	outCuts, inCuts := []int64{0}, []int64{0}
	var out []byte
	for r := range w.Size() {
		out = append(out, bytes.Repeat([]byte{byte(10*w.Rank() + r)}, w.Rank()*r+1)...)
		outCuts = append(outCuts, int64(len(out)))
		inCuts = append(inCuts, inCuts[r]+int64(w.Rank()*r+1))
	}
	in := make([]byte, inCuts[w.Size()])
	if err := w.Exchange(out, outCuts, in, inCuts); err != nil {
		return err
	}
	for r := range w.Size() {
		if want := bytes.Repeat([]byte{byte(10*r + w.Rank())}, w.Rank()*r+1); !bytes.Equal(in[inCuts[r]:inCuts[r+1]], want) {
			return fmt.Errorf("exchanged %v", in)
		}
	}
	return nil
}

// inPieces repeats both with parts that exceed the size of one MPI message.
func inPieces(w *World) error {
	defer func(old int) { w.state.maxPiece = old }(w.state.maxPiece)
	for _, size := range []int{1, 2, 5} {
		w.state.maxPiece = size
		if err := gathered(w); err != nil {
			return fmt.Errorf("in pieces of %d: %w", size, err)
		}
		if err := exchanged(w); err != nil {
			return fmt.Errorf("in pieces of %d: %w", size, err)
		}
	}
	return nil
}

func splitAndShared(w *World) error {
	half, err := w.Split(w.Rank()%2, -w.Rank())
	if err != nil {
		return err
	}
	size := (w.Size() + 1 - w.Rank()%2) / 2
	if half.Size() != size || half.Rank() != size-1-w.Rank()/2 || half.Host(0) != 0 {
		return fmt.Errorf("rank %d of %d in its group", half.Rank(), half.Size())
	}
	for _, c := range []rank.Comm{half, w} {
		memory, err := c.Share(int64(c.Size()) + 5000)
		if err != nil {
			return err
		}
		memory[c.Rank()] = byte(c.Rank() + 1)
		if err := c.Barrier(); err != nil {
			return err
		}
		for i, b := range memory {
			want := byte(0)
			if i < c.Size() {
				want = byte(i + 1)
			}
			if b != want {
				return fmt.Errorf("byte %d is %d in the memory of %d ranks", i, b, c.Size())
			}
		}
		if err := c.Barrier(); err != nil {
			return err
		}
	}
	return half.Close()
}

// grouped ranks pretend to be on hosts, which share no memory.
func grouped(w *World) error {
	ranks := max(w.Size()-1, 1)
	hosts := min(2, ranks)
	g, err := w.Group(ranks, hosts)
	if err != nil {
		return err
	}
	if w.Rank() >= ranks {
		if g != nil {
			return fmt.Errorf("a group of %d", g.Size())
		}
		return nil
	}
	if g.Size() != ranks || g.Rank() != w.Rank() || g.Host(ranks-1) != hosts-1 || len(g.Members()) != ranks {
		return fmt.Errorf("rank %d of %d, the last on host %d", g.Rank(), g.Size(), g.Host(ranks-1))
	}
	memory, err := g.Share(int64(ranks))
	if err != nil {
		return err
	}
	memory[g.Rank()] = 1
	if err := g.Barrier(); err != nil {
		return err
	}
	for r, b := range memory {
		if (b == 1) != (g.Host(r) == g.Host(g.Rank())) {
			return fmt.Errorf("byte %d is %d in the memory of rank %d", r, b, g.Rank())
		}
	}
	return g.Close()
}

func traffic(w *World) error {
	before := w.Traffic()
	if err := w.Gather(make([]byte, 10*w.Size()), even(w.Size(), 10)); err != nil {
		return err
	}
	others := int64(w.Size() - 1)
	if got := w.Traffic().Minus(before); got != (rank.Traffic{Messages: others, Bytes: 10 * others}) {
		return fmt.Errorf("gathering counts as %+v", got)
	}
	return nil
}

func introduced(w *World) error {
	host, _ := os.Hostname()
	me := w.Members()[w.Rank()]
	if len(w.Members()) != w.Size() || me.PID != os.Getpid() || me.Host != host || me.Node != 0 || len(me.CPUs) == 0 || me.Online == 0 {
		return fmt.Errorf("introduced as %+v", me)
	}
	if at, err := w.reachable(); err != nil || !slices.Equal(at, []string{loopback}) {
		return fmt.Errorf("ranks of one host are to connect to %v (%v)", at, err)
	}
	if w.Library() == "" {
		return errors.New("the library has no name")
	}
	return nil
}

// failureTimeout is far longer than a failure takes to be noticed on an idle machine:
// the tests only tell "noticed" from "never".
const failureTimeout = 3 * time.Minute

// However a rank ends, the others name it within failureTimeout.
func TestFailuresAreNamed(t *testing.T) {
	for _, l := range mpitest.Launchers(t) {
		for program, want := range map[string]string{
			"abort": "rank 1 failed: no luck today",
			"die":   "rank 1 failed: process ",
			"stop":  "has not answered for 10s: it is stopped",
		} {
			if program == "die" { // a launcher may end the others before they have spoken
				want += "|KILLED BY SIGNAL: 9|EXIT STRING: Killed (signal 9)|process rank 1 with PID"
			}
			t.Run(l.Name+"/"+program, func(t *testing.T) {
				start := time.Now()
				out, err := l.Self(t, 3, program).CombinedOutput()
				if took := time.Since(start); err == nil || took > failureTimeout {
					t.Errorf("ended with %v after %v", err, took)
				}
				if !slices.ContainsFunc(strings.Split(want, "|"), func(w string) bool { return strings.Contains(string(out), w) }) {
					t.Errorf("nobody says %q:\n%s", want, out)
				}
			})
		}
	}
}

// abortProgram has rank 1 give up while the others wait for it.
func abortProgram() error {
	return failing(func(w *World) { w.Abort(errors.New("no luck today")) })
}

// dieProgram has rank 1 killed, as by the kernel when memory runs out.
func dieProgram() error {
	return failing(func(*World) {
		self, _ := os.FindProcess(os.Getpid())
		_ = self.Kill()
		select {}
	})
}

// stopProgram has rank 1 stopped: it keeps its connections and does nothing. The kernel
// may give the signal to another thread, and this one would run on for a moment.
func stopProgram() error {
	return failing(func(*World) {
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		select {}
	})
}

// failing has rank 1 fail while the others wait in a reduction.
func failing(fail func(*World)) error {
	w, err := Join("", nil)
	if err != nil {
		return err
	}
	if w.Rank() == 1 {
		time.Sleep(50 * time.Millisecond)
		fail(w)
	}
	err = rank.Reduced(w, rank.Sum, []uint64{1})
	fmt.Fprintln(os.Stderr, err)
	defer w.Close()
	if failure := (*rank.Failure)(nil); !errors.As(err, &failure) || failure.Rank != 1 {
		return fmt.Errorf("rank %d does not know: %w", w.Rank(), err)
	}
	return err
}

// A launcher that is killed takes its ranks with it.
func TestLauncherDies(t *testing.T) {
	for _, l := range mpitest.Launchers(t) {
		t.Run(l.Name, func(t *testing.T) {
			mark := t.TempDir() + "/"
			cmd := l.Self(t, 3, "orphan")
			cmd.Env = append(cmd.Env, "MARK="+mark)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			await(t, "three ranks", func() bool { return len(ranksAlive(mark)) == 3 })
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			await(t, "their end", func() bool { return len(ranksAlive(mark)) == 0 })
		})
	}
}

func await(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for start := time.Now(); !happened(); time.Sleep(20 * time.Millisecond) {
		if time.Since(start) > failureTimeout {
			t.Fatalf("waited %v for %s", failureTimeout, what)
		}
	}
}

// ranksAlive lists the processes that left their number in a folder and exist.
func ranksAlive(folder string) (pids []string) {
	files, _ := os.ReadDir(folder)
	for _, f := range files {
		state, err := os.ReadFile("/proc/" + f.Name() + "/stat")
		if err == nil && !bytes.Contains(state, []byte(") Z ")) {
			pids = append(pids, f.Name())
		}
	}
	return pids
}

// orphanProgram waits for ever, unless something fails.
func orphanProgram() error {
	w, err := Join("", nil)
	if err != nil {
		return err
	}
	if err := os.WriteFile(fmt.Sprint(os.Getenv("MARK"), os.Getpid()), nil, 0o666); err != nil {
		return err
	}
	<-w.Failed()
	return w.Close()
}

// cpus parses a well-formed list.
func cpus(list string) topo.CPUs {
	c, err := topo.ParseCPUs(list)
	if err != nil {
		panic(err)
	}
	return c
}

// A rank of another program, or with other arguments, is named with what both run.
func TestAlikeTexts(t *testing.T) {
	members := []Member{{Host: "a"}, {Host: "a"}, {Host: "b"}, {Host: "b"}}
	if err := alikeTexts([]string{"x", "x", "x", "x"}, members); err != nil {
		t.Error(err)
	}
	err := alikeTexts([]string{"hops v1", "hops v1", "hops v2", "hops v3"}, members)
	if err == nil || !strings.Contains(err.Error(), "rank 2 on b runs hops v2, but rank 0 on a runs hops v1: ") {
		t.Error(err)
	}
}

func TestDescription(t *testing.T) {
	members := []Member{
		{PID: 10, Host: "a", Node: 0, Threads: 1, CPUs: cpus("0"), Online: 16},
		{PID: 11, Host: "a", Node: 0, Threads: 1, CPUs: cpus("1"), Online: 16},
		{PID: 12, Host: "b", Node: 1, Threads: 8, CPUs: cpus("0-7"), Online: 16},
		{PID: 13, Host: "b", Node: 1, Threads: 8, CPUs: cpus("8-15"), Online: 16},
		{PID: 14, Host: "c", Node: 2, Threads: 4, CPUs: cpus("0-3"), Online: 4},
	}
	got := strings.Join(Describe(members), "\n")
	want := `a: ranks 0-1, 1 thread each, bound to 1 of 16 CPUs each, process 10 11
b: ranks 2-3, 8 threads each, bound to 8 of 16 CPUs each, process 12 13
c: rank 4, 4 threads, not bound, process 14`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	warnings := Warnings(members)
	if len(warnings) != 1 || !strings.Contains(warnings[0], "rank 0 is bound to 1 of the 16 CPUs of a, where each of 2 ranks could have 8") {
		t.Errorf("%q", warnings)
	}
	if w := Warnings(members[2:]); len(w) != 0 {
		t.Errorf("fair binding is warned of: %q", w)
	}
}

// Ranks that may use all CPUs of their host divide them; those that are bound keep
// what they have.
func TestDivideThreads(t *testing.T) {
	members := []Member{
		{Node: 0, Threads: 16, CPUs: cpus("0-15"), Online: 16},
		{Node: 0, Threads: 16, CPUs: cpus("0-15"), Online: 16},
		{Node: 0, Threads: 16, CPUs: cpus("0-15"), Online: 16},
		{Node: 1, Threads: 8, CPUs: cpus("0-7"), Online: 16},
		{Node: 1, Threads: 8, CPUs: cpus("8-15"), Online: 16},
		{Node: 2, Threads: 2, CPUs: cpus("0-1"), Online: 2},
		{Node: 3, Threads: 1, CPUs: cpus("0"), Online: 1},
		{Node: 3, Threads: 1, CPUs: cpus("0"), Online: 1},
	}
	divideThreads(members)
	for r, want := range []int{5, 5, 5, 8, 8, 2, 1, 1} {
		if got := members[r].Threads; got != want {
			t.Errorf("rank %d has %d threads, want %d", r, got, want)
		}
	}
}

// What counts is the CPUs that ranks may use, which are fewer than those of their host
// where they are bound or confined.
func TestOversubscribed(t *testing.T) {
	for _, x := range []struct {
		cpus []string // of each rank of a host of 16 CPUs
		want bool
	}{
		{[]string{"0-1", "0-1"}, false},
		{[]string{"0-1", "0-1", "0-1"}, true},
		{[]string{"4", "5"}, false},
		{[]string{"4", "4"}, true},
	} {
		members := []Member{{Node: 1, CPUs: cpus("0"), Online: 16}}
		for _, set := range x.cpus {
			members = append(members, Member{CPUs: cpus(set), Online: 16})
		}
		if got := oversubscribed(members); got != x.want {
			t.Errorf("ranks on CPUs %q: %t", x.cpus, got)
		}
	}
}
