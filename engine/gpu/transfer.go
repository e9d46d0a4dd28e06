package gpu

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// Give implements adaptive.Portable.
func (p *Portable) Give(level.Step) (*level.State, error) {
	if err := p.shared.toDevice(); err != nil {
		return nil, err
	}
	h := &p.given
	*h = level.State{Root: hops.Vertex(p.root), Front: p.front}
	large := 4*p.front.Vertices > p.bitmapBytes()
	if p.form == formBitmap && large {
		return h, p.giveBitmaps(h, true)
	}
	if err := p.makeQueue(); err != nil {
		return nil, err
	}
	n := int(p.front.Vertices)
	if cap(p.queued) < n {
		p.queued = make([]uint32, n, 2*n)
	}
	h.Queue = p.queued[:n]
	if err := p.dev.read(bytesOf(h.Queue), p.queue[p.side.queue], 0); err != nil {
		return nil, err
	}
	h.Bytes += 4 * int64(n)
	return h, p.giveBitmaps(h, false)
}

// giveBitmaps hands over the bitmap of the visited vertices. before adds the bitmap of
// those that were visited before the last level.
func (p *Portable) giveBitmaps(h *level.State, before bool) error {
	if p.shared != nil {
		h.Visited = p.shared.visited[p.side.visited]
		if before {
			h.Before = p.shared.visited[p.side.visited^1]
		}
		return p.shared.toHost()
	}
	h.Visited = p.staging[0]
	h.Bytes += p.bitmapBytes()
	if err := p.dev.read(bytesOf(h.Visited)[:p.bitmapBytes()], p.visited[p.side.visited], 0); err != nil || !before {
		return err
	}
	h.Before = p.staging[1]
	h.Bytes += p.bitmapBytes()
	return p.dev.read(bytesOf(h.Before)[:p.bitmapBytes()], p.visited[p.side.visited^1], 0)
}

// makeQueue gives the frontier the form of a queue, which is not cut.
func (p *Portable) makeQueue() error {
	if p.form == formQueue {
		return nil
	}
	if err := p.openLevel(p.level()); err != nil {
		return err
	}
	p.uncut = true
	return p.queueFrontier()
}

// level is the front as the device counts it. It says that some row of a queue is long:
// a fused search then cuts the queue in any case.
func (p *Portable) level() levelCount {
	c := levelCount{Vertices: uint32(p.front.Vertices), Edges: uint64(p.front.Edges)}
	if p.form == formQueue {
		c.Measured, c.Longs = 1, 1
	}
	return c
}

// Take implements adaptive.Portable.
func (p *Portable) Take(h *level.State, next level.Step) error {
	p.unmark(h)
	if err := p.shared.toDevice(); err != nil {
		return err
	}
	p.root = uint32(h.Root)
	if h.Fresh {
		return p.begin(h, next)
	}
	if err := p.join(h); err != nil {
		return err
	}
	p.front = h.Front
	p.unvisited, p.remaining = h.Front.Unvisited, h.Front.Remaining
	p.form, p.uncut = formQueue, true
	if h.Found != nil {
		return p.takeList(h)
	}
	if next.Direction != level.TopDown {
		p.form = formBitmap // bottom-up needs no queue, and none came
	}
	return p.takeBitmap(h)
}

// unmark corrects the bitmap of a host, where vertices without an edge into them count as
// visited: a bottom-up level of the device would take them for parents.
func (p *Portable) unmark(h *level.State) {
	if p.onlyOut == nil || h.Visited == nil {
		return
	}
	for w, vertices := range p.onlyOut {
		h.Visited[w] &^= vertices
	}
	h.Visited[h.Root/64] |= 1 << (h.Root % 64)
}

// begin starts the search here.
func (p *Portable) begin(h *level.State, next level.Step) error {
	if next.Name == portableLevels {
		p.joined, p.fresh, p.front = true, true, h.Front
		return nil
	}
	_, err := p.Seed(h.Root)
	return err
}

// join begins a search of which nothing but the root is known, unless the device has
// had this search before.
func (p *Portable) join(h *level.State) error {
	if p.joined {
		return nil
	}
	p.joined = true
	p.side = sides{}
	p.listed, p.filled = false, false
	if h.Visited == nil {
		return p.stepBegin()
	}
	return p.dev.write(p.parent, 4*int64(p.root), bytesOf([]uint32{p.root}))
}

// takeList adds vertices that other machines found, with their parents.
func (p *Portable) takeList(h *level.State) error {
	if p.shared != nil {
		p.side.visited = p.shared.sideOf(h.Visited)
	}
	n := len(h.Found)
	if p.shared.ownsTree() {
		return p.writeQueue(h, h.Found[n-int(h.Front.Vertices):])
	}
	p.pairs = append(append(p.pairs[:0], h.Found...), h.Parents...)
	h.Bytes += 8 * int64(n)
	if err := p.dev.write(p.records, 0, bytesOf(p.pairs)); err != nil {
		return err
	}
	return p.stepTake(p.side, n, h.Front.Vertices)
}

// takeBitmap replaces the bitmap of the visited vertices. Their parents stay on the host.
func (p *Portable) takeBitmap(h *level.State) error {
	if p.shared != nil {
		p.side.visited = p.shared.sideOf(h.Visited)
	} else {
		h.Bytes += p.bitmapBytes()
		if err := p.dev.write(p.visited[p.side.visited], 0, bytesOf(h.Visited)[:p.bitmapBytes()]); err != nil {
			return err
		}
	}
	p.lacking = !p.shared.ownsTree()
	return p.writeQueue(h, h.Queue)
}

func (p *Portable) writeQueue(h *level.State, queue []uint32) error {
	h.Bytes += 4 * int64(len(queue))
	return p.dev.write(p.queue[p.side.queue], 0, bytesOf(queue))
}

// Finish implements adaptive.Device.
func (p *Portable) Finish(h *level.State) (bytes int64, err error) {
	if !p.joined || p.shared.ownsTree() {
		return 0, p.shared.toHost()
	}
	if err := p.shared.toDevice(); err != nil {
		return 0, err
	}
	if h != nil {
		if err := p.takeMissed(h); err != nil {
			return h.Bytes, err
		}
		bytes = h.Bytes
	}
	if !p.filled || p.lacking {
		if err := p.finish(h == nil); err != nil {
			return bytes, err
		}
	}
	bytes += 4 * int64(p.n)
	if p.lacking {
		err = p.merge()
	} else {
		err = p.parents(p.tree.Narrow)
	}
	if err != nil {
		return bytes, fmt.Errorf("gpu: tree: %w", err)
	}
	return bytes, p.shared.toHost()
}

// finish stores that unvisited vertices have no parent. A search that ended here may
// not have marked the vertices that it found last.
func (p *Portable) finish(endedHere bool) error {
	if endedHere && p.form == formList {
		if err := p.stepApply(p.side); err != nil {
			return err
		}
	}
	return p.stepFinish(p.side)
}

// takeMissed adds what the host has found since the device had the search.
func (p *Portable) takeMissed(h *level.State) error {
	if h.Found == nil {
		p.lacking = true
		return nil
	}
	h.Front.Vertices = 0
	return p.takeList(h)
}

// mergeChunk is how many parents are read from the device at a time to be merged.
const mergeChunk = 1 << 20

// merge adds the device's parents to those of the tree.
func (p *Portable) merge() error {
	chunk := p.chunk
	for at := 0; at < int(p.n); at += len(chunk) {
		tree := p.tree.Narrow[at:]
		chunk = chunk[:min(len(chunk), len(tree))]
		if err := p.dev.read(bytesOf(chunk), p.parent, 4*int64(at)); err != nil {
			return err
		}
		workers := min(runtime.GOMAXPROCS(0), len(chunk)>>14+1)
		var wg sync.WaitGroup
		for w := range workers {
			lo, hi := w*len(chunk)/workers, (w+1)*len(chunk)/workers
			wg.Go(func() { complete(tree[lo:hi], chunk[lo:hi]) })
		}
		wg.Wait()
	}
	return nil
}

// complete adds parents to the vertices of a tree that have none.
func complete(tree, parents []uint32) {
	for i, parent := range parents {
		if tree[i] == ^uint32(0) {
			tree[i] = parent
		}
	}
}

// numbersOf reads memory as numbers.
func numbersOf[T uint32 | uint64](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}
