package gpu

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/turn"
)

// Many searches a graph on one device from many roots: up to hops.MaxRoots share a
// search, level by level, and read every row together. The host chooses for each level
// which roots go top-down and which bottom-up. It runs one search at a time.
type Many struct {
	dev   device
	graph *graph
	mem   *memory
	words manyWords
	width uint64 // a root goes bottom-up when its front has one in so many of all entries

	roots  buffer
	digits []buffer // of the levels, as hops.Depths.Bits; made when a search needs them
	counts tally    // of the last level
	limit  int      // of hops from the roots; 0 is none
	ended  bool     // the last search ran to its end: front and next are zero
	levels []hops.Level
	sums   []hops.DepthSum
	turn   turn.Turn // of a search, or of Close
}

// A tally is what the kernels count of a level; the words are in many.cu.
type tally struct {
	Found, Edges       [hops.MaxRoots]uint64 // for each root: vertices, and entries of their rows
	Vertices, Examined uint64
	Pieces             [2]uint64 // of long rows, top-down and bottom-up
}

const (
	tallySize   = 8 * (2*hops.MaxRoots + 4)
	manyLongRow = 512 // MANY_LONG in many.cu

	// After a front of manyLarge vertices, the entries of one in 2^manyScaled words are
	// counted: the sums of all would take longer than a level that finds all vertices.
	manyLarge  = 1 << 16
	manyScaled = 3

	// The default width is the fastest of 4, 12, 40 and 120 at scale 22 on an H200.
	defaultWidth = 40
)

// NewMany makes the rows of a source on the device that the options name. They may name
// nothing else.
func NewMany(ctx context.Context, src hops.Source, o Options) (*Many, error) {
	if o.Stepped != nil || o.Hot || o.Alpha != 0 || o.Beta != 0 || o.Dense != 0 || o.Blocks != 0 || o.Threads != 0 {
		return nil, errors.New("gpu: a search from many roots has no options but driver and device")
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	d, err := open(&o)
	if err != nil {
		return nil, err
	}
	m := &Many{dev: d, mem: newMemory(d), width: defaultWidth}
	if m.graph, err = build(ctx, d, src, &o); err == nil {
		err = m.alloc()
	}
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

func (m *Many) alloc() error {
	entries := max(m.graph.entries, m.graph.outRows().entries)
	w := &m.words
	for _, b := range []*buffer{&w.seen, &w.front, &w.next} {
		*b = m.mem.make("words of many roots", m.labels(), 8)
	}
	w.pieces = m.mem.make("pieces of rows", entries/manyLongRow+1, 8)
	w.tally = m.mem.make("tally", tallySize, 1)
	m.roots = m.mem.make("roots", hops.MaxRoots, 4)
	return m.mem.err
}

func (m *Many) labels() int64 { return int64(m.graph.words()) * 32 }

// Search searches from up to hops.MaxRoots roots at once and fills d, whose content
// after an error is undefined. In the trace, a vertex counts in every level in which a
// root reaches it.
func (m *Many) Search(ctx context.Context, roots []hops.Vertex, d *hops.Depths) (hops.Trace, error) {
	if err := m.turn.Begin("gpu"); err != nil {
		return hops.Trace{}, err
	}
	defer m.turn.End()
	if d.Len() != int(m.graph.n) {
		return hops.Trace{}, fmt.Errorf("gpu: there is room for the levels of %d of %d vertices", d.Len(), m.graph.n)
	}
	if err := m.search(ctx, roots, true); err != nil {
		return hops.Trace{}, err
	}
	return hops.Trace{Clock: hops.Wall, Levels: m.levels}, m.read(roots, d)
}

// Limit ends later searches after so many hops from the roots; 0 means no limit.
func (m *Many) Limit(hops int) { m.limit = hops }

// Sums searches from any number of roots, hops.MaxRoots at a time, and sums up the
// levels from each on the device: no level of a vertex is kept or copied.
func (m *Many) Sums(ctx context.Context, roots []hops.Vertex) ([]hops.DepthSum, error) {
	if err := m.turn.Begin("gpu"); err != nil {
		return nil, err
	}
	defer m.turn.End()
	all := make([]hops.DepthSum, 0, len(roots))
	for batch := range slices.Chunk(roots, hops.MaxRoots) {
		if err := m.search(ctx, batch, false); err != nil {
			return nil, err
		}
		all = append(all, m.sums...)
	}
	return all, nil
}

// search runs all levels. mark says that the levels of the vertices are wanted.
func (m *Many) search(ctx context.Context, roots []hops.Vertex, mark bool) error {
	defer m.dev.until(ctx)()
	if err := m.seed(roots); err != nil {
		return err
	}
	m.levels = m.levels[:0]
	for depth := 1; ; depth++ {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("gpu: level %d: %w", depth-1, err)
		}
		began, frontier := time.Now(), m.counts.Vertices
		up, down := m.choose(depth)
		if up|down == 0 || m.limit > 0 && depth > m.limit {
			m.ended = up|down == 0
			return nil
		}
		if err := m.level(up, down); err != nil {
			return err
		}
		if mark && m.counts.Vertices > 0 {
			if err := m.mark(depth); err != nil {
				return err
			}
		}
		m.add(depth)
		m.levels = append(m.levels, hops.Level{
			Step: manyStep(up, down), Frontier: int64(frontier), Found: int64(m.counts.Vertices),
			Examined: int64(m.counts.Examined), Time: time.Since(began),
		})
	}
}

func manyStep(up, down uint64) string {
	switch {
	case up == 0:
		return "top-down"
	case down == 0:
		return "bottom-up"
	}
	return "split"
}

// seed checks the roots and lets them reach themselves.
func (m *Many) seed(roots []hops.Vertex) error {
	if len(roots) == 0 || len(roots) > hops.MaxRoots {
		return fmt.Errorf("gpu: %d roots: from 1 to %d can share a search", len(roots), hops.MaxRoots)
	}
	numbers := make([]uint32, len(roots))
	m.counts, m.sums = tally{}, m.sums[:0]
	for i, root := range roots {
		if err := checkRoot(m.graph.n, root); err != nil {
			return err
		}
		numbers[i], m.counts.Found[i] = uint32(root), 1
		m.sums = append(m.sums, hops.DepthSum{Reached: 1})
	}
	slices.Sort(numbers)
	m.counts.Vertices = uint64(len(slices.Compact(numbers)))
	for i, root := range roots {
		numbers = append(numbers[:i], uint32(root))
	}
	w := m.words
	err := errors.Join(m.dev.zero(w.seen, 8*m.labels()), m.dev.write(m.roots, 0, bytesOf(numbers)))
	if !m.ended {
		err = errors.Join(err, m.dev.zero(w.front, 8*m.labels()), m.dev.zero(w.next, 8*m.labels()))
	}
	if err != nil {
		return err
	}
	m.ended = false
	return m.graph.manySeed(m.roots, len(roots), w)
}

// choose returns the roots that go bottom-up, those whose front has a large part of all
// entries, and those that go top-down. Roots whose front is empty do neither. The level
// from the roots themselves goes top-down.
func (m *Many) choose(depth int) (up, down uint64) {
	entries := uint64(m.graph.outRows().entries)
	for i, found := range m.counts.Found {
		switch {
		case found == 0:
		case depth > 1 && m.counts.Edges[i]*m.width > entries:
			up |= 1 << i
		default:
			down |= 1 << i
		}
	}
	return up, down
}

// level runs one level and counts what it finds.
func (m *Many) level(up, down uint64) error {
	w, in, out := m.words, m.graph, m.graph.outRows()
	if err := m.dev.zero(w.tally, tallySize); err != nil {
		return err
	}
	if down != 0 {
		if err := out.manyDown(down, w); err != nil {
			return err
		}
		if err := out.manyDownPieces(down, w); err != nil {
			return err
		}
	}
	if up != 0 {
		if err := in.manyUp(up, w); err != nil {
			return err
		}
		if err := in.manyUpPieces(up, w); err != nil {
			return err
		}
	}
	scale := 0
	if m.counts.Vertices >= manyLarge {
		scale = manyScaled
	}
	if err := out.manyCommit(w, scale); err != nil {
		return err
	}
	counts := []tally{{}}
	err := m.dev.read(bytesOf(counts), w.tally, 0)
	m.counts = counts[0]
	return err
}

// add sums up what a level has found.
func (m *Many) add(depth int) {
	for i := range m.sums {
		if found := int64(m.counts.Found[i]); found > 0 {
			m.sums[i].Reached += found
			m.sums[i].Hops += found * int64(depth)
			m.sums[i].Depth = depth
		}
	}
}

// mark writes the level of the front, digit by digit.
func (m *Many) mark(depth int) error {
	for k := 0; depth>>k != 0; k++ {
		if k == len(m.digits) {
			m.digits = append(m.digits, m.mem.make("levels of many roots", m.labels(), 8))
			if m.mem.err != nil {
				return m.mem.err
			}
		}
		if depth == 1<<k {
			if err := m.dev.zero(m.digits[k], 8*m.labels()); err != nil {
				return err
			}
		}
		if depth>>k&1 != 0 {
			if err := m.graph.manyMark(m.digits[k], m.words, m.labels()); err != nil {
				return err
			}
		}
	}
	return nil
}

// read copies the result of a search to the host.
func (m *Many) read(roots []hops.Vertex, d *hops.Depths) error {
	deepest := 0
	for _, s := range m.sums {
		deepest = max(deepest, s.Depth)
	}
	d.Roots = append(d.Roots[:0], roots...)
	d.Reserve(bits.Len(uint(deepest)))
	if err := m.dev.read(bytesOf(d.Reached), m.words.seen, 0); err != nil {
		return err
	}
	for k, words := range d.Bits {
		if err := m.dev.read(bytesOf(words), m.digits[k], 0); err != nil {
			return err
		}
	}
	return nil
}

// DeviceName describes the device.
func (m *Many) DeviceName() string { return m.dev.Name() }

// Close waits for a search that is going on and gives the device back.
func (m *Many) Close() error { return m.turn.Close(m.release) }

func (m *Many) release() error {
	errs := []error{m.mem.close()}
	if m.graph != nil {
		errs = append(errs, m.graph.mem.close())
	}
	return errors.Join(append(errs, m.dev.Close())...)
}
