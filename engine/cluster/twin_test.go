package cluster

import (
	"runtime"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/testing/enginetest"
	"github.com/gohops/hops/papers/twin"
)

// Ranks on a machine that is modelled pass the suite like any others.
func TestTwin(t *testing.T) {
	for _, x := range exchanges {
		t.Run(x.name, func(t *testing.T) {
			e := engine(Options{Twin: twin.Setup{Machine: "numa-cluster", Nodes: 2, PerNode: 2}, Exchange: x.name}, x.steps...)
			e.Variant = true
			enginetest.Run(t, e)
		})
	}
	e := engine(Options{Twin: twin.Setup{Machine: "bluegene-q", Nodes: 5}, Sync: "bulk"})
	e.Variant = true
	enginetest.Run(t, e)
}

// A search takes the same model time, level by level, however many processors it has
// here, and another one on another machine.
func TestTwinIsDeterministic(t *testing.T) {
	src := kronecker(t, 9)
	times := func(procs int, o Options) (levels []hops.Level) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		s := mustBuild(t, src, o)
		for range 2 {
			trace, err := s.Search(t.Context(), 1, hops.NewTree(src.NumVertices()))
			if err != nil {
				t.Fatal(err)
			}
			if trace.Clock != hops.Model || trace.Time() <= 0 {
				t.Fatalf("%v of the %v clock", trace.Time(), trace.Clock)
			}
			for _, l := range trace.Levels {
				l.Exchange = nil
				levels = append(levels, l)
			}
		}
		return levels
	}
	for _, exchange := range []string{"", "probe", "allgather"} {
		on := twin.Setup{Machine: "bluegene-q", Nodes: 12}
		o := Options{Twin: on, Exchange: exchange}
		one, many := times(1, o), times(8, o)
		if !slices.Equal(one, many) {
			t.Errorf("exchange %q: on one processor\n%+v\nand on several\n%+v", exchange, one, many)
		}
		on.Machine = "tcp"
		o.Twin = on
		if slices.Equal(one, times(1, o)) {
			t.Errorf("exchange %q: as fast over Ethernet as on a torus", exchange)
		}
	}
}

// A sizeOnly is no machine that ranks can run on.
type sizeOnly struct{}

func (sizeOnly) Size() (nodes, perNode int, err error) { return 2, 1, nil }

func TestTwinRefuses(t *testing.T) {
	src := kronecker(t, 5)
	for _, o := range []Options{
		{Twin: twin.Setup{Machine: "abacus"}},
		{Twin: twin.Setup{Machine: "tcp"}, Ranks: 2},
		{Twin: twin.Setup{Machine: "tcp"}, Threads: 2},
		{Twin: twin.Setup{Machine: "tcp", Nodes: 1 << 20}},
		{Twin: sizeOnly{}},
	} {
		if _, err := Build(t.Context(), src, o); err == nil {
			t.Errorf("%+v was built", o)
		}
	}
}
