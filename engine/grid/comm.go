package grid

import "github.com/gohops/hops/internal/rank"

// A Comm connects a rank to the others of its group. All ranks call its collective
// methods in the same order.
type Comm = rank.Comm

// A Span is a range of bytes.
type Span = rank.Span

// Local returns the Comms of n ranks inside this process, which pretend to be on so
// many hosts. Each rank is to call Join on a goroutine of its own.
func Local(n, hosts int) ([]Comm, error) { return rank.Local(n, hosts) }
