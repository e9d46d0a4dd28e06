package lab

import (
	"context"
	"fmt"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/plot"
)

// cygraphMachines are the engines that model the paper's hardware: 16 kernels on each of
// 1 or 4 FPGAs.
var cygraphMachines = []string{"cygraph:kernels=16", "cygraph"}

// cygraphNames are the names of cygraphMachines in figures.
var cygraphNames = []string{"1 FPGA", "4 FPGAs"}

// cygraphDegrees are the average degrees of the paper's graphs.
var cygraphDegrees = []int{8, 16, 32, 64}

// entries is the throughput in row entries a second. The paper counts edges this way:
// each edge twice, once at either end.
func (r Runs) entries() Sample {
	return r.of(func(s graph500.Search) float64 { return 2 * s.TEPS() })
}

// A cygraphPoint holds the runs of one graph on both machines.
type cygraphPoint struct {
	graph
	runs []Runs
}

// cygraphSweep searches graphs of all degrees of the paper and of four sizes, up to the
// scale of the lab.
func (l *Lab) cygraphSweep(ctx context.Context, kind func(scale, degree int) graph) (points []cygraphPoint, setting string, err error) {
	m := l.simulated()
	for _, degree := range cygraphDegrees {
		for scale := max(m.Scale-3, 4); scale <= m.Scale; scale++ {
			g := kind(scale, degree)
			runs, err := m.compare(ctx, g, cygraphMachines...)
			if err != nil {
				return nil, "", err
			}
			points = append(points, cygraphPoint{g, runs})
		}
	}
	return points, fmt.Sprintf("2^%d to 2^%d vertices, degree 8 to 64; %d roots, every tree validated",
		max(m.Scale-3, 4), m.Scale, m.Roots), nil
}

// cygraphFigure is figure 7 or 8: time and throughput over size and degree.
func cygraphFigure(ctx context.Context, l *Lab, kind func(scale, degree int) graph) (*Finding, error) {
	points, setting, err := l.cygraphSweep(ctx, kind)
	if err != nil {
		return nil, err
	}
	f := &Finding{Basis: []Basis{ModelTime}, Setting: setting}
	t := newTable("searches", "vertices:log₂", "degree:#", "FPGAs:#", "model time:s", "rate, edges at both ends:edges/s")
	var lines []curve
	var one, four Sample
	for _, p := range points {
		f.lackOf(p.runs...)
		for i, r := range p.runs {
			t.add(p.scale, p.degree, []int{1, 4}[i], r.seconds(), r.entries())
			lines = extend(lines, fmt.Sprintf("degree %d, %s", p.degree, cygraphNames[i]), float64(p.scale), r.entries())
		}
		one, four = append(one, p.runs[0].entries()...), append(four, p.runs[1].entries()...)
	}
	f.table(t)
	x := plot.Axis{Label: "vertices", Unit: "log₂"}
	f.plot(curves("Throughput, 4 FPGAs", x, plot.Axis{Label: "rate", Unit: "edges/s", Zero: true}, only(lines, 1)...))
	f.plot(curves("Throughput, 1 FPGA", x, plot.Axis{Label: "rate", Unit: "edges/s", Zero: true}, only(lines, 0)...))
	f.quote("4 FPGAs over 1", "no figure in the text", times(four, one))
	f.quote("over an earlier design on the same machine", "up to 5×", "not modelled")
	f.claim(
		larger("4 FPGAs are faster than 1", four, one, 1),
		rising("throughput of 4 FPGAs grows with the number of vertices at degree 16", lineOf(lines, "degree 16, 4 FPGAs")),
	)
	return f, nil
}

// extend adds a point to the curve with a name, which it creates if need be.
func extend(lines []curve, name string, x float64, y Sample) []curve {
	for i := range lines {
		if lines[i].name == name {
			lines[i].add(x, y)
			return lines
		}
	}
	return append(lines, curve{name, []float64{x}, []Sample{y}})
}

func lineOf(lines []curve, name string) []Sample {
	for _, c := range lines {
		if c.name == name {
			return c.y
		}
	}
	return nil
}

// only returns the curves of one of the two machines; the curves alternate between them.
func only(lines []curve, machine int) (some []curve) {
	for i, c := range lines {
		if i%2 == machine {
			some = append(some, c)
		}
	}
	return some
}
