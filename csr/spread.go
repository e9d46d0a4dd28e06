package csr

// A spreader writes entries to many places, each in order and whole lines at a time. It has a
// buffer of two lines for each place. When one is full the other is written: a vector that
// was stored in parts a moment ago would have to wait until all of them have left the core,
// which took a third of the time of spreading.
type spreader struct {
	at      []uint16 // the places of entries
	words   []uint32 // the entries
	done    int      // entries that are in the buffers
	ends    []uint32 // where the next entry of each place goes, in buffers
	lines   []line   // where the full line of each buffer goes
	buffers []uint32 // two lines for each place
	past    bool     // lines are written past the caches, to an array that begins with a line
}

const (
	lineEntries = 16              // 64 bytes
	ringEntries = 2 * lineEntries // a power of two
)

// A line is where a full line goes, unless that is at or behind end. The line that is being
// filled follows it.
type line struct{ to, end uint32 }

// noLine is where the line goes that comes before the first.
const noLine = 1<<32 - lineEntries

// open makes room for so many entries and places.
func (s *spreader) open(entries, places int) {
	s.at, s.words = make([]uint16, entries+2*vectorSlack), make([]uint32, entries+2*vectorSlack)
	s.ends, s.lines = make([]uint32, places), make([]line, places)
	s.buffers = onHugePages(places * ringEntries)
}

// begin has the entries of place k follow position to.
func (s *spreader) begin(k int, to uint32) {
	s.ends[k] = uint32(k*ringEntries) + to%ringEntries
	s.lines[k] = line{to: to&^(lineEntries-1) - lineEntries}
}

// full is the full line of place k when spread is stuck there.
func (s *spreader) full(k int) []uint32 { return s.buffers[s.ends[k]:][:lineEntries] }

// rest copies what is left in the buffer of place k, the full line and what follows, and returns
// its number of entries. There is no full line before the first.
func (s *spreader) rest(k int, to *[ringEntries]uint32) int {
	ring, end := s.buffers[k*ringEntries:][:ringEntries], s.ends[k]%ringEntries
	first := end&^(lineEntries-1) ^ lineEntries
	copy(to[:lineEntries], ring[first:])
	copy(to[lineEntries:], ring[first^lineEntries:][:lineEntries])
	return lineEntries + int(end%lineEntries)
}

// A spreading is the arguments of the kernel of spread.
type spreading struct {
	at      *uint16
	words   *uint32
	done, n int
	ends    *uint32
	lines   *line
	buffers *uint32
	to      *uint32
	stuck   int
	past    bool
}

// spread puts the first n entries into their buffers, and full lines to where they go. It
// returns a place whose full line has nowhere to go, or -1 when all is done. The caller
// says where that line and the next ones go, and goes on.
func (s *spreader) spread(n int, to []uint32) (stuck int) {
	stuck = -1
	switch {
	case s.done == n:
	case haveVectors:
		k := spreading{&s.at[0], &s.words[0], s.done, n, &s.ends[0], &s.lines[0], &s.buffers[0], &to[0], -1, s.past}
		spreadAVX512(&k)
		s.done, stuck = k.done, k.stuck
	default:
		stuck = s.spreadEach(n, to)
	}
	if stuck < 0 {
		s.done = 0
	}
	return stuck
}

// spreadEach is spread without a kernel.
func (s *spreader) spreadEach(n int, to []uint32) (stuck int) {
	for s.done < n {
		k := int(s.at[s.done])
		s.buffers[s.ends[k]] = s.words[s.done]
		s.ends[k]++
		s.done++
		if s.ends[k]%lineEntries != 0 {
			continue
		}
		if s.ends[k]%ringEntries == 0 {
			s.ends[k] -= ringEntries
		}
		l := &s.lines[k]
		if l.to >= l.end {
			return k
		}
		copy(to[l.to:], s.full(k))
		l.to += lineEntries
	}
	return -1
}
