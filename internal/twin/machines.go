package twin

// Machines are those of the papers, and a plain cluster.
//
// What the papers' texts say of a machine is taken from there; the rest from the makers'
// public documents, as noted. Rates have the shape of those here, times one factor for
// each machine that makes one small configuration of its paper come true, also noted:
// everything else is predicted.
var Machines = []Machine{
	{
		// Checconi and Petrini, BlueGene/Q. IBM's figures: ten links of 2 GB/s each
		// way, packets of 512 bytes and 32 more, hops of 40 ns, collectives in hardware in about
		// 5 µs. One rank has the 16 cores of a node.
		//
		// Calibrated: 342 MTEPS a node on 4,096 nodes at scale 36, from 64 nodes of the
		// twin. Predicted: 65,536 nodes, and all ratios.
		Name: "bluegene-q", Nodes: 512, Units: 1,
		Rates:    shape.faster(blueGeneSpeed),
		Topology: torus, Link: 2e9, Latency: 700, Hop: 40, Packet: 512, Header: 32, Overhead: 10,
		Memory: 15e9, Combine: 5000,
	},
	{
		// Cui et al.: eight sockets of eight cores, 17.1 GB/s of memory each, of which a
		// copy has half; two ports of 40 Gb/s, 4 GB/s of data each.
		//
		// Calibrated on one node: eight sockets with interleaved memory are 2.77 times as
		// fast as one (Fig. 3), and gathering takes 12 % of the time (Fig. 12).
		// Predicted: placements, and two to sixteen nodes.
		Name: "numa-cluster", Nodes: 16, Units: 8, Remote: numaRemote,
		Rates:    shape.faster(numaSpeed),
		Topology: fatTree, Link: 4e9, Adapters: 2, Latency: 2000, Packet: 2048, Overhead: 100,
		Memory: 8.5e9,
	},
	{
		// The same without binding: threads move over all sockets.
		Name: "numa-unbound", Nodes: 16, Units: 8, Remote: numaRemote, Unbound: true,
		Rates:    shape.faster(numaSpeed),
		Topology: fatTree, Link: 4e9, Adapters: 2, Latency: 2000, Packet: 2048, Overhead: 100,
		Memory: 8.5e9,
	},
	{
		// ROMEO: two K20X a node, on PCIe 2.0 (6 GB/s); one QDR adapter (3.2 GB/s of
		// data) beside the first GPU; the second one reaches it over QPI, at about a
		// third of that.
		//
		// Calibrated: 4.80 GTEPS on 16 GPUs, two a node, at scale 21. Predicted: 64 and
		// 256 GPUs.
		Name: "romeo", Nodes: 64, Units: 2,
		Rates:    shape.faster(romeoSpeed),
		Topology: fatTree, Link: 3.2e9, Adapters: 1, Latency: 20000, Packet: 4096, Overhead: 100,
		Memory: 6e9, Device: true, Bridge: 1e9,
	},
	{
		// Hosts with cores like those here and ten-gigabit Ethernet.
		Name: "tcp", Nodes: 8, Units: 1, Rates: shape,
		Topology: fatTree, Link: 1.25e9, Adapters: 1, Latency: 30000, Packet: 1500, Overhead: 500,
		Memory: 8e9,
	},
	{
		// One host with cores like those here: what ranks in one process are judged by.
		Name: "host", Nodes: 1, Units: 1, Rates: shape,
		Topology: fatTree, Link: 8e9, Adapters: 1, Latency: 500, Packet: 32768, Overhead: 500,
		Memory: 8e9,
	},
}

// The factors of rates, and of remote memory.
const (
	blueGeneSpeed = 0.2
	numaSpeed     = 0.475
	numaRemote    = 3.16 // (8/2.77 − 1/8) / (7/8)
	romeoSpeed    = 1
)
