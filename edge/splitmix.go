package edge

// A splitmix is the SplitMix64 generator of Steele, Lea and Flood (2014), in its
// state. It is small and quick enough to be started afresh for every edge.
type splitmix uint64

// streamOf returns the generator of edge i. The index is mixed first: streams of
// neighbouring states would be the same numbers, shifted by one.
func streamOf(seed uint64, i int64) splitmix {
	s := splitmix(i)
	return splitmix(seed ^ s.next())
}

func (s *splitmix) next() uint64 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
