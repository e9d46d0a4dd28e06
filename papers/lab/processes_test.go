package lab

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/ranks/rank"
)

// withProcesses gives a lab processes, which are goroutines that follow, and an engine for
// them. The function that it returns ends them and returns their errors.
func withProcesses(t *testing.T, l *Lab, n int) (end func() error) {
	t.Helper()
	comms, err := rank.Local(n, 1)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]*Processes, n)
	for r, c := range comms {
		all[r] = &Processes{World: c, Group: func(ranks, hosts int) (Comm, error) {
			g, err := c.Split(min(c.Rank()/ranks, 1), c.Rank())
			if err == nil && c.Rank() >= ranks {
				return nil, g.Close()
			}
			return onHosts{g, hosts}, err
		}, Open: partly(l.Engine)}
	}
	l.Processes = all[0]
	errs := make([]error, n)
	var wg sync.WaitGroup
	for r := 1; r < n; r++ {
		wg.Go(func() { errs[r] = all[r].Follow(t.Context()) })
	}
	return func() error {
		errs[0] = l.Processes.End(t.Context())
		wg.Wait()
		return errors.Join(errs...)
	}
}

// onHosts is a group that says on how many hosts it pretends to be.
type onHosts struct {
	Comm
	hosts int
}

// partly makes engines that search everything on each process and fill the part of the tree
// that is the process's: in 64ths as many as its rank, plus one for all but the last.
func partly(open func(string) (graph500.Engine, error)) func(string, Comm) (graph500.Engine, error) {
	return func(text string, on Comm) (graph500.Engine, error) {
		if on == nil {
			return open(text)
		}
		group := on.(onHosts)
		e, err := open(fmt.Sprintf("%s,ranks=%d,hosts=%d", text, group.Size(), group.hosts))
		if err != nil {
			return e, err
		}
		whole := e.Build
		e.Build = func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
			s, err := whole(ctx, src)
			n := src.NumVertices()
			cut := func(r int) hops.Vertex {
				if r == on.Size() {
					return n
				}
				return n / 64 * hops.Vertex(r*(r+1)/2)
			}
			return &partSearcher{s, n, cut(on.Rank()), cut(on.Rank() + 1)}, err
		}
		return e, nil
	}
}

type partSearcher struct {
	graph500.Searcher
	n, first, end hops.Vertex
}

func (s *partSearcher) NewTree() (*hops.Tree, error) {
	return hops.NewTreePart(s.n, s.first, s.end-s.first), nil
}

func (s *partSearcher) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	all := hops.NewTree(s.n)
	trace, err := s.Searcher.Search(ctx, root, all)
	t.Root = root
	for v := s.first; v < s.end; v++ {
		if p := all.Parent(v); p != hops.NoVertex {
			t.SetParent(v, p)
		}
	}
	return trace, err
}

// Experiments about ranks have a verdict of processes, too, which turns with the world and
// does not count in that of the experiment.
func TestVerdictsOfProcessesTurn(t *testing.T) {
	for _, id := range []string{"checconi/fig7", "cui/fig13"} {
		for turned, w := range map[Outcome]world{Holds: scenes[id].holds, Fails: scenes[id].turned} {
			l := fakeLab(w)
			l.Roots, l.Runs = 1, 1
			end := withProcesses(t, l, 8)
			f := perform(t, id, l)
			if err := end(); err != nil {
				t.Error(err)
			}
			places, outcomes := f.Verdicts()
			if len(places) != 3 || outcomes[overMPI] != turned {
				t.Errorf("want %q over MPI, got %v: %s", turned, outcomes, describe(f))
			}
			for i := range f.Claims {
				if f.Claims[i].Place == overMPI {
					f.Claims[i].Outcome = Unclear
				}
			}
			if f.Verdict() != turned {
				t.Errorf("the verdict of processes counts: %s", describe(f))
			}
		}
	}
}

// Allgathers and transfers run on processes as on ranks of one process.
func TestMeasurementsOnProcesses(t *testing.T) {
	l := fakeLab(plainWorld)
	end := withProcesses(t, l, 4)
	p := l.places("cui")[1]
	const size = 1 << 10
	g, err := gatherAll(t.Context(), p, "per-rank", 4, 1, size)
	if err != nil || g.traffic.Bytes != 3*size || g.exchange <= 0 {
		t.Errorf("%+v, %v", g, err)
	}
	if rate, err := bandwidth(t.Context(), p, 1, size, l.moment()); err != nil || rate <= 0 {
		t.Errorf("%g bytes a second, %v", rate, err)
	}
	f := perform(t, "cui/fig4", l)
	if !strings.Contains(strings.Join(f.Missing, "\n"), "8 processes, of which the launcher started 4") {
		t.Errorf("missing: %q", f.Missing)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
}

// A tree that is wrong on one process is found by the first, and nobody hangs.
func TestWrongTreesOfProcesses(t *testing.T) {
	l := fakeLab(plainWorld)
	honest := l.Engine
	end := withProcesses(t, l, 4)
	l.Processes.Open = partly(lying(honest)) // whose part is the first, where the lie is
	e, err := Find("checconi/fig6")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = l.Perform(t.Context(), e); err == nil || !strings.Contains(err.Error(), overMPI) {
		t.Errorf("error %v", err)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
}

// A process that fails ends all, and is named.
func TestProcessesThatFailEndAll(t *testing.T) {
	l := fakeLab(plainWorld)
	open := l.Engine
	l.Engine = func(text string) (graph500.Engine, error) {
		e, err := open(text)
		build := e.Build
		e.Build = func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
			s, err := build(ctx, src)
			return failing{s}, err
		}
		return e, err
	}
	end := withProcesses(t, l, 3)
	l.Engine, l.Processes.Open = open, partly(open) // the first process is well
	e, err := Find("checconi/fig6")
	if err != nil {
		t.Fatal(err)
	}
	if f := (*rank.Failure)(nil); !errors.As(second(l.Perform(t.Context(), e)), &f) || f.Rank == 0 || !errors.Is(f, errBroken) {
		t.Errorf("failure %v", f)
	}
	if err := end(); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}

func second(_ *Finding, err error) error { return err }

type failing struct{ graph500.Searcher }

func (failing) Search(context.Context, hops.Vertex, *hops.Tree) (hops.Trace, error) {
	return hops.Trace{}, errBroken
}

// Processes that wait for a task end when their run is interrupted.
func TestProcessesEndWhenInterrupted(t *testing.T) {
	comms, err := rank.Local(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errBroken)
	if err := (&Processes{World: comms[1]}).Follow(ctx); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
	if err := (&Processes{World: comms[0]}).assign(t.Context(), task{Do: "end"}); !errors.Is(err, errBroken) {
		t.Errorf("error of the first: %v", err)
	}
}
