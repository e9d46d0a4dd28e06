// Package hdl is CyGraph as a synthesisable hardware description, and the means
// to simulate it with Verilator and to count its resources with yosys.
//
// The design is in the *.sv files: cygraph.sv is the whole, cygraph_kernel.sv
// the part that matters. sim/ holds the memory that the simulation runs on. The
// cycle model of package engine/cygraph does the same in the same cycles.
package hdl

import "embed"

// Sources are the design and its simulation.
//
//go:embed *.sv sim/*.cpp sim/*.h
var Sources embed.FS

// Top is the module that has everything in it.
const Top = "cygraph"
