//go:build !linux

package placement

// gathering is empty where workers cannot be bound.
type gathering struct{}

func newGathering(Placement) gathering { return gathering{} }

// Gather does nothing.
func (t *Team) Gather() {}
