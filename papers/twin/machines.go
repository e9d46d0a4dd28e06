package twin

// Machines are the machines of the papers, and an ordinary cluster.
//
// Every figure says where it comes from: the paper, the maker's public documents, a
// measurement here, or a guess. Guesses were set with figures of the papers in view, so
// a figure that holds on a twin is weaker evidence than a prediction. Rates of processors
// have the shape of those here, which is a guess for others, times one factor for each
// machine. The factor makes one figure of the paper come true; that figure is calibrated and is not judged
// (docs/design/twin.md has commands and errors).
var Machines = []Machine{
	{
		// Checconi and Petrini, BlueGene/Q. IBM's figures: ten links of 2 GB/s each
		// way, packets of 512 bytes with a header of 32, hops of 40 ns, collectives in
		// hardware in about 5 µs. Guesses: a latency of 700 ns, 10 ns of the processor
		// for a packet, 15 GB/s of memory for a copy. The header was added with Fig. 4
		// in view. One rank has the 16 cores of a node.
		//
		// Calibrated: Rates, by the 254 GTEPS of the earlier 2D code on 4,096 nodes
		// (section IV-D), 62 MTEPS a node, on 16 nodes of the twin.
		Name: "bluegene-q", Nodes: 512, Units: 1,
		Rates:    shape.faster(blueGeneSpeed),
		Topology: torus, Link: 2e9, Latency: 700, Hop: 40, Packet: 512, Header: 32, Overhead: 10,
		Memory: 15e9, Combine: 5000,
	},
	// Threads of all ranks move over all sockets; and one socket alone.
	numa("numa-cluster", 8, false), numa("numa-unbound", 8, true), numa("numa-socket", 1, false),
	// Graphs whose bitmaps fit the cache of a GPU, and larger ones.
	romeo("romeo", 1/2.8, 1e9), romeo("romeo-large", 1, romeoBridge),
	{
		// Hosts with cores like those here and ten-gigabit Ethernet. Guesses: latency,
		// overhead and memory.
		Name: "tcp", Nodes: 8, Units: 1, Rates: shape,
		Topology: fatTree, Link: 1.25e9, Adapters: 1, Latency: 30000, Packet: 1500, Overhead: 500,
		Memory: 8e9,
	},
	{
		// One host with cores like those here, for ranks in one process. Guesses: all
		// but Rates.
		Name: "host", Nodes: 1, Units: 1, Rates: shape,
		Topology: fatTree, Link: 8e9, Adapters: 1, Latency: 500, Packet: 32768, Overhead: 500,
		Memory: 8e9,
	},
}

// numa is the machine of Cui et al. The paper's figures: eight sockets of eight cores; two
// ports of 40 Gb/s, 4 GB/s of data each by the encoding of QDR. Guesses: a latency of 2 µs,
// packets of 2,048 bytes, 100 ns of the processor for each.
//
// Calibrated on eight nodes: Memory, by Fig. 12 (a communication phase of eight ranks a node
// takes 2.34 times as long as one of one rank a node). A message between sockets is copied
// twice, each time read and written, while the next one arrives: 17.1 GB/s of memory allow
// at most 4.3.
//
// Calibrated on one node: Remote, by Fig. 11 (bottom-up computing takes 1.58 times as long
// with memory interleaved over eight sockets, which the paper attributes to remote memory
// alone), Atomic, by Fig. 10 (eight bound ranks are 1.74 times as fast as one: the rest of
// the difference, of which the paper names atomic operations between sockets as a cause), and
// Rates, by Fig. 12 (communication takes 12 % of the time).
func numa(name string, sockets int, unbound bool) Machine {
	return Machine{
		Name: name, Nodes: 16, Units: sockets, Remote: numaRemote, Atomic: numaAtomic, Unbound: unbound,
		Rates:    shape.faster(numaSpeed),
		Topology: fatTree, Link: 4e9, Adapters: 2, Latency: 2000, Packet: 2048, Overhead: 100,
		Memory: numaMemory,
	}
}

// romeo is ROMEO. The paper's figures: two K20X a node; one adapter beside the first GPU; the
// second one reaches it over QPI, which "considerably reduces" bandwidth. Public documents:
// 6 GB/s on PCIe 2.0, 3.2 GB/s of data on QDR. Guesses: packets of 4,096 bytes, 100 ns for
// each, and 1 GB/s over QPI for messages of at most 64 KB.
//
// A GPU is limited by its memory, which it reads by 32 bytes: rates are bytes, 4 for a row
// entry top-down, whose neighbours are read with it, 32 bottom-up, 32 for a bit of a bitmap
// and for a parent, 8 for a word. Bytes of bitmaps count bitmap times as much: less in its
// cache of 1.5 MB, which is a guess.
//
// Calibrated: the time of a byte, by 4.80 GTEPS on 16 GPUs at scale 21 (section 3.5.2), two
// a node; Latency, by 64 GPUs being slower than 16 there; the bandwidth over QPI for larger
// messages, by 12 GTEPS on 256 GPUs at scale 29 (section 3.5.3).
func romeo(name string, bitmap, bridge float64) Machine {
	bit, word := 32*bitmap, 8*bitmap
	return Machine{
		Name: name, Nodes: 64, Units: 2,
		Rates:    Rates{Scanned: 4 + bit, Probed: 32 + bit, Visited: 32 + bit, Swept: word, United: word, Byte: 2}.faster(1 / romeoByte),
		Topology: fatTree, Link: 3.2e9, Adapters: 1, Latency: 33000, Packet: 4096, Overhead: 100,
		Memory: 6e9, Device: true, Bridge: bridge,
	}
}

// The factors of rates, and of remote memory, as the calibration found them.
const (
	blueGeneSpeed = 0.375
	numaSpeed     = 0.76
	numaMemory    = 1.93e9
	numaRemote    = 1.663 // (1.58 − 1/8) / (7/8)
	numaAtomic    = 6
	romeoByte     = 0.107 // ns
	romeoBridge   = 0.54e9
)
