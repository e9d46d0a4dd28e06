package gpu

import (
	"fmt"
	"slices"
)

// The maps in which bottom-up passes that look for one vertex with each thread note what
// they found, for comparison (Zhang et al. 2018, 4.1). kernels/maps.cu describes them.
const (
	Words = "words" // a warp stores whole words of the bitmap
	Bits  = "bits"  // threads set bits by atomic operations
	Bytes = "bytes" // threads store a byte each, the paper's choice
)

// mapNumbers has the maps in the order of their numbers in maps.cu.
var mapNumbers = []string{Words, Bits, Bytes}

// A vertexMap is one of the maps, with its memory.
type vertexMap struct {
	number uint32
	bytes  buffer // one for each label, if the map is Bytes, otherwise 0
}

// newVertexMap allocates the map of a name; nil if the name is "".
func newVertexMap(s *state, name string) (*vertexMap, error) {
	if name == "" {
		return nil, nil
	}
	m := &vertexMap{number: uint32(slices.Index(mapNumbers, name))}
	if name == Bytes {
		m.bytes = s.mem.make("bytes of the vertices", int64(s.words())*32, 1)
	}
	return m, s.mem.err
}

func checkMap(name string) error {
	if name != "" && !slices.Contains(mapNumbers, name) {
		return fmt.Errorf("gpu: unknown map %q: want one of %q", name, mapNumbers)
	}
	return nil
}

// bottomUpByVertex is a pass in which each thread looks for a vertex.
func (m *machine) bottomUpByVertex() error {
	from := m.side
	if mapNumbers[m.noted.number] == Bits {
		if err := m.dev.copy(m.visited[from.visited^1], 0, m.visited[from.visited], 0, 4*int64(m.words())); err != nil {
			return err
		}
	}
	if err := m.stepVertices(from, m.noted); err != nil {
		return err
	}
	m.side.visited ^= 1
	m.form, m.listed = formBitmap, false
	if mapNumbers[m.noted.number] == Bytes {
		return m.stepPack(from, m.noted)
	}
	return nil
}
