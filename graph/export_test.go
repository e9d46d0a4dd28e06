package graph

import "encoding/binary"

// Of the file format, what tests of damage need to know.
const (
	PageSize  = pageSize
	VersionAt = 8
)

// Sections returns where the sections of a file are.
func Sections(file []byte) (ranges [][2]uint64) {
	var h fileHeader
	if _, err := binary.Decode(file, binary.LittleEndian, &h); err != nil {
		return nil
	}
	for _, s := range h.Sections {
		ranges = append(ranges, [2]uint64{s.Offset, s.Offset + s.Length})
	}
	return ranges
}

// Reseal makes all checksums of a file right again.
func Reseal(file []byte) {
	var h fileHeader
	if _, err := binary.Decode(file, binary.LittleEndian, &h); err != nil {
		return
	}
	end := pageSize - sumSize
	binary.LittleEndian.PutUint32(file[end:], checksum(file[:end]))
	if h.Sums.Offset < pageSize || h.Sums.Offset > uint64(len(file)) {
		return
	}
	blocks, table := file[pageSize:h.Sums.Offset], file[h.Sums.Offset:]
	for i := 0; i*blockSize < len(blocks) && (i+1)*sumSize <= len(table); i++ {
		sum := checksum(blocks[i*blockSize : min((i+1)*blockSize, len(blocks))])
		binary.LittleEndian.PutUint32(table[i*sumSize:], sum)
	}
	if last := len(table) - sumSize; last >= 0 {
		binary.LittleEndian.PutUint32(table[last:], checksum(table[:last]))
	}
}
