package cygraph

import "fmt"

// A Memory describes the memory behind the ports: channels that serve requests at some
// rate, and a latency with jitter. The simulation of the hardware description
// contains the same memory with the same pseudo-random latencies.
//
// A request takes effect in the cycle in which the port sends it; requests of one cycle
// take effect in the order of their kernels. The wait for the channel and the latency
// determine when the response arrives. Responses to one process stay in order, as AXI
// demands of equal ids, and each port receives one word and one acknowledgement a
// cycle.
type Memory struct {
	// Channels is a power of two. Lines of 64 bytes are spread over them by a
	// hash, in place of the HC-2's interleave by a prime: with plain address bits
	// the low labels of an R-MAT graph overload one channel in eight.
	Channels int
	// Service is the time for which a word occupies its channel, in 64ths of a
	// cycle: 64 is one word a cycle, 8 is eight of them.
	Service int
	// The latency of a response in cycles lies between the two bounds of Fast, and for
	// SlowShare of 256 requests between those of Slow.
	Fast, Slow [2]int
	SlowShare  int
	// Stall is in how many of 1024 cycles a port refuses a request.
	Stall int
	Seed  uint64
}

// ConveyHC2 is the coprocessor memory of the paper's machine: 8 controllers,
// each with 2 ports to each of 4 FPGAs, and 80 GB/s together. The latencies are not in the
// paper: they are an assumption about a loaded crossbar, with a slow quarter.
var ConveyHC2 = Memory{
	Channels: 8, Service: 8,
	Fast: [2]int{70, 200}, Slow: [2]int{700, 1000}, SlowShare: 64,
	Seed: 1,
}

const (
	tick   = 64                 // the resolution of Service
	spread = 0x9e3779b97f4a7c15 // 2⁶⁴ over the golden ratio
)

func (m Memory) check() error {
	ordered := func(r [2]int) bool { return r[0] >= 1 && r[0] <= r[1] && r[1] <= 1<<20 }
	switch {
	case !powerOfTwo(m.Channels) || m.Channels > 1<<16:
		return fmt.Errorf("cygraph: %d memory channels: want a power of two up to %d", m.Channels, 1<<16)
	case m.Service < 0 || m.Service > 1<<20:
		return fmt.Errorf("cygraph: a service time of %d/%d cycles: want 0 to %d", m.Service, tick, 1<<20)
	case !ordered(m.Fast):
		return fmt.Errorf("cygraph: latency from %d to %d cycles: want 1 ≤ from ≤ to ≤ %d", m.Fast[0], m.Fast[1], 1<<20)
	case m.SlowShare < 0 || m.SlowShare > 256:
		return fmt.Errorf("cygraph: %d of 256 requests slow: want 0 to 256", m.SlowShare)
	case m.SlowShare > 0 && !ordered(m.Slow):
		return fmt.Errorf("cygraph: slow latency from %d to %d cycles: want 1 ≤ from ≤ to ≤ %d", m.Slow[0], m.Slow[1], 1<<20)
	case m.Stall < 0 || m.Stall > 1000:
		return fmt.Errorf("cygraph: a port that refuses %d of 1024 cycles: want 0 to 1000", m.Stall)
	}
	return nil
}

// banks is the state of a Memory during a search.
type banks struct {
	Memory
	free []uint64 // the tick from which on each channel is free
	mask uint64
}

func newBanks(m Memory) banks {
	return banks{Memory: m, free: make([]uint64, m.Channels), mask: uint64(m.Channels - 1)}
}

func (b *banks) reset() { clear(b.free) }

// accepts tells whether a port takes a request in this cycle.
func (b *banks) accepts(port int, now uint64) bool {
	return b.Stall == 0 || mix(b.Seed^0x5741_4c4c<<32^uint64(port)<<40^now)&1023 >= uint64(b.Stall)
}

// arrival returns the cycle in which the response to a port's request number seq
// arrives, if the request is accepted now.
func (b *banks) arrival(port int, seq, address uint64, words int, now uint64) uint64 {
	channel := &b.free[address>>3*spread>>48&b.mask]
	start := max(now*tick, *channel)
	*channel = start + uint64(b.Service*words)
	return start/tick + b.latency(mix(b.Seed^uint64(port)<<40^seq))
}

// latency maps a random word to a latency in cycles.
func (b *banks) latency(x uint64) uint64 {
	span := b.Fast
	if int(x&255) < b.SlowShare {
		span = b.Slow
	}
	return uint64(span[0]) + x>>32*uint64(span[1]-span[0]+1)>>32
}

// mix is the finalizer of splitmix64, a hash function of 64 bits.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
