//go:build !linux

package topo

// Pin binds threads on Linux only; elsewhere the scheduler decides.
func Pin(CPUs) error { return nil }

// A Visitor binds goroutines on Linux only.
type Visitor struct{}

// NewVisitor returns one that stays at home.
func NewVisitor(CPUs) (*Visitor, error) { return &Visitor{}, nil }

// Enter leaves the goroutine where it is.
func (*Visitor) Enter() bool { return false }

// Leave does nothing.
func (*Visitor) Leave() {}
