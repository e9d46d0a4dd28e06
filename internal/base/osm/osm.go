// Package osm reads the roads of OpenStreetMap from files in the PBF format.
//
// A road is a way with a highway tag. Each pair of nodes that follow each other on it is a
// segment with a length. Nodes stand before ways in such files; the places of all nodes are
// kept, 16 bytes each, because any way may need them.
package osm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// The format's own limits.
const (
	maxHeader = 64 << 10
	maxBlob   = 32 << 20
)

// A Direction says which way a road leads along its nodes.
type Direction int

const (
	// BothWays is a road without a restriction.
	BothWays Direction = iota
	// Forward is a one-way road.
	Forward
	// Backward is a one-way road against the order of its nodes.
	Backward
)

// A Segment is a piece of road between two nodes.
type Segment struct {
	From, To  int64 // ids of OpenStreetMap
	Metres    float64
	Direction Direction
}

// A Reader reads one file.
type Reader struct {
	// Road is called for every segment.
	Road func(s Segment) error
	// Keep, if not nil, is told how many more bytes stay in memory.
	Keep func(bytes int) error
	// Missing counts segments without the place of a node, as extracts have at their borders.
	Missing int64

	ids        []int64 // ascending
	lats, lons []int32 // in 10⁻⁷ degrees
	unsorted   bool
	blob       []byte
}

// IsFile tells by its first bytes whether a file is a PBF file.
func IsFile(front []byte) bool {
	return len(front) >= 15 && front[0] == 0 && front[1] == 0 && bytes.Equal(front[4:15], []byte("\x0A\x09OSMHeader"))
}

// Read reads the file.
func (r *Reader) Read(in io.Reader) error {
	for number := 1; ; number++ {
		kind, data, err := r.next(in)
		if err == io.EOF && number > 1 {
			return nil
		}
		if err == nil {
			switch kind {
			case "OSMHeader":
				err = checkHeader(data)
			case "OSMData":
				err = r.block(data)
			}
		}
		if err != nil {
			return fmt.Errorf("blob %d: %w", number, err)
		}
	}
}

// next returns the kind and the decompressed content of the next blob.
func (r *Reader) next(in io.Reader) (kind string, data []byte, err error) {
	var length [4]byte
	if _, err := io.ReadFull(in, length[:]); err != nil {
		return "", nil, err
	}
	header, err := r.take(in, int64(binary.BigEndian.Uint32(length[:])), maxHeader)
	if err != nil {
		return "", nil, err
	}
	size := int64(-1)
	err = each(header, func(f field) error {
		switch f.number {
		case 1:
			kind = string(f.data)
		case 3:
			size = int64(f.value)
		}
		return nil
	})
	if err != nil {
		return "", nil, err
	}
	blob, err := r.take(in, size, maxBlob)
	if err != nil {
		return "", nil, err
	}
	data, err = decompress(blob)
	return kind, data, err
}

func (r *Reader) take(in io.Reader, size, most int64) ([]byte, error) {
	if size < 0 || size > most {
		return nil, fmt.Errorf("%d bytes, where the format allows %d", size, most)
	}
	r.blob = slices.Grow(r.blob[:0], int(size))[:size]
	if _, err := io.ReadFull(in, r.blob); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	return r.blob, nil
}

// decompress returns the content of a blob.
func decompress(blob []byte) ([]byte, error) {
	var data []byte
	err := each(blob, func(f field) (err error) {
		var in io.Reader
		if data != nil && f.number != 2 { // a blob has one content
			return errDamaged
		}
		switch f.number {
		case 1:
			data = bytes.Clone(f.data)
		case 3:
			in, err = zlib.NewReader(bytes.NewReader(f.data))
		case 7:
			var d *zstd.Decoder
			if d, err = zstd.NewReader(bytes.NewReader(f.data), zstd.WithDecoderConcurrency(1)); err == nil {
				defer d.Close()
				in = d
			}
		case 4, 5, 6:
			err = errors.New("it is compressed by LZMA, bzip2 or LZ4; zlib and Zstandard are read")
		}
		if err == nil && in != nil {
			data, err = io.ReadAll(io.LimitReader(in, maxBlob+1))
		}
		return err
	})
	if err == nil && len(data) > maxBlob {
		err = errDamaged
	}
	return data, err
}

// checkHeader refuses files that need what this package does not know.
func checkHeader(data []byte) error {
	return each(data, func(f field) error {
		if feature := string(f.data); f.number == 4 && feature != "OsmSchema-V0.6" && feature != "DenseNodes" {
			return fmt.Errorf("the file needs %q, which is not read", feature)
		}
		return nil
	})
}

// A block is nodes and ways that share a table of texts and a grid of places.
type block struct {
	texts            [][]byte
	granularity      int64
	latOrig, lonOrig int64
}

func (r *Reader) block(data []byte) error {
	b := block{granularity: 100}
	var groups [][]byte
	err := each(data, func(f field) error {
		switch f.number {
		case 1:
			return each(f.data, func(f field) error {
				b.texts = append(b.texts, f.data)
				return nil
			})
		case 2:
			groups = append(groups, f.data)
		case 17:
			b.granularity = int64(f.value)
		case 19:
			b.latOrig = int64(f.value)
		case 20:
			b.lonOrig = int64(f.value)
		}
		return nil
	})
	for _, g := range groups {
		if err == nil {
			err = r.group(&b, g)
		}
	}
	return err
}

func (r *Reader) group(b *block, data []byte) error {
	before := len(r.ids)
	err := each(data, func(f field) error {
		switch f.number {
		case 1:
			return r.node(b, f.data)
		case 2:
			return r.dense(b, f.data)
		case 3:
			return r.way(b, f.data)
		}
		return nil
	})
	if err == nil && r.Keep != nil {
		err = r.Keep(16 * (len(r.ids) - before))
	}
	return err
}

// place keeps where a node is.
func (r *Reader) place(b *block, id, lat, lon int64) {
	r.unsorted = r.unsorted || len(r.ids) > 0 && id <= r.ids[len(r.ids)-1]
	r.ids = append(r.ids, id)
	r.lats = append(r.lats, int32((b.latOrig+b.granularity*lat)/100))
	r.lons = append(r.lons, int32((b.lonOrig+b.granularity*lon)/100))
}

func (r *Reader) node(b *block, data []byte) error {
	var id, lat, lon int64
	err := each(data, func(f field) error {
		switch f.number {
		case 1:
			id = zigzag(f.value)
		case 8:
			lat = zigzag(f.value)
		case 9:
			lon = zigzag(f.value)
		}
		return nil
	})
	r.place(b, id, lat, lon)
	return err
}

// dense reads nodes whose ids and places are differences.
func (r *Reader) dense(b *block, data []byte) error {
	var ids, lats, lons packed
	err := each(data, func(f field) error {
		switch f.number {
		case 1:
			ids.data = f.data
		case 8:
			lats.data = f.data
		case 9:
			lons.data = f.data
		}
		return nil
	})
	var id, lat, lon int64
	for err == nil && ids.delta(&id) {
		if !lats.delta(&lat) || !lons.delta(&lon) {
			return errDamaged
		}
		r.place(b, id, lat, lon)
	}
	if ids.broken {
		return errDamaged
	}
	return err
}

// find returns where a node is.
func (r *Reader) find(id int64) (int, bool) { return slices.BinarySearch(r.ids, id) }

// earthMetres is the mean radius of the Earth.
const earthMetres = 6_371_008.8

// metres is the length of a great circle between two nodes, by the haversine formula.
func (r *Reader) metres(i, j int) float64 {
	const unit = math.Pi / 180 * 1e-7
	lat1, lat2 := float64(r.lats[i])*unit, float64(r.lats[j])*unit
	dLat, dLon := math.Sin((lat2-lat1)/2), math.Sin((float64(r.lons[j])-float64(r.lons[i]))*unit/2)
	h := dLat*dLat + math.Cos(lat1)*math.Cos(lat2)*dLon*dLon
	return 2 * earthMetres * math.Asin(math.Min(1, math.Sqrt(h)))
}
