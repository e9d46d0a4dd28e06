package gpu

import (
	"fmt"
	"unsafe"

	"github.com/gohops/hops"
)

// A state is what a search holds on the device beside the graph;
// kernels/state.h says what the arrays hold.
type state struct {
	*graph
	mem      *memory
	grid     shape
	capacity uint32 // vertices in a block's part of a list
	root     uint32

	visited  [2]buffer
	parent   buffer
	queue    [2]buffer
	records  buffer
	list     [2]buffer
	lengths  buffer
	hubRows  buffer // rows that a pass leaves to the whole grid
	hotBits  buffer
	control  buffer
	ticket   uint32 // of the last launch of a fused search
	readBack []byte // pinned: control and the first levels; a ticket follows within its capacity
}

// levelsPerLaunch bounds a launch of the fused search, and with it the time in
// which a cancelled context is not noticed.
const levelsPerLaunch = 4096

// levelsReadAtOnce is how many levels come back together with the control. Most
// searches have fewer.
const levelsReadAtOnce = 31

const tile = 8 // TILE in state.h

// labelsPerWarp is how many labels a warp of the grid handles at most in a full
// pass: strip_words in bottomup.cu.
func labelsPerWarp(words, warps int64) int64 {
	strip := min(32, ((words+warps-1)/warps+tile-1)/tile*tile)
	strips := (words + strip - 1) / strip
	return (strips + warps - 1) / warps * strip * 32
}

// newState allocates for a grid, which all launches of a search share: every block
// keeps its own part of the lists.
func newState(g *graph, grid shape) (*state, error) {
	rows, out, blocks := int64(g.rows), g.outRows(), int64(grid.blocks)
	warps, hubRows := int64(grid.threads)/lanes, g.entries/leastHubRow+1
	capacity := labelsPerWarp(int64(g.words()), blocks*warps)*warps + hubRows/blocks + 1
	s := &state{graph: g, mem: newMemory(g.dev), grid: grid, capacity: uint32(capacity)}
	for i := range 2 {
		s.visited[i] = s.mem.make("visited", int64(g.words()), 4)
		s.queue[i] = s.mem.make("queue", rows+1, 4)
		s.list[i] = s.mem.make("list of the leftover", capacity*blocks, 4)
	}
	s.records = s.mem.make("records", int64(out.rows)+out.entries/piece+1, recordSize)
	s.parent = s.mem.make("parents", int64(g.words())*32, 4)
	s.lengths = s.mem.makeZero("lengths", 2*blocks, 4)
	s.hubRows = s.mem.make("rows of hubs", hubRows, 8)
	s.hotBits = s.mem.make("hot bits", hotWords, 4)
	s.control = s.mem.makeZero("control", controlSize+levelSize*(levelsPerLaunch+1), 1)
	if s.mem.err != nil {
		_ = s.mem.close()
		return nil, s.mem.err
	}
	pinned, err := g.dev.pinned(controlSize + levelSize*(levelsReadAtOnce+1) + ticketSize)
	if err == nil {
		s.readBack = pinned[:len(pinned)-ticketSize]
	}
	return s, err
}

// args are the arguments of a search kernel: graph, state, then its own.
func (s *state) args(own ...arg) []arg {
	args := append(s.graph.args(), mem(s.visited[0]), mem(s.visited[1]), mem(s.parent), mem(s.queue[0]), mem(s.queue[1]),
		mem(s.records), mem(s.list[0]), mem(s.list[1]), mem(s.lengths), mem(s.hubRows), mem(s.hotBits), mem(s.control),
		u32(s.capacity), u32(s.root))
	return append(args, own...)
}

// parents copies the tree to the host.
func (s *state) parents(dst []uint32) error {
	return s.dev.read(bytesOf(dst[:s.n]), s.parent, 0)
}

// A levelCount is level_t in state.h.
type levelCount struct {
	Vertices, Records uint32
	Edges             uint64
	Measured, Longs   uint32
	Open, HubRows     uint32
	Examined          uint64
	Start             uint64
	Step, Queued      uint32
	_                 uint32
	_                 uint32
}

// levelCounts reads levels out of bytes that came from the device.
func levelCounts(b []byte) []levelCount {
	return unsafe.Slice((*levelCount)(unsafe.Pointer(&b[0])), len(b)/levelSize)
}

// counts reads the two levels that are counted while the host drives a search.
func (s *state) counts() (this, next levelCount, err error) {
	two := s.readBack[:2*levelSize]
	err = s.dev.read(two, s.control, controlSize)
	both := levelCounts(two)
	return both[thisLevel], both[nextLevel], err
}

// openLevel makes a level the one at hand and clears the counts of the next one.
func (s *state) openLevel(this levelCount) error {
	return s.dev.write(s.control, controlSize, bytesOf([]levelCount{this, {}}))
}

// stepNames are the names of the steps, by the numbers in state.h.
var stepNames = [...]string{"", "top-down", "bottom-up", "bottom-up-hot", "bottom-up-leftover"}

const (
	stepTopDown = iota + 1
	stepBottomUp
	stepBottomUpHot
	stepBottomUpLeftover
)

// checkRoot refuses a root that is no vertex of the graph.
func checkRoot(n uint32, root hops.Vertex) error {
	if uint64(root) >= uint64(n) {
		return fmt.Errorf("gpu: root %d: the graph has %d vertices", root, n)
	}
	return nil
}

// checkTree refuses a root or a tree that the engine cannot fill.
func checkTree(n uint32, root hops.Vertex, t *hops.Tree) error {
	if err := t.Fits(hops.Vertex(n), false); err != nil {
		return fmt.Errorf("gpu: %w", err)
	}
	return checkRoot(n, root)
}
