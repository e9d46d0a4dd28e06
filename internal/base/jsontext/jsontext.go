// Package jsontext writes names of vertices, which may be any bytes, as text of JSON.
package jsontext

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// A Text is a name in JSON. A byte b that is not UTF-8 becomes \udcXX, half of a
// surrogate pair, as Python's surrogateescape has it: names that differ stay different.
type Text string

// MarshalJSON implements json.Marshaler.
func (t Text) MarshalJSON() ([]byte, error) { return Append(nil, string(t)), nil }

// Append appends a name in quotes.
func Append(dst []byte, name string) []byte {
	dst = append(dst, '"')
	for i, r := range name {
		_, size := utf8.DecodeRuneInString(name[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = fmt.Appendf(dst, `\udc%02x`, name[i])
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case unicode.IsControl(r) || r == 0x2028 || r == 0x2029:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = append(dst, name[i:i+size]...)
		}
	}
	return append(dst, '"')
}
