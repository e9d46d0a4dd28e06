package graph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"unsafe"

	"github.com/gohops/hops/internal/base/par"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
)

// A guard stands between a file and its readers until all of it has been found
// in order.
type guard struct {
	name    string
	file    []byte
	blocks  []byte                // the sections
	sums    []byte                // of every block
	size    func() (int64, error) // of the file now; nil if it is not mapped
	checked []atomic.Uint64
	n       hops.Vertex

	trusted atomic.Bool
	failed  atomic.Pointer[error]
}

func newGuard(file []byte, sums section, n hops.Vertex) (*guard, error) {
	blocks := (sums.Offset - pageSize + blockSize - 1) / blockSize
	if sums.Offset < pageSize || sums.Offset > uint64(len(file)) ||
		sums.Length != (blocks+1)*sumSize || sums.Length != uint64(len(file))-sums.Offset {
		return nil, errors.New("the header makes no sense: checksums do not fit")
	}
	table := file[sums.Offset:]
	last := len(table) - sumSize
	if binary.LittleEndian.Uint32(table[last:]) != checksum(table[:last]) {
		return nil, errors.New("the checksums are damaged")
	}
	return &guard{
		file: file, blocks: file[pageSize:sums.Offset], sums: table[:last],
		checked: make([]atomic.Uint64, blocks/64+1), n: n,
	}, nil
}

// check looks at one block, unless it was looked at before.
func (c *guard) check(block int) error {
	bit := uint64(1) << (block & 63)
	if c.checked[block>>6].Load()&bit != 0 {
		return nil
	}
	start := block * blockSize
	end := min(start+blockSize, len(c.blocks))
	var got, want uint32
	err := c.survive(func() error {
		got, want = checksum(c.blocks[start:end]), binary.LittleEndian.Uint32(c.sums[block*sumSize:])
		return nil
	})
	if err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("graph: %s: damaged between bytes %d and %d: their checksum is %08x and should be %08x",
			c.name, pageSize+start, pageSize+end, got, want)
	}
	c.checked[block>>6].Or(bit)
	return nil
}

// survive calls f, which reads the file. What is mapped of a file that was cut short
// cannot be read: that is an error then, not the end of the process.
func (c *guard) survive(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if fault := recover(); fault != nil {
			if _, ok := fault.(interface{ Addr() uintptr }); !ok {
				panic(fault)
			}
			err = fmt.Errorf("graph: %s: cut short while it was open, or it cannot be read: %v", c.name, fault)
		}
	}()
	return f()
}

// Read calls f, which reads the arrays of the graph. If a file that they lie in is cut
// short meanwhile, that is an error that names the file, and not the end of the process:
// engines search within Read. It is for the goroutine of the caller and for the
// par.Teams that it runs.
func (g *Graph) Read(f func() error) error {
	if g.guard == nil || g.guard.size == nil {
		return f()
	}
	return g.guard.survive(f)
}

// whole returns an error if the file has been cut short since it was opened.
func (c *guard) whole() error {
	if c.size == nil {
		return nil
	}
	if size, err := c.size(); err != nil || size < int64(len(c.file)) {
		return fmt.Errorf("graph: %s: cut short while it was open: %d bytes of %d (%v)", c.name, size, len(c.file), err)
	}
	return nil
}

// touch checks the blocks that an array of the file lies in.
func touch[T any](c *guard, s []T) error {
	b := arena.Bytes(s)
	if len(b) == 0 {
		return nil
	}
	start := int(uintptr(unsafe.Pointer(&b[0])) - uintptr(unsafe.Pointer(&c.blocks[0])))
	for block := start / blockSize; block <= (start+len(b)-1)/blockSize; block++ {
		if err := c.check(block); err != nil {
			return err
		}
	}
	return nil
}

// row returns a row after checking it.
func (c *guard) row(rows *Rows, v hops.Vertex) ([]uint32, error) {
	if err := touch(c, rows.Offsets[v:v+2]); err != nil {
		return nil, err
	}
	row, ok := bounded(rows, uint32(v))
	if !ok {
		return nil, c.nonsense(v)
	}
	if err := touch(c, row); err != nil {
		return nil, err
	}
	for _, u := range row {
		if hops.Vertex(u) >= c.n {
			return nil, c.nonsense(v)
		}
	}
	return row, nil
}

// nonsense is what a file says whose checksums are right and whose content is
// not: hops has not written it.
func (c *guard) nonsense(v hops.Vertex) error {
	return fmt.Errorf("graph: %s: the row of vertex %d makes no sense", c.name, v)
}

// fail keeps the first error that could not be returned.
func (c *guard) fail(err error) { c.failed.CompareAndSwap(nil, &err) }

// trusted tells whether there is nothing left to check.
func (g *Graph) trusted() bool { return g.guard == nil || g.guard.trusted.Load() }

// Err returns the first damage of the graph's file that methods without an error
// of their own came across. They take what is damaged for empty.
func (g *Graph) Err() error {
	if g.guard == nil {
		return nil
	}
	if err := g.guard.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Verify reads all of the file that the graph was opened from, with all CPUs, and
// tells whether it is what was written, and whether it is a graph: see
// invariants.go. Engines call it before they search. Once a graph is verified, it takes
// the time to ask for the size of the file; for a graph that was never in a file, none.
func (g *Graph) Verify() error {
	if g.closed.Load() {
		return g.gone()
	}
	if g.guard != nil {
		if err := g.guard.whole(); err != nil {
			return err
		}
	}
	if g.trusted() {
		return nil
	}
	for _, verify := range []func() error{g.verifyBlocks, g.verifyTotals, g.verifyRows, g.verifyNames} {
		if err := verify(); err != nil {
			return err
		}
	}
	g.guard.trusted.Store(true)
	return nil
}

// gone is the error of a graph that was closed.
func (g *Graph) gone() error {
	if g.guard == nil {
		return errors.New("graph: the graph is closed")
	}
	return fmt.Errorf("graph: %s: the graph is closed", g.guard.name)
}

// verifyBlocks checks the checksums of all blocks.
func (g *Graph) verifyBlocks() error {
	return g.guard.inParallel(int64(len(g.guard.sums)/sumSize), 16, func(lo, hi int64) error {
		for block := lo; block < hi; block++ {
			if err := g.guard.check(int(block)); err != nil {
				return err
			}
		}
		return nil
	})
}

// inParallel calls f for [0, n) in chunks, on all CPUs, and returns the error of the
// lowest chunk that failed.
func (c *guard) inParallel(n, grain int64, f func(lo, hi int64) error) error {
	team := par.NewTeam(0, nil)
	defer team.Close()
	return team.Try(n, grain, func(_ int, lo, hi int64) error {
		return c.survive(func() error { return f(lo, hi) })
	})
}
