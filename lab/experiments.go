package lab

// Experiments are all figures and tables of the papers that the lab repeats, in
// the order of the papers.
var Experiments = []Experiment{
	checconiFig4,
	checconiFig5,
	checconiFig6,
	checconiFig7,
	checconiFig8,
	checconiFig9,
	checconiFig10,
	checconiFig11,
	checconiFig12,
	checconiFig13,
	checconiFig14,

	zhangFig4,
	zhangFig5,
	zhangTable5,
	zhangTable6,
	zhangModel,

	cuiFig3,
	cuiFig4,
	cuiFig6,
	cuiFig9,
	cuiFig10,
	cuiFig11,
	cuiFig12,
	cuiFig13,
	cuiFig14,
	cuiFig15,
	cuiFig16,
	cuiBytes,

	romeoTable31,
	romeoFig34a,
	romeoFig34b,
	romeoFig35,
	romeoFig36,

	cygraphFig7,
	cygraphFig8,
	cygraphFig9,
	cygraphTable1,
	cygraphRequests,
}

// Papers are the titles of the five papers, by the first half of an experiment's ID.
var Papers = map[string]string{
	"checconi": "F. Checconi and F. Petrini, Traversing Trillions of Edges in Real-time (BlueGene/Q)",
	"zhang":    "F. Zhang et al., An adaptive breadth-first search algorithm on integrated architectures (AMD APU)",
	"cui":      "Z. Cui et al., Evaluation and Optimization of Breadth-First Search on NUMA Cluster",
	"romeo":    "Communication Wall: Graph500 (ROMEO, a GPU cluster)",
	"cygraph":  "O. Attia et al., CyGraph: A Reconfigurable Architecture for Parallel Breadth-First Search (Convey HC-2)",
}
