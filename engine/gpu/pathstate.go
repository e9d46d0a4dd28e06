package gpu

import (
	"math"
	"unsafe"
)

// A distance is one of 64 bits, or one of 32 bits exactly: bounds and sums are compared
// with either.
type distance float64

func (d distance) bits() uint64 { return math.Float64bits(float64(d)) }

// A pathState is what a search for shortest paths holds on the device beside the graph;
// kernels/paths.h says what the arrays hold.
type pathState struct {
	*weightedGraph
	kernels
	mem  *memory
	grid shape
	wide bool

	place            buffer
	queue, marks     [2]buffer
	reached, cursors buffer
	keys, pieces     buffer
	carried          [2]buffer
	stage            buffer
	parent, changed  buffer // of wide distances; 0 otherwise

	ticket   uint32
	readBack []byte // pinned: the stage; a ticket follows within its capacity
}

// placeOf is a place with a distance of 32 bits.
func placeOf(far float32, parent uint32) uint64 {
	return uint64(math.Float32bits(far))<<32 | uint64(parent)
}

// A stage is stage_t in paths.h.
type stage struct {
	Arrivals, Exits          uint32
	Queued, Pieces           [3]uint32
	Reached                  uint32
	Carried                  [2]uint32
	Phases                   uint32
	Examined, Lowered, Found uint64
	Degree                   uint64
	Least                    distance
	Start, End               uint64
}

const (
	stageSize    = int64(unsafe.Sizeof(stage{}))
	pieceEntries = 256 // PIECE_ENTRIES in paths.h
	pieceSize    = 16
)

// pieceRoom is how many pieces the rows of a frontier can have together, at most. Rows
// that are cut have more than pieceEntries entries.
func pieceRoom(entries int64) int64 { return 2*entries/pieceEntries + 1 }

func newPathState(w *weightedGraph, d device, wide bool) (*pathState, error) {
	p := &pathState{weightedGraph: w, kernels: kernels{d}, mem: newMemory(d), wide: wide}
	if err := p.shape(); err != nil {
		return nil, err
	}
	labels := int64(w.in.words()) * 32
	rows := int64(max(w.in.rows, w.out.rows)) + 1
	p.place = p.mem.make("distances", labels, 8)
	for i := range 2 {
		p.queue[i] = p.mem.make("queue", rows, 4)
		p.marks[i] = p.mem.make("marks", labels/32, 4)
		p.carried[i] = p.mem.make("carried vertices", rows, 4)
	}
	p.reached = p.mem.make("records", rows, 4)
	p.cursors = p.mem.make("records", rows, 4)
	p.keys = p.mem.make("records", rows, 8)
	p.pieces = p.mem.make("pieces of rows", pieceRoom(w.out.entries), pieceSize)
	p.stage = p.mem.makeZero("stage", stageSize, 1)
	if wide {
		p.parent = p.mem.make("parents", labels, 4)
		p.changed = p.mem.make("counts", 1, 4)
	}
	if p.mem.err != nil {
		_ = p.mem.close()
		return nil, p.mem.err
	}
	pinned, err := d.pinned(stageSize + ticketSize)
	if err == nil {
		p.readBack = pinned[:stageSize]
	}
	return p, err
}

// shape is the largest grid whose blocks can wait for each other.
func (p *pathState) shape() error {
	p.grid = shape{threads: p.dev.threads(pathThreads), together: true}
	for _, kernel := range []string{"paths_seed", "paths_down", "paths_up"} {
		most, err := p.dev.resident(kernel, p.grid)
		if err != nil {
			return err
		}
		if p.grid.blocks == 0 || most < p.grid.blocks {
			p.grid.blocks = most
		}
	}
	return nil
}

// pathThreads is the size of a block: KERNEL(512) in sssp.cu.
const pathThreads = 512

// await returns the counts of the launch that has the ticket.
func (p *pathState) await() (*stage, error) {
	err := p.dev.answer(p.readBack, p.stage, p.ticket)
	return (*stage)(unsafe.Pointer(unsafe.SliceData(p.readBack))), err
}

// findParents finds the parents that belong to wide distances.
func (p *pathState) findParents(root uint32) error {
	if err := p.parentsClear(p.parent, p.in.n, root); err != nil {
		return err
	}
	for first := true; ; first = false {
		changed := []uint32{0}
		err := firstError(p.dev.zero(p.changed, 4), p.in.parentsFind(p.place, p.parent, p.candidates, first, p.changed), p.dev.read(bytesOf(changed), p.changed, 0))
		if err != nil || changed[0] == 0 && !first {
			return err
		}
	}
}
