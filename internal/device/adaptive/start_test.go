package adaptive

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// A pretender is a machine that finds as much from every root as that has neighbours,
// in the time it is told.
type pretender struct {
	Host
	steps []level.Step
	alone time.Duration // for a whole search; more than an hour is until it is cancelled
	tree  int           // vertices
	asked bool          // Watch was told whom to ask
}

func (p *pretender) Steps() []level.Step                 { return p.steps }
func (p *pretender) Bind(*hops.Tree) error               { return nil }
func (p *pretender) Share(level.SharedMemory)            {}
func (p *pretender) Watch(ask func(level.Front) bool)    { p.asked = ask != nil }
func (p *pretender) Isolated(v hops.Vertex) bool         { return v%2 == 1 }
func (p *pretender) Take(*level.State, level.Step) error { return nil }

func (p *pretender) Moves() int64                          { return 0 }
func (p *pretender) Give(level.Step) (*level.State, error) { return &level.State{}, nil }

func (p *pretender) Seed(hops.Vertex) (level.Front, error) {
	return level.Front{Vertices: 1, Edges: 9, Unvisited: 9, Remaining: 9}, nil
}

func (p *pretender) Run(level.Step) (level.Front, level.Outcome, error) {
	if p.alone > time.Hour {
		time.Sleep(time.Millisecond)
		return level.Front{Vertices: 1}, level.Outcome{}, nil // and so on
	}
	time.Sleep(p.alone)
	return level.Front{}, level.Outcome{}, nil
}

func (p *pretender) Solo(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	if p.alone > time.Hour {
		<-ctx.Done()
		return hops.Trace{}, fmt.Errorf("cancelled: %w", ctx.Err())
	}
	time.Sleep(p.alone)
	t.Root = root
	return hops.Trace{Levels: []hops.Level{{Found: int64(root)}}}, nil
}

// device is a pretender that is one.
type device struct{ *pretender }

func (d device) Shared() level.SharedMemory         { return level.SharedMemory{} }
func (d device) NewTree() (*hops.Tree, error)       { return hops.NewTree(hops.Vertex(d.tree)), nil }
func (d device) Finish(*level.State) (int64, error) { return 0, nil }
func (d device) Solo(ctx context.Context, root hops.Vertex, t *hops.Tree) ([]hops.Level, level.Front, error) {
	trace, err := d.pretender.Solo(ctx, root, t)
	return trace.Levels, level.Front{}, err
}

// never is a search that has to be cancelled.
const never = 1000 * time.Hour

// Of what was tried the fastest stays, and what takes forever is not waited for.
func TestBeginsWhereSearchesAreFastest(t *testing.T) {
	const fast, slow = time.Millisecond, 5 * time.Millisecond
	for _, tt := range []struct {
		host, device time.Duration
		vertices     int
		want         start
	}{
		{never, fast, 100, onDevice},
		{fast, slow, 100, hostAlone},
		{fast, slow, 0, hostAlone},
	} {
		synctest.Test(t, func(t *testing.T) { // by a clock that no other program delays
			host := &pretender{steps: allSteps[:3], alone: tt.host}
			x, err := New(t.Context(), host, device{&pretender{steps: allSteps[3:], alone: tt.device, tree: tt.vertices}}, Options{Model: truth()})
			if err != nil {
				t.Fatal(err)
			}
			if x.leads != (tt.want == onDevice) || host.asked == (tt.want == hostAlone) {
				t.Errorf("%+v: the device leads: %v, the host asks: %v", tt, x.leads, host.asked)
			}
			if trials := x.Trials(); tt.vertices > 0 && (len(trials) != 3 || trials[0].Start != tt.want.String() || trials[0].Time != fast) {
				t.Errorf("%+v: trials %v", tt, trials)
			}
		})
	}
}

// Searches are tried from roots that reach the most.
func TestDrawsRootsThatReachMuch(t *testing.T) {
	x, err := New(t.Context(), &pretender{steps: allSteps[:3]}, device{&pretender{steps: allSteps[3:], tree: 1000}}, Options{Model: truth()})
	if err != nil {
		t.Fatal(err)
	}
	if x.own, err = x.NewTree(); err != nil {
		t.Fatal(err)
	}
	x.begin(onDevice)
	roots, err := x.draw(t.Context(), time.Now().Add(time.Hour))
	if err != nil || len(roots) != timedRoots || roots[0] < roots[1] || roots[0]%2+roots[1]%2 != 0 {
		t.Errorf("roots %v, error %v", roots, err)
	}
}

// A cancelled context ends a try-out, and that is no verdict.
func TestTryOutIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := New(ctx, &pretender{steps: allSteps[:3], alone: never}, device{&pretender{steps: allSteps[3:], alone: never, tree: 9}}, Options{Model: truth()})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// The least counts, what was lost does not, and to share a search must pay.
func TestChoosesTheLeast(t *testing.T) {
	for _, tt := range []struct {
		starts []*candidate
		want   start
		time   time.Duration
	}{
		{[]*candidate{{start: onDevice, median: 400}, {start: hostAlone, median: 300, timeouts: 1}, {start: onHost, median: 400}}, hostAlone, 300},
		{[]*candidate{{start: onDevice, median: 300}, {start: hostAlone, median: 600}, {start: onHost, median: 299}}, onDevice, 300},
		{[]*candidate{{start: onDevice, median: 300}, {start: hostAlone, median: 600}, {start: onHost, median: 209}}, onHost, 209},
		{[]*candidate{{start: onDevice, median: 300}, {start: hostAlone, timeouts: 2}}, onDevice, 300},
	} {
		host := &pretender{steps: allSteps[:3]}
		x := &Searcher{machine: newMachine(host, device{&pretender{steps: allSteps[3:]}}), chooser: anyChooser(), starts: tt.starts}
		x.choose()
		best := x.Trials()[0]
		if best.Start != tt.want.String() || best.Time != tt.time || x.leads != (tt.want == onDevice) || host.asked != (tt.want != hostAlone) {
			t.Errorf("%+v: the device leads: %v, the host asks: %v; want %v", best, x.leads, host.asked, tt.want)
		}
	}
}

// What was chosen is left when it becomes slower than others were, and not because of
// one search, or of some that end at once.
func TestLeavesWhatBecomesSlow(t *testing.T) {
	host, other := &candidate{start: hostAlone, median: 100}, &candidate{start: onDevice, median: 200}
	x := &Searcher{
		machine: newMachine(&pretender{steps: allSteps[:3]}, device{&pretender{steps: allSteps[3:]}}),
		chooser: anyChooser(), starts: []*candidate{host, other, {start: onHost, timeouts: 2}}, minFound: 50,
	}
	x.choose()
	found := func(n int64) hops.Trace { return hops.Trace{Levels: []hops.Level{{Found: n}}} }
	for i, tt := range []struct {
		found int64
		took  time.Duration
		want  *candidate
	}{
		{90, 300, host},
		{90, 300, host},
		{90, 150, host}, // as it should be
		{90, 300, host},
		{90, 300, host},
		{3, 300, host}, // too little to count
		{90, 300, other},
		{90, 250, other}, // still better than 300
		{90, 310, other},
		{90, 310, other},
		{90, 310, host},
	} {
		if x.observe(found(tt.found), tt.took); x.starts[0] != tt.want {
			t.Fatalf("search %d: searches begin with the %v", i, x.starts[0].start)
		}
	}
}

func anyChooser() *chooser { c, _ := choosing(); return c }

// One search that something else has delayed does not count.
func TestMedian(t *testing.T) {
	if got := median([]time.Duration{30, 1000, 20}); got != 30 {
		t.Errorf("%d", got)
	}
}
