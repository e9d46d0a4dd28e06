package gpu

import "fmt"

// An exchange makes the bitmaps of all parts what they are together.
type exchange interface {
	// unite ors the parts' visited[side]: afterwards all parts have the same.
	unite(side uint32) error
	close() error
}

// A star unites bitmaps at the first part and copies the outcome to the others: by
// copies within a device, or between devices that are peers.
type star struct {
	parts []*part
	mem   *memory
	inbox buffer // of the first part, for bitmaps of other devices
}

// A peer is a device that can copy from another one of its kind.
type peer interface {
	copyFrom(dst buffer, from device, src buffer, bytes int64) error
}

func newStar(all []*part) (*star, error) {
	first := all[0]
	s := &star{parts: all, mem: newMemory(first.dev)}
	for _, other := range all[1:] {
		if other.dev == first.dev {
			continue
		}
		if _, ok := first.dev.(peer); !ok {
			return nil, fmt.Errorf("gpu: %s cannot copy from %s", first.dev.Name(), other.dev.Name())
		}
		s.inbox = s.mem.make("bitmap of another device", int64(first.words()), 4)
		break
	}
	return s, s.mem.err
}

func (s *star) unite(side uint32) error {
	first := s.parts[0]
	bytes := 4 * int64(first.words())
	for _, other := range s.parts[1:] {
		from := other.visited[side]
		if other.dev != first.dev {
			if err := copyBetween(first.dev, s.inbox, other.dev, from, bytes); err != nil {
				return err
			}
			from = s.inbox
		}
		err := first.dev.launch("step_unite", covering(first.dev, int64(first.words()), 1024),
			mem(first.visited[side]), mem(from), u32(first.words()))
		if err != nil {
			return err
		}
	}
	for _, other := range s.parts[1:] {
		if err := copyBetween(other.dev, other.visited[side], first.dev, first.visited[side], bytes); err != nil {
			return err
		}
	}
	return nil
}

func (s *star) close() error { return s.mem.close() }

// copyBetween waits for what the source has to do before, and until dst is there.
func copyBetween(to device, dst buffer, from device, src buffer, bytes int64) error {
	if to == from {
		return to.copy(dst, 0, src, 0, bytes)
	}
	return to.(peer).copyFrom(dst, from, src, bytes)
}
