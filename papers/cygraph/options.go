package cygraph

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
)

// Options describe the machine. The zero value is the published one: 64 kernels
// on 4 FPGAs of a Convey HC-2. Kernels, FPGAs, Depth and Link are from the paper. Clock is
// not: 16 ports of 8 bytes at 150 MHz are 19.2 GB/s, the paper's 20 GB/s of an FPGA. Hop is
// an assumption.
type Options struct {
	Kernels int     // 0: 64
	FPGAs   int     // 0: one for every 16 kernels
	Depth   int     // words that a FIFO holds, a power of two; 0: 512
	Pace    int     // cycles from one request of a kernel to the next; 0: 1, as the paper says
	Hop     int     // registers on the ring between two FPGAs; 0: 8
	Link    float64 // MB/s of the ring between two FPGAs; 0: 668
	Clock   float64 // MHz; 0: 150
	Queue   int64   // words in each of the two queues; 0: whatever the search turns out to need
	Memory  Memory  // zero: ConveyHC2

	Design string // empty: CyGraph; Betkaoui: the design that the paper compares with
	Loop   int    // vertices that Betkaoui's loop tests in a cycle on each FPGA; 0: 1

	// The following options go beyond the paper and are off at zero.

	Split    int  // split rows longer than this, a power of two, before they are pushed
	Burst    int  // entries of a row that one request reads, a power of two up to 16; 0: 1
	Filter   int  // labels that each FPGA remembers, to visit a vertex once; a power of two
	BottomUp bool // run levels bottom-up where that takes fewer requests
	Turns    bool // P2 and P3 alternate at the port; otherwise P3 has priority
	ByDegree bool // rows with the neighbour of highest degree first, instead of by label
}

// Limits that come from the width of the fields.
const (
	maxEntries = 1<<32 - 1 // the first entry of a row has 32 bits
	maxKernels = 4096
	maxDepth   = 1 << 16
	maxBurst   = 16 // one 64-byte line
)

func (o Options) withDefaults() Options {
	o.Kernels = cmp.Or(o.Kernels, 64)
	o.FPGAs = cmp.Or(o.FPGAs, (o.Kernels+15)/16)
	o.Depth = cmp.Or(o.Depth, 512)
	o.Pace = cmp.Or(o.Pace, 1)
	o.Hop = cmp.Or(o.Hop, 8)
	o.Link = cmp.Or(o.Link, 668)
	o.Clock = cmp.Or(o.Clock, 150)
	o.Burst = cmp.Or(o.Burst, 1)
	o.Loop = cmp.Or(o.Loop, 1)
	o.Memory = cmp.Or(o.Memory, ConveyHC2)
	return o
}

// Check returns an error if no such machine can be built.
func (o Options) Check() error {
	o = o.withDefaults()
	switch {
	case o.Kernels < 1 || o.Kernels > maxKernels:
		return fmt.Errorf("cygraph: %d kernels: want 1 to %d", o.Kernels, maxKernels)
	case o.FPGAs < 1 || o.Kernels%o.FPGAs != 0:
		return fmt.Errorf("cygraph: %d kernels cannot be spread evenly over %d FPGAs", o.Kernels, o.FPGAs)
	case o.Design != "" && o.Design != Betkaoui:
		return fmt.Errorf("cygraph: design %q: want none or %q", o.Design, Betkaoui)
	case o.Design != "" && (o.Queue != 0 || o.Split != 0 || o.Burst != 1 || o.Filter != 0 || o.BottomUp || o.Turns):
		return fmt.Errorf("cygraph: the design %q has neither queues nor what goes beyond the CyGraph paper", o.Design)
	case o.Loop < 1 || o.Kernels/o.FPGAs%o.Loop != 0:
		return fmt.Errorf("cygraph: a loop over %d vertices a cycle: want a divisor of the %d kernels of an FPGA", o.Loop, o.Kernels/o.FPGAs)
	case !powerOfTwo(o.Burst) || o.Burst > maxBurst:
		return fmt.Errorf("cygraph: a burst of %d entries: want a power of two up to %d", o.Burst, maxBurst)
	case o.Depth < beats(o.Burst):
		return fmt.Errorf("cygraph: a FIFO of %d words is smaller than a burst of %d", o.Depth, beats(o.Burst))
	case !powerOfTwo(o.Depth) || o.Depth < 2 || o.Depth > maxDepth:
		return fmt.Errorf("cygraph: FIFO depth %d: want a power of two from 2 to %d", o.Depth, maxDepth)
	case o.Pace < 1 || o.Pace > 255:
		return fmt.Errorf("cygraph: a request every %d cycles: want 1 to 255", o.Pace)
	case o.Hop < 1 || o.Hop > 1<<16:
		return fmt.Errorf("cygraph: %d registers between FPGAs: want 1 to %d", o.Hop, 1<<16)
	case !(o.Link >= 1 && o.Link <= 1e6):
		return fmt.Errorf("cygraph: a link of %g MB/s between FPGAs: want 1 to 1000000", o.Link)
	case !(o.Clock > 0 && o.Clock <= 1e5):
		return fmt.Errorf("cygraph: a clock of %g MHz: want above 0 and up to 100000", o.Clock)
	case o.Queue < 0 || o.Queue > maxEntries:
		return fmt.Errorf("cygraph: queues of %d words: want at most %d", o.Queue, int64(maxEntries))
	case o.Split != 0 && (!powerOfTwo(o.Split) || o.Split > 1<<30):
		return fmt.Errorf("cygraph: rows split at %d entries: want a power of two up to %d", o.Split, 1<<30)
	case o.Filter != 0 && !powerOfTwo(o.Kernels/o.FPGAs):
		return fmt.Errorf("cygraph: a filter for %d kernels on an FPGA: want a power of two", o.Kernels/o.FPGAs)
	case o.Filter != 0 && (!powerOfTwo(o.Filter) || o.Filter < 2*o.Kernels/o.FPGAs || o.Filter > 1<<24):
		return fmt.Errorf("cygraph: a filter of %d labels: want a power of two from %d, two for every kernel of an FPGA, to %d",
			o.Filter, 2*o.Kernels/o.FPGAs, 1<<24)
	}
	return o.Memory.check()
}

// crossing returns the cycles for which a token occupies the link between two FPGAs. It
// carries the 35 bits of cygraph_hop.sv and, where levels may run bottom-up, a sum of 64.
func (o Options) crossing() int {
	if o.FPGAs == 1 {
		return 1
	}
	bytes := 35. / 8
	if o.BottomUp {
		bytes += 8
	}
	return int(math.Ceil(bytes * o.Clock / o.Link))
}

func powerOfTwo(n int) bool { return n > 0 && bits.OnesCount(uint(n)) == 1 }

// beats returns the number of words of a burst.
func beats(burst int) int { return (burst + 1) / 2 }

// Need returns an upper bound of the bytes that Build and Search use for n vertices
// and m edges, with queues of the initial length.
func Need(n hops.Vertex, m int64) int64 {
	rows, entries := float64(n), 2*float64(m)
	image := 8*rows + 4*entries + 2*8*float64(firstQueue(n))
	need := float64(csr.Need(n, m)) + image + 8*rows + (64 << 20)
	if need >= 1<<62 {
		return 1 << 62
	}
	return int64(need)
}
