package edge

// Recipe returns what a device needs to generate the same edges by itself: the
// seed of the streams, the limit below which draws are rejected, and the offset
// and the two multipliers of the scrambling.
func (k *Kronecker) Recipe() (scale int, seed [5]uint32, limit uint32, keys [3]uint64) {
	return k.scale, k.seed, k.limit, [3]uint64{k.scramble.offset, k.scramble.first, k.scramble.second}
}
