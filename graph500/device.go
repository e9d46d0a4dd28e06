package graph500

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
)

// deviceTrees keeps the trees in slots of the device, as many searches in a row as there
// are slots, and validates the trees after that: a validation between two searches would
// leave the device with other caches and clocks. The device validates all trees. The
// host validates two of them too, meanwhile, or all if the configuration says so.
type deviceTrees struct {
	*bench
	graph  Searcher
	device OnDevice
	rules  rules
	tree   *hops.Paths // of the host; nil before the first copy
	also   int         // number of the tree at random that the host validates beside the first
}

func (b *bench) deviceTrees(graph Searcher, edges hops.Source) (trees, error) {
	d := &deviceTrees{bench: b, graph: graph}
	if paths, ok := graph.(PathsOnDevice); ok && b.kernel.name == KernelSSSP {
		d.device = paths.PathsOnDevice()
	} else if device, ok := graph.(OnDevice); ok && b.kernel.name == KernelBFS {
		d.device = device
	} else {
		return nil, fmt.Errorf("graph500: engine %s leaves no tree on a device", b.engine.Name)
	}
	d.rules = b.rules(edges)
	b.res.Tree = "device"
	return d, nil
}

// newResult returns an empty result of the kernel in the memory of the host.
func (d *deviceTrees) newResult() (*hops.Paths, error) {
	if d.kernel.name == KernelSSSP {
		return NewPaths(d.graph, d.cfg.Vertices())
	}
	tree, err := NewTree(d.graph, d.cfg.Vertices())
	if err != nil {
		return nil, err
	}
	return &hops.Paths{Tree: *tree}, nil
}

// judgeCopy completes a search by what the copy of its result shows.
func (d *deviceTrees) judgeCopy(ctx context.Context, p *hops.Paths, s *Search) error {
	if d.kernel.name == KernelSSSP {
		return d.judgeBy(ctx, d.rules, &p.Tree, func() (check.Result, error) { return d.rules.Paths(ctx, p) }, s)
	}
	return d.judge(ctx, d.rules, &p.Tree, s)
}

func (d *deviceTrees) joined(ctx context.Context, candidates []hops.Vertex) ([]bool, error) {
	return d.device.JoinedOnDevice(ctx, candidates)
}

func (d *deviceTrees) warmUp(ctx context.Context, root hops.Vertex) error {
	if err := d.repeat(ctx, root); err != nil {
		return err
	}
	return d.verify(ctx, 0, &Search{Root: root})
}

func (d *deviceTrees) search(ctx context.Context, roots []hops.Vertex, done int, finished func(Search) error) error {
	slots, err := d.device.Slots(len(roots) - done)
	if err != nil {
		return err
	}
	if err := d.drawAlso(done, len(roots)); err != nil {
		return err
	}
	for first := done; first < len(roots); first += slots {
		batch := roots[first:min(first+slots, len(roots))]
		searches, err := d.batch(ctx, batch)
		if err == nil {
			err = d.judgeAll(ctx, searches, first, done)
		}
		if err != nil {
			return fmt.Errorf("searches %d to %d of %d: %w", first+1, first+len(batch), len(roots), err)
		}
		for _, s := range searches {
			if err := finished(s); err != nil {
				return err
			}
		}
	}
	if done == len(roots) || d.kernel.name != KernelBFS {
		return nil
	}
	return d.timeCopies(ctx)
}

// drawAlso draws the number of the tree that the host validates beside the first, the same on
// all ranks.
func (d *deviceTrees) drawAlso(done, roots int) error {
	number := []uint64{uint64(rand.IntN(max(1, roots-done)))}
	err := d.comm.Max(number)
	d.also = done + int(number[0])
	return err
}

// slotOf is the slot of a tree in a batch of so many. The last tree stays where searches
// leave it.
func slotOf(number, of int) int { return (number + 1) % of }

// batch times searches and keeps each tree in its slot. Keeping a tree fills the caches
// of the device with it. An untimed search before each timed one, from the root before,
// leaves them as searches in a row do.
func (d *deviceTrees) batch(ctx context.Context, roots []hops.Vertex) ([]Search, error) {
	d.obs.Begin(Searches, int64(len(roots)), "searches")
	searches := make([]Search, len(roots))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer quiet()()
	for i, root := range roots {
		if !d.cfg.SkipWarmUp {
			if err := d.repeat(ctx, roots[(i+len(roots)-1)%len(roots)]); err != nil {
				return nil, err
			}
		}
		s, err := measure(root, d.stopwatch, func() (hops.Trace, error) { return d.device.SearchOnDevice(ctx, root) })
		if err == nil {
			err = d.device.KeepTree(slotOf(i, len(roots)))
		}
		if err != nil {
			return nil, fmt.Errorf("root %d: %w", root, err)
		}
		s.Kernel = d.kernel.name
		searches[i] = s
	}
	d.obs.Advance(int64(len(roots)))
	return searches, nil
}

// judgeAll completes the searches of a batch, the first of which has the given number.
func (d *deviceTrees) judgeAll(ctx context.Context, searches []Search, first, done int) error {
	d.obs.Begin(Validation, int64(len(searches)), "trees")
	if d.cfg.HostValidation && !d.cfg.SkipValidation {
		return d.judgeOnHost(ctx, searches)
	}
	beside, err := d.beside(ctx, searches, first, done)
	if err != nil {
		return err
	}
	if d.comm.Size() > 1 { // ranks do one thing at a time together
		beside <- <-beside
	}
	for i := range searches {
		if err = d.verify(ctx, slotOf(i, len(searches)), &searches[i]); err != nil {
			break
		}
		d.obs.Advance(int64(i) + 1)
	}
	found := <-beside
	d.tree = found.tree
	if err = errors.Join(err, found.err); err != nil {
		return err
	}
	for i, result := range found.results {
		s := &searches[i]
		if result.Edges != s.Edges || result.Loops != s.Loops || !slices.Equal(result.Levels, s.Depths) {
			return fmt.Errorf("graph500: root %d: the device counts %d edges, %d loops and levels %v, the host %d, %d and %v",
				s.Root, s.Edges, s.Loops, s.Depths, result.Edges, result.Loops, result.Levels)
		}
		s.HostValidated = true
	}
	return nil
}

// judgeOnHost copies one tree after the other to the host and validates it there.
func (d *deviceTrees) judgeOnHost(ctx context.Context, searches []Search) error {
	for i := range searches {
		err := d.copy(slotOf(i, len(searches)))
		if err == nil {
			err = d.judgeCopy(ctx, d.tree, &searches[i])
		}
		if err != nil {
			return err
		}
		searches[i].HostValidated = true
		d.obs.Advance(int64(i) + 1)
	}
	return nil
}

// verify lets the device validate the tree of a slot and completes its search. Without
// validation it still counts the edges.
func (d *deviceTrees) verify(ctx context.Context, slot int, s *Search) (err error) {
	start := time.Now()
	s.Depths, s.Edges, s.Loops, err = d.device.VerifyOnDevice(ctx, slot)
	if broken := (interface{ InvalidTree() })(nil); errors.As(err, &broken) {
		err = fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if !d.cfg.SkipValidation {
		s.Validate = time.Since(start)
	}
	s.Vertices = 0
	for _, n := range s.Depths {
		s.Vertices += n
	}
	return err
}

// secondOpinion is what the host finds of some trees of a batch, by their numbers in it.
type secondOpinion struct {
	results map[int]check.Result
	tree    *hops.Paths // one that is free again; nil: none was copied
	err     error
}

// beside copies the trees of a batch that the host validates too, and starts to
// validate them there.
func (d *deviceTrees) beside(ctx context.Context, searches []Search, first, done int) (chan secondOpinion, error) {
	answer := make(chan secondOpinion, 1)
	copies := map[int]*hops.Paths{}
	for _, number := range []int{done, d.also} {
		i := number - first
		if d.cfg.SkipValidation || i < 0 || i >= len(searches) || copies[i] != nil {
			continue
		}
		if err := d.copy(slotOf(i, len(searches))); err != nil {
			return nil, err
		}
		copies[i], d.tree = d.tree, nil
	}
	go func() {
		found := secondOpinion{results: map[int]check.Result{}}
		for _, i := range slices.Sorted(maps.Keys(copies)) { // ranks do so in one order
			tree := copies[i]
			s := Search{Root: searches[i].Root}
			found.err = errors.Join(found.err, d.judgeCopy(ctx, tree, &s))
			found.results[i] = check.Result{Vertices: s.Vertices, Edges: s.Edges, Loops: s.Loops, Levels: s.Depths}
			found.tree = tree
		}
		answer <- found
	}()
	return answer, nil
}

// copy copies the tree of a slot to the tree of the host.
func (d *deviceTrees) copy(slot int) (err error) {
	if d.tree == nil {
		if d.tree, err = d.newResult(); err != nil {
			return err
		}
	}
	if paths, ok := d.device.(DevicePaths); ok {
		return paths.CopyPaths(slot, d.tree)
	}
	return d.device.CopyTree(slot, &d.tree.Tree)
}

// copiesTimed is how many searches are repeated with the copy within the clock.
const copiesTimed = 8

// timeCopies repeats the first searches with the tree in the memory of the host, for a
// figure beside the score.
func (d *deviceTrees) timeCopies(ctx context.Context) error {
	if err := d.copy(0); err != nil {
		return err
	}
	var again []Search
	for _, first := range d.res.Searches[:min(copiesTimed, len(d.res.Searches))] {
		s, err := treeOf(d.graph, &d.tree.Tree).timed(ctx, first.Root, d.stopwatch)
		if err != nil {
			return fmt.Errorf("search with a copy of the tree: %w", err)
		}
		s.Edges = first.Edges
		again = append(again, s)
	}
	sum, err := Summarize(again, false)
	if err == nil {
		d.res.Copied = &Copied{Searches: len(again), Time: sum.Time, TEPS: sum.TEPS}
	}
	return err
}

func (d *deviceTrees) clear(bool) {}

func (d *deviceTrees) repeat(ctx context.Context, root hops.Vertex) error {
	_, err := d.device.SearchOnDevice(ctx, root)
	return err
}

func (d *deviceTrees) close() { d.rules.Close() }
