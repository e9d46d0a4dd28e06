package format

import (
	"fmt"
	"io"
	"sort"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
)

// A segment is the edges of one block, outside the Go heap: 8 bytes each while
// all numbers in it fit in 32 bits, 16 beyond.
type segment struct {
	index   int64 // of the block
	bytes   int64 // of the block
	lines   int64 // of text in it
	rows    int64 // lines that are rows, in formats that have such
	skipped []int32
	// skipped are the lines, counted within the block, that are not rows.
	largest  uint64    // of the ends
	bad      int64     // lines left out
	badLines []badLine // the first of them
	oddities

	narrow  []uint32 // u, v, u, v, …; nil if wide is in use
	wide    []uint64
	weights []float32 // nil if there are none
}

func (s *segment) edges() int { return (len(s.narrow) + len(s.wide)) / 2 }

// at returns the ends of edge i.
func (s *segment) at(i int) (u, v uint64) {
	if s.wide != nil {
		return s.wide[2*i], s.wide[2*i+1]
	}
	return uint64(s.narrow[2*i]), uint64(s.narrow[2*i+1])
}

// replaceEnds replaces every end x by to(x), which fits in 32 bits.
func (s *segment) replaceEnds(to func(uint64) uint32) {
	if s.wide == nil {
		for i, x := range s.narrow {
			s.narrow[i] = to(uint64(x))
		}
		return
	}
	// A narrow number never reaches a wide one that is still to be read.
	s.narrow = unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(s.wide))), len(s.wide))
	for i, x := range s.wide {
		s.narrow[i] = to(x)
	}
	s.wide = nil
}

// A list is the edges of a file in its order.
type list struct {
	vertices hops.Vertex
	segments []segment
	head     oddities // of the lines before the segments
	starts   []int64  // index of the first edge of each segment, and the total
	memory   *arena.Arena
	fits     func(bytes int64) error // as that of the file
}

var _ hops.Source = (*list)(nil)

// seal counts the edges of the segments.
func (l *list) seal() {
	l.starts = make([]int64, 1, len(l.segments)+1)
	for i := range l.segments {
		l.starts = append(l.starts, l.starts[i]+int64(l.segments[i].edges()))
	}
}

// NumVertices implements hops.Source.
func (l *list) NumVertices() hops.Vertex { return l.vertices }

// NumEdges implements hops.Source.
func (l *list) NumEdges() int64 { return l.starts[len(l.starts)-1] }

// EdgesAt implements hops.Source.
func (l *list) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	return l.walk(len(dst), off, func(done int, s *segment, first, n int) {
		to := dst[done:][:n]
		if s.wide == nil {
			from := s.narrow[2*first:][:2*n]
			for i := range to {
				to[i] = hops.Edge{U: hops.Vertex(from[2*i]), V: hops.Vertex(from[2*i+1])}
			}
			return
		}
		from := s.wide[2*first:][:2*n]
		for i := range to {
			to[i] = hops.Edge{U: hops.Vertex(from[2*i]), V: hops.Vertex(from[2*i+1])}
		}
	})
}

// walk calls visit for the runs of edges that make up want edges from off on.
func (l *list) walk(want int, off int64, visit func(done int, s *segment, first, n int)) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("format: negative offset %d", off)
	}
	done := 0
	for k := sort.Search(len(l.segments), func(k int) bool { return l.starts[k+1] > off }); k < len(l.segments) && done < want; k++ {
		first := int(off + int64(done) - l.starts[k])
		n := min(want-done, l.segments[k].edges()-first)
		visit(done, &l.segments[k], first, n)
		done += n
	}
	if done < want {
		return done, io.EOF
	}
	return done, nil
}

func (l *list) close() error {
	l.segments, l.starts = nil, []int64{0}
	return l.memory.Close()
}

// A weightedList also has weights.
type weightedList struct{ *list }

var _ hops.WeightedSource = (*weightedList)(nil)

// WeightsAt implements hops.WeightedSource.
func (l *weightedList) WeightsAt(dst []float32, off int64) (int, error) {
	return l.walk(len(dst), off, func(done int, s *segment, first, n int) {
		copy(dst[done:][:n], s.weights[first:])
	})
}

// slabBytes is how much memory a worker asks for at a time.
const slabBytes = 8 << 20

// A slab is memory of one worker, handed out piece by piece.
type slab struct {
	memory *arena.Arena
	rest   []uint64 // aligned for whatever is kept in it
	wide   bool     // the last edges did not fit in 32 bits
}

func (s *slab) take(bytes int) ([]uint64, error) {
	words := (bytes + 7) / 8
	if words > len(s.rest) {
		fresh, err := arena.Make[uint64](s.memory, max(words, slabBytes/8))
		if err != nil {
			return nil, fmt.Errorf("format: %w", err)
		}
		s.rest = fresh
	}
	piece := s.rest[:words:words]
	s.rest = s.rest[words:]
	return piece, nil
}

// store copies edges and weights, as a parser leaves them, into a segment.
func (s *slab) store(to *segment, edges []hops.Edge, weights []float32) error {
	if len(edges) == 0 {
		return nil
	}
	if stored, err := s.storeNarrow(to, edges); err != nil {
		return err
	} else if !stored {
		if err := s.storeWide(to, edges); err != nil {
			return err
		}
	}
	if weights == nil {
		return nil
	}
	words, err := s.take(4 * len(weights))
	if err != nil {
		return err
	}
	to.weights = unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(words))), len(weights))
	copy(to.weights, weights)
	return nil
}

// storeNarrow stores edges whose ends fit in 32 bits. Where it turns out that
// some do not, and where the block before had such, it does not.
func (s *slab) storeNarrow(to *segment, edges []hops.Edge) (stored bool, err error) {
	if s.wide {
		s.wide = false
		for _, e := range edges {
			s.wide = s.wide || (e.U|e.V)>>32 != 0
		}
		if s.wide {
			return false, nil
		}
	}
	before := s.rest
	words, err := s.take(8 * len(edges))
	if err != nil {
		return false, err
	}
	narrow := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(words))), 2*len(edges))
	largest := hops.Vertex(0)
	for i, e := range edges {
		narrow[2*i], narrow[2*i+1] = uint32(e.U), uint32(e.V)
		largest = max(largest, e.U, e.V)
	}
	if s.wide = largest>>32 != 0; s.wide {
		s.rest = before
		return false, nil
	}
	to.narrow, to.largest = narrow, uint64(largest)
	return true, nil
}

func (s *slab) storeWide(to *segment, edges []hops.Edge) error {
	words, err := s.take(16 * len(edges))
	if err != nil {
		return err
	}
	to.wide = words
	for i, e := range edges {
		to.wide[2*i], to.wide[2*i+1] = uint64(e.U), uint64(e.V)
		to.largest = max(to.largest, uint64(e.U), uint64(e.V))
	}
	return nil
}
