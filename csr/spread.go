package csr

// A spreader writes entries to many places, each in order. It has a buffer for each
// place, so that whole lines are written.
type spreader struct {
	at      []uint16 // the places of entries
	words   []uint32 // the entries
	done    int      // entries that are in the buffers
	ends    []uint32 // where the next entry of each place goes, in buffers
	lines   []line   // where each buffer goes
	buffers []uint32 // bufferEntries for each place
}

// A line is where a buffer goes: bufferEntries from to on, if they end at or before end.
type line struct{ to, end uint32 }

// open makes room for so many entries and places.
func (s *spreader) open(entries, places int) {
	s.at, s.words = make([]uint16, entries+2*vectorSlack), make([]uint32, entries+2*vectorSlack)
	s.ends, s.lines = make([]uint32, places), make([]line, places)
	s.buffers = onHugePages(places * bufferEntries)
}

// buffer is the buffer of place k.
func (s *spreader) buffer(k int) []uint32 { return s.buffers[k*bufferEntries:][:bufferEntries] }

// held is the number of entries in the buffer of place k.
func (s *spreader) held(k int) uint32 { return s.ends[k] - uint32(k*bufferEntries) }

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
}

// spread puts the first n entries into their buffers, and full buffers to where they go. It
// returns a place whose buffer is full and does not fit there, or -1 when all is done. The
// caller empties that buffer and goes on.
func (s *spreader) spread(n int, to []uint32) (stuck int) {
	stuck = -1
	switch {
	case s.done == n:
	case haveVectors:
		k := spreading{&s.at[0], &s.words[0], s.done, n, &s.ends[0], &s.lines[0], &s.buffers[0], &to[0], -1}
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
		if s.ends[k]%bufferEntries != 0 {
			continue
		}
		l := &s.lines[k]
		if l.to+bufferEntries > l.end {
			return k
		}
		copy(to[l.to:], s.buffer(k))
		l.to += bufferEntries
		s.ends[k] = uint32(k * bufferEntries)
	}
	return -1
}
