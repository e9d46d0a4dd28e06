// Package hdl contains CyGraph as a synthesisable hardware description, and counts its
// resources with yosys.
//
// The design is in the *.sv files: cygraph.sv is the top module, cygraph_kernel.sv
// the kernel, which does the work. sim/ holds the simulated memory. Package
// papers/cygraph models the same design, cycle for cycle; its tests simulate the design
// with Verilator and compare the two.
package hdl

import "embed"

// Sources are the files of the design and of its simulation.
//
//go:embed *.sv sim/*.cpp sim/*.h
var Sources embed.FS

// Top is the name of the top module.
const Top = "cygraph"
