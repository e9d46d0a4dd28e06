package lab

import (
	"fmt"
	"strings"

	"github.com/gohops/hops"
)

// clusterOf returns the string of a cluster engine with ranks on simulated hosts of one
// process.
func clusterOf(ranks, hosts int, options ...string) string {
	return strings.Join(append([]string{fmt.Sprintf("cluster:ranks=%d,hosts=%d", ranks, hosts)}, options...), ",")
}

// gridOf names the grid engine: rows and columns of ranks on pretended hosts of one
// process.
func gridOf(rows, columns, hosts int, options ...string) string {
	return strings.Join(append([]string{fmt.Sprintf("grid:ranks=%d,hosts=%d,shape=%dx%d", rows*columns, hosts, rows, columns)}, options...), ",")
}

// inProcess is the note of all findings about ranks in one process.
const inProcess = "All ranks share the cores and the memory of this machine: what they send is counted exactly, but it takes no network to send it, and more ranks are not more hardware."

// exchanged returns a figure of a level from its Exchange, 0 without one.
func exchanged(figure func(*hops.Exchange) int64) func(hops.Level) float64 {
	return func(l hops.Level) float64 {
		if l.Exchange == nil {
			return 0
		}
		return float64(figure(l.Exchange))
	}
}

var (
	forward   = exchanged(func(x *hops.Exchange) int64 { return x.Forward })
	probes    = exchanged(func(x *hops.Exchange) int64 { return x.Probes })
	claims    = exchanged(func(x *hops.Exchange) int64 { return x.Claims })
	encoded   = exchanged(func(x *hops.Exchange) int64 { return x.Encoded })
	hostBytes = exchanged(func(x *hops.Exchange) int64 { return x.HostBytes })

	computing = nanoseconds(func(x *hops.Exchange) int64 { return int64(x.Computing) })
	sending   = nanoseconds(func(x *hops.Exchange) int64 { return int64(x.Sending) })
	waiting   = nanoseconds(func(x *hops.Exchange) int64 { return int64(x.Waiting) })
	gathering = nanoseconds(func(x *hops.Exchange) int64 { return int64(x.Gathering) })
	switching = nanoseconds(func(x *hops.Exchange) int64 { return int64(x.Switching) })
)

// nanoseconds returns, in seconds, a figure that Exchange holds in nanoseconds.
func nanoseconds(figure func(*hops.Exchange) int64) func(hops.Level) float64 {
	f := exchanged(figure)
	return func(l hops.Level) float64 { return f(l) / 1e9 }
}

// communication is the time that ranks spend on sending and gathering.
func communication(l hops.Level) float64 { return sending(l) + gathering(l) }

// stall is the time that ranks spend on waiting for packets or for each other.
func stall(l hops.Level) float64 {
	return max(0, seconds(l)-computing(l)-communication(l)-switching(l))
}

// bottomUp restricts a figure to bottom-up levels.
func bottomUp(figure func(hops.Level) float64) func(hops.Level) float64 {
	return func(l hops.Level) float64 {
		if !strings.HasPrefix(l.Step, "bottom-up") {
			return 0
		}
		return figure(l)
	}
}

// levels is the figure that counts levels.
func levels(hops.Level) float64 { return 1 }

// per divides two figures of the same level or search.
func per(a, b Sample) Sample {
	r := make(Sample, len(a))
	for i := range a {
		if b[i] != 0 {
			r[i] = a[i] / b[i]
		}
	}
	return r
}
