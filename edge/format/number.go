package format

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strconv"
)

// Numbers are parsed eight characters at a time. Of the eight bytes of a word,
// the first that is not a digit is found by arithmetic on all of them at once;
// the digits before it are moved to the end of the word and added up in pairs,
// then fours, then eights. No branch depends on how long the number is, up to
// seven digits, so none can be mispredicted.

// digits8 returns how many of the eight bytes of a little-endian word are digits
// before the first that is not, and their value.
func digits8(word uint64) (n int, value uint64) {
	word ^= 0x3030303030303030                                       // digits become 0 … 9
	other := (word + 0x7676767676767676 | word) & 0x8080808080808080 // top bit: more than 9
	n = bits.TrailingZeros64(other) >> 3
	word <<= 64 - 8*uint(n)
	word = (word * (1 + 10<<8)) >> 8 & 0x00FF00FF00FF00FF
	word = (word * (1 + 100<<16)) >> 16 & 0x0000FFFF0000FFFF
	return n, (word * (1 + 10000<<32)) >> 32
}

// number parses the decimal number at the front of text and returns how long it
// is: 0 if there is none, -1 if it does not fit in 64 bits.
func number(text []byte) (value uint64, length int) {
	if len(text) >= 8 {
		length, value = digits8(binary.LittleEndian.Uint64(text))
		if length < 8 {
			return value, length
		}
	}
	return longNumber(text, value, length)
}

// longNumber goes on, digit by digit, with a number of which some digits have
// been read.
func longNumber(text []byte, value uint64, length int) (uint64, int) {
	for ; length < len(text); length++ {
		digit := uint64(text[length] - '0')
		if digit > 9 {
			break
		}
		high, low := bits.Mul64(value, 10)
		sum, carry := bits.Add64(low, digit, 0)
		if high|carry != 0 {
			return 0, -1
		}
		value = sum
	}
	return value, length
}

// wholeNumber parses a field that must be one number and nothing else.
func wholeNumber(field []byte) (uint64, string) {
	value, length := number(field)
	if length != len(field) || length <= 0 {
		return 0, notANumber(field)
	}
	return value, ""
}

// notANumber says what is wrong with a field that ought to be a name.
func notANumber(field []byte) string {
	_, length := number(field)
	switch {
	case len(field) == 0:
		return "a name is missing"
	case length < 0:
		return "name " + quoted(field) + " does not fit in 64 bits"
	case field[0] == '-':
		return "name " + quoted(field) + " is negative"
	}
	return "name " + quoted(field) + " is not a number"
}

// quoted shows the beginning of a field in a message.
func quoted(field []byte) string {
	const shown = 40
	if len(field) > shown {
		return strconv.QuoteToASCII(string(field[:shown])) + "…"
	}
	return strconv.QuoteToASCII(string(field))
}

// weight takes the weight of an edge.
func (b *batch) weight(field []byte) (wrong string) {
	w, wrong := weight(field)
	if wrong == "" {
		b.taken(field, w)
		wrong = b.negative(w)
	}
	b.weights = append(b.weights, w)
	return wrong
}

// negative refuses a weight below 0 if that was asked for.
func (b *batch) negative(w float32) (wrong string) {
	if b.positive && w < 0 {
		return fmt.Sprintf("weight %v is negative; shortest paths need weights of 0 or more", w)
	}
	return ""
}

// weight parses a field that must be a finite decimal number.
func weight(field []byte) (float32, string) {
	if value, length := number(field); length == len(field) && length > 0 {
		return float32(value), ""
	}
	value, err := strconv.ParseFloat(string(field), 32)
	switch {
	case len(field) == 0:
		return 0, "the weight is missing"
	case math.IsInf(value, 0) || math.IsNaN(value):
		return 0, "weight " + quoted(field) + " is not finite"
	case err != nil || bytes.ContainsAny(field, "xX_"):
		return 0, "weight " + quoted(field) + " is not a number"
	}
	return float32(value), ""
}
