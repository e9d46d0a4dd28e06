package hdl

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A slice of a Xilinx FPGA has a flip-flop behind every look-up table. A look-up table and the
// flip-flop that it feeds, directly or through the carry chain between them, share such a
// pair; any other takes one of its own. Placement may also put unrelated ones together, which
// is not counted.

// A netlist is what yosys writes of a flattened design.
type netlist struct {
	Modules map[string]struct {
		Cells map[string]cell
	}
}

type cell struct {
	Type        string
	Connections map[string][]any // a net is a number, a constant a text
}

// pairs counts the pairs of a module that look-up tables and flip-flops take.
func pairs(text []byte, module string) (int, error) {
	var n netlist
	if err := json.Unmarshal(text, &n); err != nil {
		return 0, fmt.Errorf("hdl: netlist of yosys: %w", err)
	}
	m, ok := n.Modules[module]
	if !ok {
		return 0, errors.New("hdl: the netlist of yosys has no module " + module)
	}
	table := map[any]string{} // the look-up table that feeds a net
	count := 0
	for name, c := range m.Cells {
		if strings.HasPrefix(c.Type, "LUT") {
			table[c.Connections["O"][0]] = name
			count++
		}
	}
	for _, c := range m.Cells {
		if c.Type != "CARRY4" {
			continue
		}
		for i, sum := range c.Connections["O"] {
			if feeds, ok := table[c.Connections["S"][i]]; ok {
				table[sum] = feeds
			}
		}
	}
	taken := map[string]bool{}
	for _, c := range m.Cells {
		if !strings.HasPrefix(c.Type, "FD") {
			continue
		}
		if before, ok := table[c.Connections["D"][0]]; ok && !taken[before] {
			taken[before] = true
		} else {
			count++
		}
	}
	return count, nil
}
