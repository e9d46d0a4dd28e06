package hops

import (
	"cmp"
	"strings"
	"time"
)

// A Trace says how a search went, level by level. The report, the lab and the
// cost model feed on it.
type Trace struct {
	Clock  Clock
	Levels []Level // owned by the searcher, valid until its next search
}

// A Level is one step of a search: what it started from, what it did, what it
// found and what it cost.
type Level struct {
	Step     string        `json:"step"`              // name of the step that ran
	Within   string        `json:"within,omitempty"`  // the step that ran this level and others as one, where there is one
	Workers  int           `json:"workers,omitempty"` // threads that ran it, where the engine chooses their number
	Frontier int64         `json:"frontier"`          // vertices in the frontier at its start
	Examined int64         `json:"examined"`          // row entries looked at
	Found    int64         `json:"found"`             // vertices that joined the tree
	Messages int64         `json:"messages,omitempty"`
	Bytes    int64         `json:"bytes,omitempty"`       // sent over a wire or a bus
	Handover time.Duration `json:"handover_ns,omitempty"` // the part of Time that moved the search to another device
	Exchange *Exchange     `json:"exchange,omitempty"`    // between ranks, where there are several
	Bucket   Bucket        `json:"bucket,omitzero"`       // of a search for shortest paths
	Time     time.Duration `json:"ns"`
}

// A Bucket is a level of a search for shortest paths: it finds all vertices nearer than
// a bound, and the entries that it examined are the relaxations that it tried.
type Bucket struct {
	Bound   float64 `json:"bound"`   // distances below it are final; math.MaxFloat64: all are
	Phases  int64   `json:"phases"`  // in which frontiers were expanded
	Lowered int64   `json:"lowered"` // relaxations that lowered a distance
}

// An Exchange is what the ranks of a cluster told each other in a level, added up
// over all of them.
type Exchange struct {
	Forward   int64 `json:"forward,omitempty"` // edges sent top-down
	Probes    int64 `json:"probes,omitempty"`  // edges sent to ask, bottom-up,
	Claims    int64 `json:"claims,omitempty"`  // and to answer
	Packets   int64 `json:"packets,omitempty"` // in which these travelled, and what collectives took
	HostBytes int64 `json:"host_bytes,omitempty"`
	// Of bitmaps and parents, between a device and the memory of its host, and from device
	// to device.
	BusBytes    int64 `json:"bus_bytes,omitempty"`
	DeviceBytes int64 `json:"device_bytes,omitempty"`
	Raw         int64 `json:"raw_bytes,omitempty"`     // of the edges sent, at 8 bytes each
	Encoded     int64 `json:"encoded_bytes,omitempty"` // of the packets they were sent in

	// Means over all workers. What is left of the level's time is that in which
	// ranks waited for the slowest.
	Computing time.Duration `json:"computing_ns,omitempty"`
	Sending   time.Duration `json:"sending_ns,omitempty"`   // packets, encoding included
	Waiting   time.Duration `json:"waiting_ns,omitempty"`   // for packets, or for the last to gather
	Gathering time.Duration `json:"gathering_ns,omitempty"` // the frontier
	Switching time.Duration `json:"switching_ns,omitempty"` // from one form of it to another

	// How unequal the ranks were. The means times the number of ranks are the sums.
	Work  Spread `json:"rank_examined"`   // row entries that each looked at
	Sent  Spread `json:"rank_bytes"`      // bytes that each sent
	Waits Spread `json:"rank_waiting_ns"` // nanoseconds that a thread of each waited, for packets or to gather
}

// A Spread is a number over ranks.
type Spread struct {
	Least int64 `json:"least"`
	Mean  int64 `json:"mean"`
	Most  int64 `json:"most"`
}

// A Clock tells what the times of a trace were measured with.
type Clock uint8

const (
	Wall   Clock = iota // seconds of this machine
	Device              // seconds counted by an accelerator
	Model               // cycles of a simulated machine, as seconds
	Shares              // equal shares of the seconds that all levels took together
)

func (c Clock) String() string {
	return [...]string{"wall", "device", "model", "shares"}[c]
}

// Time is the sum over all levels.
func (t Trace) Time() time.Duration {
	var sum time.Duration
	for i := range t.Levels {
		sum += t.Levels[i].Time
	}
	return sum
}

// Examined is the number of row entries looked at over all levels.
func (t Trace) Examined() int64 {
	var sum int64
	for i := range t.Levels {
		sum += t.Levels[i].Examined
	}
	return sum
}

// Found is the number of vertices in the tree beyond the root.
func (t Trace) Found() int64 {
	var sum int64
	for i := range t.Levels {
		sum += t.Levels[i].Found
	}
	return sum
}

// Clone returns a copy that outlives the searcher's next search.
func (t Trace) Clone() Trace {
	t.Levels = append([]Level(nil), t.Levels...)
	return t
}

// Plan names the steps of all levels in the form in which engines can be told to
// repeat them: "top-down+levels@gpu". The last name stands for all levels that
// follow. Levels that one step ran together count as one.
func (t Trace) Plan() string {
	var names []string
	within := ""
	for _, l := range t.Levels {
		if l.Within == "" || l.Within != within {
			names = append(names, cmp.Or(l.Within, l.Step))
		}
		within = l.Within
	}
	for len(names) > 1 && names[len(names)-1] == names[len(names)-2] {
		names = names[:len(names)-1]
	}
	return strings.Join(names, "+")
}
