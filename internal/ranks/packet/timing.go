package packet

import "time"

// TimePacking measures how many picoseconds an edge of a full packet takes to be packed and
// unpacked, and how many bytes that saves.
func (b *Outbox) TimePacking() (perEdge uint64, saved float64) {
	edges, c := b.edges(), &b.Codec
	list, work := make([]uint64, edges), make([]uint64, edges)
	out := make([]byte, 8*edges)
	end := max(1, c.sizes[len(c.sizes)-1])
	x := uint64(1)
	for i := range list { // eight edges of each sender
		x = x*6364136223846793005 + 1442695040888963407
		list[i] = x>>32*uint64(end)>>32<<32 | uint64(i/8)
	}
	shortest, size := time.Duration(1<<62), 0
	for range 5 {
		copy(work, list)
		start := time.Now()
		f, count, n := c.encode(out, work, packed, Forward, len(c.sizes)-1)
		c.decode(f, out[:n], int(count), b.decoded[:0], Limits{end, uint32(edges)})
		shortest, size = min(shortest, time.Since(start)), n
	}
	return uint64(1000*shortest.Nanoseconds()) / uint64(edges), float64(8*edges-size) / float64(edges)
}
