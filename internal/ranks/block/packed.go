package block

// The short form of a bitmap has a head, a table and the chunks of the bitmap. A chunk is 65,536
// bits, so that a member takes 16 bits in a list. Each chunk is a list of its members or, where
// that is shorter, its words. The form is never longer than the bitmap by more than the head and
// the table, about a thousandth. Devices write and read it (kernels/pack.cu).
const (
	packedHead  = 16
	packedEntry = 8       // of the table
	chunkBytes  = 1 << 13 // of the bitmap
)

// Packed is where the short form of this rank's part of a region is.
func (r Region) Packed() Region { return r - Front + PackedFront }

// PackedMost is how many bytes the short form of a bitmap of so many bytes takes at most.
func PackedMost(bitmap int64) int64 {
	return packedHead + (bitmap+chunkBytes-1)/chunkBytes*packedEntry + bitmap
}
