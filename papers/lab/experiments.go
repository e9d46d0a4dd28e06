package lab

// Experiments are all figures and tables of the papers that the lab repeats, in
// the order of the papers.
var Experiments = []Experiment{
	{
		ID: "checconi/fig4", Title: "Bandwidth by packet size", Needs: "a 5D torus of BlueGene/Q", Run: checconiFig4,
		Trend: "Small packets waste the network: bandwidth grows with the size of packets until it levels off.",
	},
	{
		ID: "checconi/fig5", Title: "Entries per level, plain and direction-optimised", Run: checconiFig5,
		Trend: "Most entries fall into one central level, and direction optimisation looks at some 20 times fewer of them.",
	},
	{
		ID: "checconi/fig6", Title: "Messages per level by kind", Needs: "a cluster", Run: checconiFig6,
		Trend: "Direction optimisation cuts the number of messages drastically; what is left are probes and claims of the bottom-up levels.",
	},
	{
		ID: "checconi/fig7", Title: "Bulk-synchronous against asynchronous exchange", Needs: "a cluster", Run: checconiFig7,
		Trend: "Counting, exchanging counts and then edges is about five times slower than sending packets as they fill.",
	},
	{
		ID: "checconi/fig8", Title: "Bytes per edge and level, with and without compression", Needs: "a cluster", Run: checconiFig8,
		Trend: "An edge takes 6 bytes plainly and between 4 and 5 compressed in the central levels; in light levels headers dominate.",
	},
	{
		ID: "checconi/fig9", Title: "Impact of each optimisation", Needs: "a cluster", Run: checconiFig9,
		Trend: "Direction optimisation gives the largest speed-up, almost an order of magnitude more than compression and load balancing.",
	},
	{
		ID: "checconi/fig10", Title: "Weak scaling with quartiles and harmonic mean", Needs: "65,536 nodes of BlueGene/Q", Run: checconiFig10,
		Trend: "Scaling is close to ideal up to 16 racks and gets worse on larger machines, up to 15.3 TTEPS on 65,536 nodes.",
	},
	{
		ID: "checconi/fig11", Title: "Thread scaling", Run: checconiFig11,
		Trend: "TEPS grow with the threads of a node, beyond its cores up to four threads on each.",
	},
	{
		ID: "checconi/fig12", Title: "1D against 2D partition, weak scaling", Needs: "a cluster", Run: checconiFig12,
		Trend: "The 1D code is faster than the earlier 2D code at every size: 1.4 TTEPS against 254 GTEPS on 4,096 nodes.",
	},
	{
		ID: "checconi/fig13", Title: "Time per phase and level", Needs: "a cluster", Run: checconiFig13,
		Trend: "The central levels take most of the time, and scanning edges takes most of theirs, because communication overlaps with it.",
	},
	{
		ID: "checconi/fig14", Title: "Edge list, skip list, skip list with coarse index", Needs: "a cluster", Run: checconiFig14,
		Trend: "Without an index light levels pay for passing over all rows; the index costs little in the central levels and saves that several times.",
	},
	{
		ID: "zhang/fig4", Title: "Rate by scale against two other codes", Needs: "a processor with an integrated GPU", Run: zhangFig4,
		Trend: "The adaptive code is faster than a hybrid with fixed parameters (2.3 times) and than one on the CPU alone (1.1 times) at every scale.",
	},
	{
		ID: "zhang/fig5", Title: "Energy: traversed edges per second and watt", Needs: "a processor with an integrated GPU, and a power meter", Run: zhangFig5,
		Trend: "The adaptive code needs the least energy: 2.3 times less than fixed parameters, 1.6 times less than the CPU alone.",
	},
	{
		ID: "zhang/table5", Title: "Time of every strategy on every level", Needs: "a processor with an integrated GPU", Run: zhangTable5,
		Trend: "No strategy suits all levels: top-down is best while the frontier is small, bottom-up where it is large.",
	},
	{
		ID: "zhang/table6", Title: "Vertices before and after remapping", Run: zhangTable6,
		Trend: "Dropping vertices of degree zero saves about 48 % of them, more with every scale.",
	},
	{
		ID: "zhang/model", Title: "Steps chosen against the best in hindsight", Needs: "a processor with an integrated GPU", Run: zhangModel,
		Trend: "A performance model that is asked before each level picks a suitable step, where fixed choices do not.",
	},
	{
		ID: "zhang/remapping", Title: "Searches and construction with and without remapping", Run: zhangRemapping,
		Trend: "Rows ordered by degree, without vertices of degree zero, make searches faster, and take 41.5 % of the preprocessing.",
	},
	{
		ID: "zhang/bytemap", Title: "The next frontier as bits, bytes or words", Needs: "a GPU", Run: zhangByteMap,
		Trend: "Bottom-up, a map of one byte for each vertex is better than a bitmap, which needs atomic operations.",
	},
	{
		ID: "zhang/together", Title: "Host and device at work at the same time", Needs: "a GPU", Run: zhangTogether,
		Trend: "Running CPU and GPU simultaneously does not result in further performance improvements.",
	},
	{
		ID: "cui/fig3", Title: "Speed-up by cores and sockets", Needs: "several sockets", Run: cuiFig3,
		Trend: "Eight cores of one socket are 6.98 times as fast as one; eight sockets are only 2.77 times as fast as one, because most memory is then remote.",
	},
	{
		ID: "cui/fig4", Title: "Bandwidth between two nodes by ranks per node", Needs: "two hosts with two InfiniBand ports each", Run: cuiFig4,
		Trend: "Several ranks per node that send at once reach the full bandwidth of the network; one reaches about half.",
	},
	{
		ID: "cui/fig6", Title: "Steps of an allgather: plain, by leaders, shared", Needs: "16 eight-socket nodes", Run: cuiFig6,
		Trend: "With a leader on each node, gathering to it and distributing from it take longer than the exchange between nodes; sharing memory removes both.",
	},
	{
		ID: "cui/fig9", Title: "Each optimisation in turn", Needs: "16 eight-socket nodes", Run: cuiFig9,
		Trend: "One rank per socket gives 1.53 times the speed of one per node, sharing and parallel gathering more, a coarser summary more still: 2.44 times in all.",
	},
	{
		ID: "cui/fig10", Title: "Placement policies on one node", Needs: "several sockets", Run: cuiFig10,
		Trend: "One rank per socket, bound to it, is 1.74 times as fast as one rank with interleaved memory, and 2.08 times as fast as eight that are not bound.",
	},
	{
		ID: "cui/fig11", Title: "Where the time goes: top-down, bottom-up, communication, switch, stall", Needs: "an eight-socket node", Run: cuiFig11,
		Trend: "Most vertices are reached bottom-up, and bottom-up computation takes most of the time on one node.",
	},
	{
		ID: "cui/fig12", Title: "Cost of communication by number of nodes", Needs: "8 eight-socket nodes", Run: cuiFig12,
		Trend: "Every communication phase grows with the nodes, and costs more with eight ranks per node than with one: its share of the time rises from 12 % to 54 %.",
	},
	{
		ID: "cui/fig13", Title: "Time of a communication phase, each way to gather", Needs: "16 eight-socket nodes", Run: cuiFig13,
		Trend: "Sharing the bitmaps of a node halves the time of a communication phase, and parallel gathering brings it to a quarter on eight nodes.",
	},
	{
		ID: "cui/fig14", Title: "Share of communication, each way to gather", Needs: "8 eight-socket nodes", Run: cuiFig14,
		Trend: "The share of bottom-up communication on eight nodes falls from 54 % without the optimisations to 18 % with all.",
	},
	{
		ID: "cui/fig15", Title: "Weak scaling, each way to gather", Needs: "16 eight-socket nodes", Run: cuiFig15,
		Trend: "The optimised versions scale better than the original from 1 to 16 nodes.",
	},
	{
		ID: "cui/fig16", Title: "Granularity of the summary", Needs: "16 eight-socket nodes, a bitmap larger than the caches", Run: cuiFig16,
		Trend: "A summary bit for 256 vertices is best: finer ones do not fit the cache, coarser ones are rarely zero.",
	},
	{
		ID: "cui/bytes", Title: "The formulas for bytes gathered against bytes counted", Needs: "a cluster", Run: cuiBytes,
		Trend: "Gathering m bytes on np ranks moves m·(np-1) bytes (1); by hosts, with all ranks of a host in parallel, m·(np/8-1) (2): as many as with one rank per host.",
	},
	{
		ID: "romeo/table3.1", Title: "Entries per iteration: top-down, bottom-up, hybrid", Run: romeoTable31,
		Trend: "Each direction alone looks at some 24 million entries; their hybrid takes the better of each iteration and looks at 38 times fewer.",
	},
	{
		ID: "romeo/fig3.4a", Title: "Time per iteration of both directions, and their minimum", Run: romeoFig34a,
		Trend: "Top-down is faster in the first iterations, bottom-up in the middle, and the hybrid takes the best time of each.",
	},
	{
		ID: "romeo/fig3.4b", Title: "One CPU against one accelerator", Needs: "a GPU", Run: romeoFig34b,
		Trend: "One GPU (K20Xm) is twice as fast as the best CPU code of the benchmark's site on a node.",
	},
	{
		ID: "romeo/sec3.4.5", Title: "Exchange through the host against exchange from device to device", Needs: "GPUs", Run: romeoStaging,
		Trend: "The transfers between host and device took too long; a library that moves memory from GPU to GPU made the exchange faster.",
	},
	{
		ID: "romeo/fig3.5", Title: "Strong and weak scaling of the 2D algorithm", Needs: "64 GPUs", Run: romeoFig35,
		Trend: "At a fixed scale of 21 the code scales up to 16 GPUs and is slower on 64; when the graph grows with the GPUs it reaches 12 GTEPS.",
	},
	{
		ID: "romeo/fig3.6", Title: "Two ways of placing ranks on devices", Needs: "a GPU cluster", Run: romeoFig36,
		Trend: "One GPU per node, next to the network adapter, beats using both: 13.7 GTEPS on 64 GPUs against 12 on 256, because two GPUs share one adapter.",
	},
	{
		ID: "cygraph/fig7", Title: "Random graphs: CyGraph against the earlier design of Betkaoui et al.", Needs: "a Convey HC-2 with four Virtex-5 FPGAs", Run: cygraphFigure(uniform),
		Trend: "CyGraph on 4 FPGAs is ahead of the earlier design on random graphs of degree 8 and 16; the two are close at higher degrees.",
	},
	{
		ID: "cygraph/fig8", Title: "R-MAT graphs: CyGraph against the earlier design of Betkaoui et al.", Needs: "a Convey HC-2 with four Virtex-5 FPGAs", Run: cygraphFigure(rmat),
		Trend: "CyGraph on 4 FPGAs is ahead of the earlier design on R-MAT graphs of degree 8 and 16; the two are close at higher degrees.",
	},
	{
		ID: "cygraph/fig9", Title: "Effect of the average degree", Needs: "a Convey HC-2 with four Virtex-5 FPGAs", Run: cygraphFig9,
		Trend: "The sparser the graph, the larger the speed-up over the earlier design, up to 5×: that one loops over all vertices on every level, however few are updated.",
	},
	{
		ID: "cygraph/table1", Title: "Resources of the synthesised design", Needs: "yosys", Run: cygraphTable1,
		Trend: "16 kernels and the platform take 53 % of the look-up tables and 55 % of the block RAM of a Virtex-5 LX330; as one of four, with the ring between them, 55 % and 55 %.",
	},
	{
		ID: "cygraph/requests", Title: "Memory requests per edge against the plain algorithm", Run: cygraphRequests,
		Trend: "Row words that answer two questions at once, and vertices visited when they are found, leave five memory requests of eight.",
	},
}

// Papers are the titles of the five papers, by the first half of an experiment's ID.
var Papers = map[string]string{
	"checconi": "F. Checconi and F. Petrini, Traversing Trillions of Edges in Real-time (BlueGene/Q)",
	"zhang":    "F. Zhang et al., An adaptive breadth-first search algorithm on integrated architectures (AMD APU)",
	"cui":      "Z. Cui et al., Evaluation and Optimization of Breadth-First Search on NUMA Cluster",
	"romeo":    "Communication Wall: Graph500 (ROMEO, a GPU cluster)",
	"cygraph":  "O. Attia et al., CyGraph: A Reconfigurable Architecture for Parallel Breadth-First Search (Convey HC-2)",
}
