//go:build !linux

package placement

// rendezvous is empty where workers cannot be bound.
type rendezvous struct{}

func newRendezvous(Placement) rendezvous { return rendezvous{} }

// Meet does nothing.
func (t *Team) Meet() {}
