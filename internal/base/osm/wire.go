package osm

import (
	"encoding/binary"
	"errors"
)

var errDamaged = errors.New("the data is damaged")

// A message is one of Protocol Buffers, read field by field. After a fault there are no
// fields left, and broken is set.
type message struct {
	data   []byte
	broken bool
}

// A field has a number, and a value that is an integer or bytes.
type field struct {
	number int
	value  uint64
	data   []byte
}

func (m *message) varint() uint64 {
	x, n := binary.Uvarint(m.data)
	if n <= 0 {
		m.data, m.broken = nil, true
		return 0
	}
	m.data = m.data[n:]
	return x
}

// next returns the next field, or false behind the last.
func (m *message) next() (f field, ok bool) {
	if len(m.data) == 0 {
		return f, false
	}
	key := m.varint()
	f.number = int(key >> 3)
	size := uint64(0)
	switch key & 7 {
	case 0:
		f.value = m.varint()
	case 1:
		size = 8
	case 2:
		size = m.varint()
	case 5:
		size = 4
	default:
		m.broken = true
	}
	if m.broken = m.broken || size > uint64(len(m.data)) || f.number == 0; m.broken {
		m.data = nil
		return f, false
	}
	f.data, m.data = m.data[:size], m.data[size:]
	return f, true
}

// each calls use for every field.
func each(data []byte, use func(f field) error) error {
	m := message{data: data}
	for {
		f, ok := m.next()
		if !ok {
			break
		}
		if err := use(f); err != nil {
			return err
		}
	}
	if m.broken {
		return errDamaged
	}
	return nil
}

func zigzag(x uint64) int64 { return int64(x>>1) ^ -int64(x&1) }

// A packed list holds integers one after another.
type packed struct{ message }

// delta adds the next integer to last.
func (p *packed) delta(last *int64) bool {
	if len(p.data) == 0 {
		return false
	}
	*last += zigzag(p.varint())
	return !p.broken
}
