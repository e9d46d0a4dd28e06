package graph500

// An Observer follows a run as it happens. It shares the processors with
// the searches, so it should do little.
type Observer interface {
	// Planned comes first.
	Planned(p MemoryPlan)
	// Begin opens a phase of total units, 0 if the total is unknown.
	Begin(phase string, total int64, unit string)
	// Advance says how much of the phase is done. Several goroutines may call it.
	Advance(done int64)
	// Searched hands over each search when it has been validated.
	Searched(s Search)
}

// The phases of a run, in this order, as Begin names them. Validation is a phase of its
// own where it follows a batch of searches; further batches may follow it.
const (
	Generate  = "generate"
	Construct = "construct"
	PickRoots = "roots"
	WarmUp    = "warm-up"
	Searches  = "search"

	Validation = "validate"
)

// nobody is the Observer of a run that was given none.
type nobody struct{}

func (nobody) Planned(MemoryPlan)          {}
func (nobody) Begin(string, int64, string) {}
func (nobody) Advance(int64)               {}
func (nobody) Searched(Search)             {}
