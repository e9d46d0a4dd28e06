// Package adaptive searches with the host and one device together, each level on
// the one that is faster for it (Zhang et al., J. Supercomputing 2018).
//
// Both hold the graph, and the search moves between them as package handover
// describes. Before every level a policy chooses among the steps of both. Five of the
// steps are the paper's, by the names in front:
//
//	TC  top-down         on the host    TG   top-down@gpu
//	BC  bottom-up        on the host    BG   bottom-up@gpu
//	    split            on the host    BGC  bottom-up-hot@gpu, hubs in local memory
//	    levels           on the host         levels@gpu
//
// The last two run many levels at once. On the host, levels asks no policy while the
// levels are small; levels@gpu, for devices whose blocks can wait for each other, needs
// one launch for what would be a dozen. A plan may use the paper's names, and SC, C and G
// for the three steps that the paper does not have. BT is bottom-up-together, which only
// the policy of that name and plans use: see together.go.
//
// The engine imports no other engine: it composes the machines it is given.
package adaptive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/internal/base/turn"
	"github.com/gohops/hops/level"
)

// Options of the engine. The zero value is good.
type Options struct {
	// Policy chooses steps: "" is the model; Zhang, Daga and Yasui are below. Without a model
	// the device runs all levels if it needs no host in between, and none otherwise.
	Policy string
	// Plan names the steps of all levels and replaces the policy.
	Plan level.Plan
	// Interval is the number of levels between two choices; 0 is 1.
	Interval int
	// Model has the costs of the steps on this machine; nil if they are not known.
	Model *learn.DeviceModel
	// Speeds is the paper's own model of this machine, for the policy Zhang.
	Speeds *learn.Speeds
	// HostShare is the percentage of the vertices that the host looks for in the levels
	// of the policy Together; 0 is 25.
	HostShare int
	// Start is where searches begin, OnHost or OnDevice; "" is the fastest on the
	// graph at hand, which New finds by trials.
	Start string
}

// Where searches can be made to begin.
const (
	OnHost   = "host"
	OnDevice = "device"
)

// The policies that do not use Model, for comparison.
const (
	// Zhang et al. (2018): the least time by one speed per step and α. It needs Speeds.
	Zhang = "zhang"
	// Daga et al. (2014): fixed thresholds, top-down on the host and bottom-up on
	// the device.
	Daga = "daga"
	// Yasui et al. (2015): the host alone. That isolated vertices are left out
	// and rows ordered by degree, which they do by giving vertices other numbers,
	// is true of all engines here.
	Yasui = "yasui"
	// Together: as Daga, but bottom-up levels are divided between host and device, which
	// search at the same time. Zhang et al. leave it out because it did not gain them
	// anything. Host and device must have memories of their own.
	Together = "together"
)

// A Searcher runs one search at a time.
type Searcher struct {
	machine *machine
	policy  level.Policy
	shared  level.Policy           // the policy where host and device share searches
	chooser *chooser               // nil where no model chooses
	ask     func(level.Front) bool // tells whether the policy should look at a front of the host
	leads   bool                   // the device runs the first levels alone
	options Options
	levels  []hops.Level
	own     *hops.Tree // for trials and explorations

	starts   []*candidate  // the chosen one first; nil where no trial was made
	minFound int64         // a search that finds fewer vertices is not compared with the trials
	limit    time.Duration // a search that takes longer is slow
	slow     int           // the number of slow searches in a row

	turn  turn.Turn // of a search, or of Close
	close []func() error
}

// New composes a host and a device that hold the same graph. Where a model is to
// choose it searches the graph a few times, to see where searches should begin. Closing
// the searcher calls the functions given, in this order.
func New(ctx context.Context, host Host, device Device, o Options, closers ...func() error) (*Searcher, error) {
	m := newMachine(host, device)
	if o.Policy == Together || slices.ContainsFunc(o.Plan, func(name string) bool { return name == together.Name || name == paperTogether }) {
		if err := m.divide(o.HostShare); err != nil {
			return nil, err
		}
	}
	p, w, err := o.policy(m)
	if err != nil {
		return nil, err
	}
	s := &Searcher{machine: m, shared: p, chooser: byModel(p), options: o, close: closers}
	if w != toBeTried {
		s.begin(w)
	} else if err := s.tryOut(ctx); err != nil {
		return nil, fmt.Errorf("adaptive: %w", err)
	}
	return s, nil
}

// Search is kernel 2: it fills t, which must be empty and of the right size.
func (s *Searcher) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (trace hops.Trace, err error) {
	if err := s.turn.Begin("adaptive"); err != nil {
		return hops.Trace{}, err
	}
	defer s.turn.End()
	began := time.Now()
	switch m := s.machine; {
	case s.ask == nil && !m.sharing:
		trace, err = m.host.Solo(ctx, root, t)
	case s.leads && !m.host.Isolated(root):
		trace, err = s.solo(ctx, root, t)
	default:
		trace, err = s.search(ctx, root, t)
	}
	if err != nil {
		return hops.Trace{}, fmt.Errorf("adaptive: %w", err)
	}
	if s.starts != nil {
		s.observe(trace, time.Since(began))
	}
	return trace, nil
}

// search asks the policy from the root on.
func (s *Searcher) search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	trace := hops.Trace{Levels: s.levels[:0]}
	err := s.machine.bind(t)
	if err == nil {
		err = level.Search(ctx, s.machine, s.policy, root, &trace)
	}
	if err == nil {
		t.Root = root
		err = s.machine.finish(&trace)
	}
	s.levels = trace.Levels
	return trace, err
}

// solo lets the device search alone, and asks the policy where it does not end.
func (s *Searcher) solo(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	if s.chooser != nil {
		s.chooser.Begin()
	}
	levels, f, err := s.machine.device.Solo(ctx, root, t)
	if err != nil || f.Vertices == 0 {
		return hops.Trace{Levels: levels}, err
	}
	trace := hops.Trace{Levels: append(s.levels[:0], levels...)}
	f.Depth = int32(len(levels))
	if err = s.machine.resume(t, trace.Levels); err == nil {
		_, err = level.Continue(ctx, s.machine, s.policy, f, func(level.Front) bool { return false }, &trace)
	}
	if err == nil {
		err = s.machine.finish(&trace)
	}
	s.levels = trace.Levels
	return trace, err
}

// NewTree returns an empty tree in memory that suits the device.
func (s *Searcher) NewTree() (*hops.Tree, error) {
	if t := s.own; t != nil { // the tree of the trials
		s.own = nil
		t.Reset()
		return t, nil
	}
	return s.machine.device.NewTree()
}

// ReusesTrees tells that searches overwrite what a tree holds of the vertices that
// they reach.
func (s *Searcher) ReusesTrees() bool { return true }

// Close releases what New was told to.
func (s *Searcher) Close() error {
	return s.turn.Close(func() error {
		var errs []error
		for _, f := range s.close {
			errs = append(errs, f())
		}
		return errors.Join(errs...)
	})
}

// A meter reads the energy counter of a device.
type meter interface {
	Joules() (float64, error)
	MeterName() string
}

// Joules is what the device has used. The host's processors are metered by whoever asks.
func (s *Searcher) Joules() (float64, error) {
	if device, ok := s.machine.device.(meter); ok {
		return device.Joules()
	}
	return 0, errors.New("adaptive: the device has no meter")
}

// MeterName says what Joules counts.
func (s *Searcher) MeterName() string {
	if device, ok := s.machine.device.(meter); ok {
		return device.MeterName()
	}
	return ""
}
