package bottomup

// Touched is what levels have touched of what rows have behind their heads.
type Touched struct {
	Streamed int64 // bytes that were read in order: slots and columns as a whole, and the ends of rows
	Lines    int64 // cache lines that were looked up one by one
}

const (
	lineBytes  = 64
	slotBytes  = 2
	linesOfRow = 2 // the line of its offset, and the line of the entries behind its tail
)

// look notes that so many places of so many bytes were looked up: on as many lines, or on all.
func (t *Touched) look(places, bytes int64) {
	t.Lines += min(places, (bytes+lineBytes-1)/lineBytes)
}
