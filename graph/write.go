package graph

import (
	"encoding/binary"
	"io"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/atomicfile"
)

// WriteTo writes the graph as a file for Open, which then sees this very
// structure, names included. Save writes it to a file that is whole or not
// there.
func (g *Graph) WriteTo(w io.Writer) (int64, error) {
	if err := g.Verify(); err != nil { // no damage gets a new checksum
		return 0, err
	}
	h, parts := g.layout()
	page, err := h.encode()
	if err != nil {
		return 0, err
	}
	written, err := w.Write(page)
	if err != nil {
		return int64(written), err
	}
	s := summer{w: w, block: make([]byte, 0, blockSize)}
	for _, part := range parts {
		if err := s.write(part); err != nil {
			return pageSize + s.written, err
		}
	}
	err = s.finish()
	return pageSize + s.written, err
}

// layout says where everything goes.
func (g *Graph) layout() (h fileHeader, parts [allSections][]byte) {
	h = fileHeader{
		Version: fileVersion, Vertices: uint64(g.NumVertices()),
		Tuples: g.Tuples, Loops: g.Loops, Duplicates: g.Duplicates,
	}
	copy(h.Magic[:], fileMagic)
	parts = [allSections][]byte{
		outOffsets: arena.Bytes(g.Out.Offsets), outNeighbors: arena.Bytes(g.Out.Neighbors),
		headSection: arena.Bytes(g.Parents.Head), isolatedSection: arena.Bytes(g.Isolated), moreSection: arena.Bytes(g.Parents.More),
		hubSection: arena.Bytes(g.Parents.Hub), hubPrefixSection: g.Parents.HubPrefix,
	}
	if g.Directed {
		h.Flags |= flagDirected
		parts[inOffsets], parts[inNeighbors] = arena.Bytes(g.In.Offsets), arena.Bytes(g.In.Neighbors)
	}
	if g.Weighted() {
		h.Flags |= flagWeights
		parts[outWeights] = arena.Bytes(g.Out.Weights)
		if g.Directed {
			parts[inWeights] = arena.Bytes(g.In.Weights)
		}
	}
	if g.Names != nil {
		s := g.Names.Sections()
		h.Flags |= flagNames
		h.NameCount, h.NameFirst = s.Count, s.First
		parts[nameNarrow], parts[nameWide] = arena.Bytes(s.Narrow), arena.Bytes(s.Wide)
		parts[nameText], parts[nameEnds], parts[nameTable] = s.Text, arena.Bytes(s.Ends), arena.Bytes(s.Table)
	}
	end := uint64(pageSize)
	for i, part := range parts {
		*h.section(i) = section{end, uint64(len(part))}
		end += toPage(uint64(len(part)))
	}
	blocks := (end - pageSize + blockSize - 1) / blockSize
	h.Sums = section{end, (blocks + 1) * sumSize}
	h.Size = end + h.Sums.Length
	return h, parts
}

// toPage rounds up to whole pages.
func toPage(n uint64) uint64 { return (n + pageSize - 1) / pageSize * pageSize }

// A summer writes blocks and keeps their checksums.
type summer struct {
	w       io.Writer
	block   []byte
	sums    []byte
	written int64
}

// write writes a section and fills its last page with zeros.
func (s *summer) write(part []byte) error {
	padding := int(toPage(uint64(len(part)))) - len(part)
	for len(part) > 0 {
		n := copy(s.block[len(s.block):blockSize], part)
		s.block, part = s.block[:len(s.block)+n], part[n:]
		if err := s.flush(blockSize); err != nil {
			return err
		}
	}
	s.block = append(s.block, make([]byte, padding)...) // a block ends with a page
	return s.flush(blockSize)
}

// flush writes the block if it has come to the given length.
func (s *summer) flush(length int) error {
	if len(s.block) < length {
		return nil
	}
	s.sums = binary.LittleEndian.AppendUint32(s.sums, checksum(s.block))
	err := s.emit(s.block)
	s.block = s.block[:0]
	return err
}

func (s *summer) finish() error {
	if err := s.flush(1); err != nil {
		return err
	}
	return s.emit(binary.LittleEndian.AppendUint32(s.sums, checksum(s.sums)))
}

func (s *summer) emit(b []byte) error {
	n, err := s.w.Write(b)
	s.written += int64(n)
	return err
}

// Save writes g to a file for Open. The file is whole or not there: it is written
// beside its place and takes it when everything is on the disk.
func Save(path string, g *Graph) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := g.WriteTo(w)
		return err
	})
}
