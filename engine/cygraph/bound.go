package cygraph

// Bound returns an upper bound of the entries a second that a machine examines in a
// top-down search that reaches the given numbers of vertices and entries, each once.
//
// An entry takes a read of its row and its share of a read of entries; a vertex
// takes a read of the queue, a write of the queue and a visit. The ports carry a
// request every Pace cycles, and the channels a word every Service ticks. A search is
// slower than the bound because of latency, of levels that are too small to keep all
// kernels busy, and of vertices that are pushed twice.
func Bound(o Options, vertices, entries int64) float64 {
	o = o.withDefaults()
	requests := 3*float64(vertices) + (1+1/float64(o.Burst))*float64(entries)
	words := 3*float64(vertices) + (1+float64(beats(o.Burst))/float64(o.Burst))*float64(entries)
	cycles := requests * float64(o.Pace) / float64(o.Kernels)
	if m := o.Memory; m.Service > 0 {
		cycles = max(cycles, words*float64(m.Service)/tick/float64(m.Channels))
	}
	return float64(entries) / cycles * o.Clock * 1e6
}
