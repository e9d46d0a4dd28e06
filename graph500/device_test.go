package graph500

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
)

// gadget is a device with room for some trees. It logs what it is asked.
type gadget struct {
	*serial
	src      hops.Source
	room     int
	slots    []*hops.Tree
	log      strings.Builder // s: search, v: verification, c: search with a copy
	spoil    func(searches int, t *hops.Tree)
	trusting bool // verifies nothing
	metered  bool // its meter can be read
	joules   float64
}

var _ OnDevice = (*gadget)(nil)

func (g *gadget) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	g.log.WriteString("c")
	trace, err := g.serial.Search(ctx, root, t)
	trace.Clock = hops.Device
	return trace, err
}

func (g *gadget) Slots(want int) (int, error) {
	for len(g.slots) < min(want, g.room) {
		g.slots = append(g.slots, hops.NewTree(g.src.NumVertices()))
	}
	return len(g.slots), nil
}

func (g *gadget) SearchOnDevice(ctx context.Context, root hops.Vertex) (hops.Trace, error) {
	g.log.WriteString("s")
	g.joules += 3
	g.slots[0].Reset()
	trace, err := g.serial.Search(ctx, root, g.slots[0])
	trace.Clock = hops.Device
	if g.spoil != nil {
		g.spoil(g.searches, g.slots[0])
	}
	return trace, err
}

func (g *gadget) KeepTree(slot int) error {
	g.slots[slot].Root = g.slots[0].Root
	copy(g.slots[slot].Narrow, g.slots[0].Narrow)
	return nil
}

type invalid struct{ error }

func (invalid) InvalidTree() {}

func (g *gadget) VerifyOnDevice(ctx context.Context, slot int) (levels []int64, edges, loops int64, err error) {
	g.log.WriteString("v")
	if g.trusting {
		return []int64{1, 1}, 1, 0, nil
	}
	c := check.New(g.src, 1)
	defer c.Close()
	found, err := c.Tree(ctx, g.slots[slot])
	if err != nil {
		err = invalid{err}
	}
	return found.Levels, found.Edges, found.Loops, err
}

func (g *gadget) JoinedOnDevice(ctx context.Context, candidates []hops.Vertex) ([]bool, error) {
	return check.Joined(ctx, g.src, 1, candidates)
}

func (g *gadget) CopyTree(slot int, t *hops.Tree) error {
	t.Root = g.slots[slot].Root
	copy(t.Narrow, g.slots[slot].Narrow)
	return nil
}

func (g *gadget) MeterName() string { return "test meter" }
func (g *gadget) Joules() (float64, error) {
	if !g.metered {
		return 0, errors.New("no counter here")
	}
	return g.joules, nil
}

func gadgetEngine(g *gadget) Engine {
	e := serialEngine(nil)
	build := e.Build
	e.Generates, e.TreeOnDevice = true, true
	e.Build = func(ctx context.Context, src hops.Source) (Searcher, error) {
		s, err := build(ctx, src)
		if err != nil {
			return nil, err
		}
		g.serial, g.src, g.slots = s.(*serial), src, []*hops.Tree{hops.NewTree(src.NumVertices())}
		return g, nil
	}
	return e
}

// Trees on a device have the same facts as trees of the host, in batches of any size.
func TestTreesOnADevice(t *testing.T) {
	host, err := Run(t.Context(), Config{Scale: 10}, serialEngine(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range []int{1, 3, 64, 100} {
		g := &gadget{room: room, metered: room == 3}
		res, err := Run(t.Context(), Config{Scale: 10}, gadgetEngine(g), nil)
		if err != nil {
			t.Fatal(err)
		}
		if res.Tree != "device" || !res.Submittable || res.Memory.KeepTuples || res.Summary.Device == nil {
			t.Errorf("room %d: tree in %q, reasons %q, tuples kept: %v", room, res.Tree, res.Reasons, res.Memory.KeepTuples)
		}
		onHost := 0
		for i, s := range res.Searches {
			want := host.Searches[i]
			if s.Root != want.Root || s.Edges != want.Edges || s.Loops != want.Loops || s.Vertices != want.Vertices ||
				!slices.Equal(s.Depths, want.Depths) || s.Validate <= 0 || s.Time <= 0 {
				t.Errorf("room %d, search %d: %+v, want %+v", room, i, s, want)
			}
			if s.HostValidated {
				onHost++
			}
		}
		if !res.Searches[0].HostValidated || onHost > 2 {
			t.Errorf("room %d: %d trees validated by the host, the first: %v", room, onHost, res.Searches[0].HostValidated)
		}
		if c := res.Copied; c == nil || c.Searches != 8 || c.TEPS.HarmonicMean <= 0 {
			t.Errorf("room %d: copies %+v", room, c)
		}
		if e := res.Energy; g.metered && (e == nil || e.PerSearch() != 3) {
			t.Errorf("room %d: energy %+v, want 3 J a search that leaves its tree on the device", room, e)
		}
		batch := strings.Repeat("ss", min(room, 64)) + strings.Repeat("v", min(room, 64)) // each after an untimed one
		if log := g.log.String(); !strings.HasPrefix(log, "sv"+batch) {
			t.Errorf("room %d: order %.200s", room, log)
		}
	}
}

// Broken trees have no score, whoever finds them.
func TestBrokenTreesOnADevice(t *testing.T) {
	after := func(first int) func(int, *hops.Tree) {
		return func(searches int, t *hops.Tree) {
			if searches >= first {
				t.SetParent(leaf(t), hops.NoVertex)
			}
		}
	}
	for name, g := range map[string]*gadget{
		"found by the device": {room: 8, spoil: after(9)},
		"found by the host":   {room: 8, spoil: after(2), trusting: true},
	} {
		res, err := Run(t.Context(), Config{Scale: 8, Roots: 16}, gadgetEngine(g), nil)
		if !errors.Is(err, ErrInvalid) || res.Summary != nil || res.Submittable || res.Invalid == "" {
			t.Errorf("%s: error %v, summary %v", name, err, res.Summary)
		}
	}
	_, err := Run(t.Context(), Config{Scale: 8, Roots: 4}, gadgetEngine(&gadget{room: 8, trusting: true}), nil)
	if err == nil || !strings.Contains(err.Error(), "the device counts 1 edges") {
		t.Errorf("a device that counts otherwise than the host: %v", err)
	}
}

// The host can validate all trees, from a list that it keeps.
func TestHostValidatesTreesOfADevice(t *testing.T) {
	g := &gadget{room: 5}
	res, err := Run(t.Context(), Config{Scale: 8, Roots: 12, HostValidation: true}, gadgetEngine(g), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range res.Searches {
		if !s.HostValidated || s.Edges == 0 {
			t.Errorf("search %d: %+v", i, s)
		}
	}
	if n := strings.Count(g.log.String(), "v"); n != 1 || !res.Memory.KeepTuples { // the warm-up
		t.Errorf("%d trees verified by the device, tuples kept: %v", n, res.Memory.KeepTuples)
	}
	off, err := Run(t.Context(), Config{Scale: 8, Roots: 12, SkipValidation: true}, gadgetEngine(&gadget{room: 5}), nil)
	if err != nil || off.Searches[3].Edges != res.Searches[3].Edges || off.Searches[0].HostValidated || off.Summary.Validate != nil {
		t.Errorf("without validation: %v, %+v", err, off.Searches)
	}
}

func TestAnEngineWithoutADeviceKeepsNoTreeThere(t *testing.T) {
	e := serialEngine(nil)
	e.TreeOnDevice = true
	if _, err := Run(t.Context(), Config{Scale: 6}, e, nil); err == nil || !strings.Contains(err.Error(), "leaves no tree on a device") {
		t.Errorf("error %v", err)
	}
}

// A rankGadget is one rank's side of gadgets that work together: each has whole trees, and its
// own part of them on the host.
type rankGadget struct {
	*gadget
	first, count hops.Vertex
}

func (g *rankGadget) NewTree() (*hops.Tree, error) {
	return hops.NewTreePart(g.src.NumVertices(), g.first, g.count), nil
}

func (g *rankGadget) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	trace, err := g.SearchOnDevice(ctx, root)
	return trace, errors.Join(err, g.CopyTree(0, t))
}

func (g *rankGadget) CopyTree(slot int, t *hops.Tree) error {
	t.Root = g.slots[slot].Root
	copy(t.Narrow, g.slots[slot].Narrow[g.first:][:g.count])
	return nil
}

func runGadgets(t *testing.T, cfg Config, n int, make func(r int) *gadget) ([]*Result, []error) {
	return runRanks(t, cfg, n, func(r int, e *Engine, _ *Record) {
		ranks, g := e.Ranks, make(r)
		*e = gadgetEngine(g)
		e.Ranks, e.Threads = ranks, 1
		build := e.Build
		e.Build = func(ctx context.Context, src hops.Source) (Searcher, error) {
			if _, err := build(ctx, src); err != nil {
				return nil, err
			}
			each := (src.NumVertices()/hops.Vertex(n) + 63) / 64 * 64
			first := min(hops.Vertex(r)*each, src.NumVertices())
			return &rankGadget{g, first, min(each, src.NumVertices()-first)}, nil
		}
	})
}

// Ranks that leave trees on devices find what one process does, and agree on the trees that
// their hosts validate too.
func TestTreesOnDevicesOfRanks(t *testing.T) {
	cfg := Config{Scale: 8, Roots: 12}
	want, err := Run(t.Context(), cfg, serialEngine(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	results, errs := runGadgets(t, cfg, 3, func(int) *gadget { return &gadget{room: 5} })
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for r, got := range results {
		for i, s := range got.Searches {
			if w := want.Searches[i]; s.Root != w.Root || s.Edges != w.Edges || !slices.Equal(s.Depths, w.Depths) || s.HostValidated != results[0].Searches[i].HostValidated {
				t.Errorf("rank %d, search %d: %+v, want %+v", r, i, s, w)
			}
		}
		if got.Tree != "device" || !got.Searches[0].HostValidated || got.Copied == nil {
			t.Errorf("rank %d: tree in %q, the first validated by the host: %v, copies %v", r, got.Tree, got.Searches[0].HostValidated, got.Copied)
		}
	}
	_, errs = runGadgets(t, cfg, 3, func(int) *gadget {
		return &gadget{room: 5, trusting: true, spoil: func(searches int, t *hops.Tree) {
			if searches > 1 {
				t.SetParent(leaf(t), hops.NoVertex)
			}
		}}
	})
	if !errors.Is(errors.Join(errs...), ErrInvalid) {
		t.Errorf("trees that devices took for right: %v", errs)
	}
}
