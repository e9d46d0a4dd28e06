package lab

// Experiments are all figures and tables of the papers that the lab repeats, in
// the order of the papers.
var Experiments = []Experiment{
	checconiFig5,
	checconiFig11,

	zhangTable5,
	zhangTable6,
	zhangModel,

	cuiFig3,

	romeoTable31,
	romeoFig34a,
	romeoFig34b,

	cygraphFig7,
	cygraphFig8,
	cygraphFig9,
	cygraphTable1,
	cygraphRequests,
}

// Papers are the five, by the first half of an ID.
var Papers = map[string]string{
	"checconi": "F. Checconi and F. Petrini, Traversing Trillions of Edges in Real-time (BlueGene/Q)",
	"zhang":    "F. Zhang et al., An adaptive breadth-first search algorithm on integrated architectures (AMD APU)",
	"cui":      "Z. Cui et al., Evaluation and Optimization of Breadth-First Search on NUMA Cluster",
	"romeo":    "Communication Wall: Graph500 (ROMEO, a GPU cluster)",
	"cygraph":  "O. Attia et al., CyGraph: A Reconfigurable Architecture for Parallel Breadth-First Search (Convey HC-2)",
}
