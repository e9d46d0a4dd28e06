package graph500

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// The values that the benchmark prescribes. A Config that is zero means them.
const (
	DefaultScale      = 20
	DefaultEdgeFactor = 16
	DefaultRoots      = 64

	// MaxScale is that of the largest problem class.
	MaxScale = edge.MaxScale
	// MaxEdgeFactor keeps sizes in bytes within 63 bits at any scale.
	MaxEdgeFactor = 1 << 10
)

// DefaultSeeds are the seeds of the graphs that the reference generates.
var DefaultSeeds = [2]uint64{2, 3}

// A Config says what to run. The zero value is the benchmark by the book on a
// graph that any host has memory for.
type Config struct {
	Scale      int        `json:"scale"`      // 2^Scale vertices; 0: 20
	EdgeFactor float64    `json:"edgefactor"` // edges per vertex, which may be a fraction; 0: 16
	Roots      int        `json:"roots"`      // searches; 0: 64
	Seeds      *[2]uint64 `json:"seeds"`      // of the generator; nil: 2, 3
	// Kernels are those that search: KernelBFS, KernelSSSP or both with a comma. "" is
	// KernelBFS.
	Kernels string `json:"kernels,omitempty"`

	SkipValidation bool `json:"skip_validation,omitempty"` // trust the engine: no submission
	HostValidation bool `json:"host_validation,omitempty"` // the host validates all trees, also those on a device
	SkipWarmUp     bool `json:"skip_warm_up,omitempty"`    // no untimed search before the first
}

// The kernels that search: breadth first, and for shortest paths.
const (
	KernelBFS  = "bfs"
	KernelSSSP = "sssp"
)

// Runs tells whether a kernel is to run.
func (c Config) Runs(kernel string) bool {
	return slices.Contains(strings.Split(cmp.Or(c.Kernels, KernelBFS), ","), kernel)
}

func (c Config) withDefaults() Config {
	c.Scale, c.EdgeFactor, c.Roots = cmp.Or(c.Scale, DefaultScale), cmp.Or(c.EdgeFactor, DefaultEdgeFactor), cmp.Or(c.Roots, DefaultRoots)
	if c.Kernels == KernelBFS {
		c.Kernels = ""
	}
	if c.Seeds == nil {
		seeds := DefaultSeeds
		c.Seeds = &seeds
	}
	return c
}

// Check returns an error if no run can have this configuration.
func (c Config) Check() error {
	c = c.withDefaults()
	switch {
	case c.Scale < 1 || c.Scale > MaxScale:
		return fmt.Errorf("graph500: scale %d is not between 1 and %d", c.Scale, MaxScale)
	case !(c.EdgeFactor > 0 && c.EdgeFactor <= MaxEdgeFactor): // refuses NaN too
		return fmt.Errorf("graph500: edge factor %v is not above 0 and up to %d", c.EdgeFactor, MaxEdgeFactor)
	case c.Edges() < 1:
		return fmt.Errorf("graph500: with edge factor %v, scale %d has no edges", c.EdgeFactor, c.Scale)
	case !slices.Contains([]string{"", KernelSSSP, KernelBFS + "," + KernelSSSP}, c.Kernels):
		return fmt.Errorf("graph500: kernels %q: there are %s, %s and %s,%s", c.Kernels, KernelBFS, KernelSSSP, KernelBFS, KernelSSSP)
	case c.Roots < 1:
		return fmt.Errorf("graph500: %d searches: want at least 1", c.Roots)
	}
	return nil
}

// Vertices is the number of vertices, isolated ones included: 2^Scale.
func (c Config) Vertices() hops.Vertex { return 1 << c.Scale }

// Edges is the length of the edge list: EdgeFactor · 2^Scale, rounded down.
func (c Config) Edges() int64 { return int64(math.Ldexp(c.EdgeFactor, c.Scale)) }

// classes are the problem classes of the specification, version 1.2.
var classes = []struct {
	scale int
	name  string
}{{26, "toy"}, {29, "mini"}, {32, "small"}, {36, "medium"}, {39, "large"}, {42, "huge"}}

// Class names the benchmark's problem class for a scale. Scales that are no
// class of their own are placed beside those that are.
func Class(scale int) string {
	below := ""
	for _, c := range classes {
		switch {
		case scale == c.scale:
			return c.name
		case scale < c.scale && below == "":
			return "below " + c.name
		case scale < c.scale:
			return "between " + below + " and " + c.name
		}
		below = c.name
	}
	return "above " + below
}

// deviations lists what keeps a run of this configuration from being submitted
// as a Graph500 result.
func (c Config) deviations() []string {
	var why []string
	if c.SkipValidation {
		why = append(why, "validation is off")
	}
	if c.EdgeFactor != DefaultEdgeFactor {
		why = append(why, fmt.Sprintf("the edge factor is %v, not %d", c.EdgeFactor, DefaultEdgeFactor))
	}
	if c.Roots != DefaultRoots {
		why = append(why, fmt.Sprintf("%d searches were asked for, not %d", c.Roots, DefaultRoots))
	}
	return why
}
