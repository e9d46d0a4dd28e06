package bottomup

import "math/bits"

// SampleEvery is the distance of the words of a bitmap whose vertices are looked up to
// estimate the row entries of a large frontier. Looking all of them up would cost a
// cache miss for each vertex.
const SampleEvery = 32

// Samples has the lengths of the rows in the words that are looked up, side by side.
type Samples []uint32

// SamplesLength is the number of lengths for so many words of a bitmap.
func SamplesLength(words int64) int64 { return (words + SampleEvery - 1) / SampleEvery * 64 }

// Fill looks the lengths up of all rows of count that are sampled.
func (s Samples) Fill(count int64, length func(v uint32) int64) {
	for i := range s {
		if v := int64(i)/64*SampleEvery*64 + int64(i)%64; v < count {
			s[i] = uint32(length(uint32(v)))
		}
	}
}

// Entries estimates the entries of the rows in a word that were found: 0 for a word that is
// not looked up, and as much as it stands for otherwise.
func (s Samples) Entries(word int64, found uint64) (sum int64) {
	if word%SampleEvery != 0 {
		return 0
	}
	lengths := s[word/SampleEvery*64:][:64]
	for ; found != 0; found &= found - 1 {
		sum += int64(lengths[bits.TrailingZeros64(found)])
	}
	return SampleEvery * sum
}
