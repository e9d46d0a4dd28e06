package gpu

import (
	"context"
	"errors"
	"os"
	"unsafe"

	"github.com/gohops/hops"
	hopsgraph "github.com/gohops/hops/graph"
)

// The rows of a finished graph, in memory or in a mapped file, are in the order that a
// search wants: without loops and duplicates, by falling degree. So they become the
// entries on the device as they are, in one copy, or in none where the device works in the
// memory of the host. Only places, heads and hubs are made on the device. There is no
// list of edges in between.

// finishedOf returns the graph whose edges a source lists, if it is finished.
func finishedOf(src hops.Source) (*hopsgraph.Graph, bool) {
	list, ok := src.(interface{ Graph() *hopsgraph.Graph })
	if !ok {
		return nil, false
	}
	return list.Graph(), true
}

// runFinished is kernel 1 of a finished graph.
func (b *builder) runFinished(ctx context.Context, g *hopsgraph.Graph) error {
	b.finished, b.inOrder = g, true
	b.degree, b.sums = b.makeDegrees(), b.makeSums()
	if err := b.measure(&g.In, b.degree); err != nil {
		return err
	}
	if err := b.numberRows(b.degree, b.degree); err != nil {
		return err
	}
	if err := b.takeEntries(ctx, &g.In); err != nil {
		return err
	}
	if err := b.makeHeads(); err != nil {
		return err
	}
	if err := b.chooseHubs(); err != nil || !g.Directed {
		return err
	}
	return b.takeOut(ctx, g)
}

// takeOut makes the rows out of the vertices of a directed graph.
func (b *builder) takeOut(ctx context.Context, g *hopsgraph.Graph) error {
	outDegree, anyDegree := b.makeDegrees(), b.makeDegrees()
	err := errors.Join(b.measure(&g.Out, outDegree), b.measure(&g.Out, anyDegree), b.measure(&g.In, anyDegree))
	if err != nil {
		return err
	}
	out := b.outward()
	if err := out.numberRows(anyDegree, outDegree); err != nil {
		return err
	}
	return out.takeEntries(ctx, &g.Out)
}

// measure adds the lengths of all rows to the degrees.
func (b *builder) measure(rows *hopsgraph.Rows, degree buffer) error {
	if b.temp.err != nil {
		return b.temp.err
	}
	n := int64(b.n)
	size := min(n, leastChunk)
	if b.offsets == 0 {
		b.offsets = b.temp.make("offsets", size+1, 8)
	}
	if b.temp.err != nil {
		return b.temp.err
	}
	for first := int64(0); first < n; first += size {
		count := min(size, n-first)
		if err := b.upload(b.offsets, 0, bytesOf(rows.Offsets[first:first+count+1])); err != nil {
			return err
		}
		if err := b.rowLengths(b.offsets, first, count, degree); err != nil {
			return err
		}
	}
	return nil
}

// takeEntries brings the rows to the device.
func (b *builder) takeEntries(ctx context.Context, rows *hopsgraph.Rows) error {
	mine := rows.Neighbors[:rows.Offsets[b.n]]
	if shared, err := b.shareEntries(mine); shared || err != nil {
		return err
	}
	if err := b.cutEntries(b.maxAlloc); err != nil {
		return err
	}
	size := int64(1) << min(b.shift, 62)
	for at := int64(0); at < int64(len(mine)); {
		if err := ctx.Err(); err != nil {
			return err
		}
		part, within := at/size, at%size
		n := min(int64(len(mine))-at, size-within, entriesPerCopy)
		if err := b.upload(b.parts[part], 4*within, bytesOf(mine[at:at+n])); err != nil {
			return err
		}
		at += n
	}
	return nil
}

// entriesPerCopy bounds a copy, and with it the time in which a cancelled context is not
// noticed: 64 MiB take some 10 ms.
const entriesPerCopy = 1 << 24

// stagingSize is that of the pinned memory through which a graph goes to the device. The
// driver would stage copies from other memory as well, but it would not survive a file
// that is cut short meanwhile.
const stagingSize = 16 << 20

// upload copies an array of the finished graph to a buffer.
func (b *builder) upload(to buffer, offset int64, src []byte) (err error) {
	if b.staging == nil {
		if b.staging, err = b.dev.pinned(stagingSize); err != nil {
			return err
		}
	}
	for len(src) > 0 {
		some := b.staging[:min(len(b.staging), len(src))]
		if err := b.finished.Read(func() error { copy(some, src); return nil }); err != nil {
			return err
		}
		if err := b.dev.write(to, offset, some); err != nil {
			return err
		}
		src, offset = src[len(some):], offset+int64(len(some))
	}
	return nil
}

// shareEntries lets the device read the entries where they are, if it works in the memory
// of the host and one allocation may be so large. Kernels read entries in windows, up to
// window+3 behind the last: these must lie in the same page.
// A mapped file must not be cut short while the device reads it.
func (b *builder) shareEntries(entries []uint32) (bool, error) {
	d, ok, err := sharerOf(b.dev)
	if !ok || err != nil || len(entries) == 0 || 4*int64(len(entries)) > b.maxAlloc {
		return false, err
	}
	const align = 64 // of the widest loads
	start, page := uintptr(unsafe.Pointer(&entries[0])), uintptr(os.Getpagesize())
	end := (start + 4*uintptr(len(entries))) % page
	if start%align != 0 || end == 0 || end+4*(window+3) > page {
		return false, nil
	}
	shared, err := d.share(bytesOf(entries))
	if err != nil {
		return false, nil // the device cannot work in this memory, such as that of a file: a copy will do
	}
	b.mem.sizes[shared] = 0
	b.shift = 63
	for i := range b.parts {
		b.parts[i] = shared
	}
	return true, nil
}
