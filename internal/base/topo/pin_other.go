//go:build !linux

package topo

// Pin binds threads on Linux only; elsewhere the scheduler decides.
func Pin(CPUs) error { return nil }

// A Visitor binds goroutines on Linux only.
type Visitor struct{}

// NewVisitor returns a Visitor that does nothing.
func NewVisitor(CPUs) (*Visitor, error) { return &Visitor{}, nil }

// Enter does nothing and reports false.
func (*Visitor) Enter() bool { return false }

// Leave does nothing.
func (*Visitor) Leave() {}

// Confine binds processes on Linux only.
func Confine(CPUs) (release func(), err error) { return func() {}, nil }
