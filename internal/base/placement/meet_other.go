//go:build !linux

package placement

// rendezvous is empty where workers cannot be bound.
type rendezvous struct{}

func newRendezvous(Placement) rendezvous { return rendezvous{} }

// Meet has the workers wake up.
func (t *Team) Meet() { t.Gather() }
