package rank

import "time"

// A Clock is the time of a rank on a machine that is modelled: it advances by the
// work that the rank has done and by what it has waited for. A Comm of such a machine
// is a Clock; all others go by the time of the wall.
type Clock interface {
	Now() time.Time
	// Watch names the function that returns what the rank has done so far. The
	// clock calls it whenever the rank communicates.
	Watch(done func() Work)
	// Enter is called for all ranks before any of them calls a method of its Comm,
	// and Leave by each rank after its last call: until then the others wait for it.
	Enter()
	Leave()
}

// Work is what a rank has done.
type Work struct {
	Scanned int64 // row entries read top-down
	Probed  int64 // row entries read bottom-up
	Visited int64 // vertices that were found
	Swept   int64 // words of bitmaps, and headers of rows, that were passed over
	United  int64 // words of bitmaps that were combined without a look at their bits
	Packed  int64 // bytes put into exchanges and taken out of them; packets are counted as they are sent
}

// Minus returns the work since an earlier account.
func (w Work) Minus(before Work) Work {
	return Work{w.Scanned - before.Scanned, w.Probed - before.Probed, w.Visited - before.Visited, w.Swept - before.Swept, w.United - before.United, w.Packed - before.Packed}
}

// wall is the clock of ranks that really run.
type wall struct{}

func (wall) Now() time.Time    { return time.Now() }
func (wall) Watch(func() Work) {}
func (wall) Enter()            {}
func (wall) Leave()            {}

// ClockOf returns the clock of a rank, and whether it is modelled.
func ClockOf(c Comm) (clock Clock, modelled bool) {
	if clock, modelled = c.(Clock); modelled {
		return clock, true
	}
	return wall{}, false
}
