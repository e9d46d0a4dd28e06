//go:build !linux

package placement

// meeting is empty where workers cannot be bound.
type meeting struct{}

func newMeeting(Placement) meeting { return meeting{} }

// Meet does nothing.
func (t *Team) Meet() {}
