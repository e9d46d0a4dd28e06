package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/ranks/launch"
	"github.com/gohops/hops/sssp"
)

// An engine is a row of the table below: a name, when to use it, and its options.
// open binds the options to variables; build makes an engine of them, which may use
// the ranks that this process belongs to. ranks is nil in a process on its own.
type engine struct {
	name    string
	summary string
	onRanks bool // it runs on the processes that a launcher starts
	// here names what the engine would run on, or says why it cannot. nil: any host.
	here func() (string, error)
	open func() (options []spec.Option, build func(ranks *launch.World) (graph500.Engine, error))
}

// engines is every engine there is; the first is the default.
var engines = []engine{
	{
		name:    "cpu",
		summary: "The cores of this machine, top-down and bottom-up. Use it unless you know better.",
		open: func() ([]spec.Option, func(*launch.World) (graph500.Engine, error)) {
			var o cpu.Options
			var policy policyName
			options := []spec.Option{
				spec.Int("threads", "workers; by default one for every CPU that the process may use", &o.Threads, 1, 4096),
				spec.Int("parts", "of the graph, each with its share of the workers; by default one for every NUMA node", &o.Parts, 1, 1024),
				spec.Choice("direction", "of every level; by default chosen level by level", &o.Direction, "auto", "top-down", "bottom-up", "split"),
				spec.Choice("policy", "that chooses; by default calibrated, once hops calibrate has been run here. zhang: by one speed per step, learned too", &policy, "auto", string(alphaBeta), string(calibrated), string(zhang)).
					Excludes("direction", "every level has the direction given"),
				spec.Choice("layout", "plain: rows in the order of labels, and bottom-up levels look for vertices without an edge too, to measure what the usual layout gives", &o.Layout, "remapped", cpu.Plain),
				spec.Switch("lean", "keep rows alone, which takes less memory and more time; by default where a benchmark would not fit otherwise", &o.Lean),
			}
			return options, func(*launch.World) (graph500.Engine, error) {
				words, err := policy.resolve(&o)
				engine := engineCPU(o, words)
				if !o.Lean {
					lean := o
					lean.Lean = true
					form := engineCPU(lean, words)
					engine.Lean = &form
				}
				return engine, err
			}
		},
	},
	{
		name:    "gpu",
		summary: "A GPU, through CUDA or OpenCL; grid:device=gpu takes several. Use it where there is one; without a GPU, OpenCL may run it on the CPU.",
		open:    openGPU,
		here:    gpuHere,
	},
	{
		name:    adaptiveEngine,
		summary: "The cores and a GPU together, each level on the better of the two. Calibrate first.",
		open:    openAdaptive,
		here:    gpuHere,
	},
	{
		name:    "cluster",
		summary: "Ranks that divide the vertices and exchange messages or bitmaps: processes, if mpirun starts them, or inside this one, to study what a cluster would do.",
		onRanks: true,
		open:    openCluster,
	},
	{
		name:    "grid",
		summary: "Ranks that divide the adjacency matrix into blocks, on their cores or on GPUs: processes, if mpirun starts them, or inside this one.",
		onRanks: true,
		open:    openGrid,
	},
	{
		name:    "cygraph",
		summary: "A model of the CyGraph FPGA architecture that counts cycles. Use it to study the machine; times are the model's.",
		open:    openCygraph,
	},
}

func gpuHere() (string, error) { return gpu.DeviceName(gpu.Options{}) }

// engineCPU is the engine cpu with these options and its policy in words.
func engineCPU(o cpu.Options, policy string) graph500.Engine {
	return graph500.Engine{
		Policy: policy,
		Need:   o.Need,
		Passes: csr.Passes,
		Build: func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
			return buildCPU(ctx, src, o)
		},
		Weighted: weightedCPU(o, sssp.Options{Threads: o.Threads}),
	}
}

// buildCPU searches the rows of a finished graph as they are, unless another layout is
// wanted, and builds those of another source.
func buildCPU(ctx context.Context, src hops.Source, o cpu.Options) (*cpu.Searcher, error) {
	if list, ok := src.(*graph.Source); ok && o.Layout == "" {
		return cpu.New(list.Graph(), o)
	}
	return cpu.Build(ctx, src, o)
}

// openEngine makes the engine that a string such as "cpu:threads=2" names.
func (a *app) openEngine(text string) (graph500.Engine, error) {
	if s, err := spec.Parse(text); err == nil {
		a.outdatedOptions(s)
	}
	return openEngine(text, a.ranks)
}

// outdatedOptions prints a notice for every option of an engine whose value has an earlier name.
func (a *app) outdatedOptions(s spec.Spec) {
	for _, e := range engines {
		if e.name == s.Name {
			options, _ := e.open()
			s.EachOutdated(options, func(earlier, today spec.Pair) {
				a.outdated(earlier.Key+"="+earlier.Value, today.Key+"="+today.Value)
			})
		}
	}
	a.printNotices()
}

// openEngine makes an engine on ranks. nil: in this process.
func openEngine(text string, ranks *launch.World) (graph500.Engine, error) {
	s, err := spec.Parse(text)
	if err != nil {
		return graph500.Engine{}, err
	}
	var names []string
	for _, e := range engines {
		if e.name == s.Name {
			options, build := e.open()
			if err := s.Bind(options); err != nil {
				return graph500.Engine{}, err
			}
			engine, err := build(ranks)
			engine.Name = spec.Of(e.name, options).String()
			return engine, err
		}
		names = append(names, e.name)
	}
	return graph500.Engine{}, fmt.Errorf("unknown engine %q; there are %s", s.Name, strings.Join(names, ", "))
}

// enginesOnRanks are the names of the engines that run on several processes.
func enginesOnRanks() (names []string) {
	for _, e := range engines {
		if e.onRanks {
			names = append(names, e.name)
		}
	}
	return names
}

func enginesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "engines",
		Short: "List the engines, whether they work here, and their options",
		Long: `engines lists what searches can run on, and says which engines work on this machine and
why others do not. An engine and its options are one
string, name:option=value,option=value, which every result repeats:

  hops graph500 --engine cpu:threads=2`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(c.OutOrStdout(), describeEngines())
			return err
		},
	}
}

// works says whether the engine runs on this host.
func (e *engine) works() string {
	if e.here == nil {
		return "Works here."
	}
	device, err := e.here()
	if err != nil {
		return "Does not work here: " + strings.ReplaceAll(plainly(err.Error()), "\n", "; ") + "."
	}
	return "Works here, on " + device + "."
}

func describeEngines() string {
	const column = 36 // of what an option is for
	var b strings.Builder
	for _, e := range engines {
		fmt.Fprintf(&b, "%s\n  %s\n  %s\n", e.name, e.summary, e.works())
		options, _ := e.open()
		for _, o := range options {
			option := o.Name + "=" + o.Values
			if len(option) > column {
				fmt.Fprintf(&b, "  %s\n", option)
				option = ""
			}
			fmt.Fprintf(&b, "  %-*s %s\n", column, option, o.Help)
		}
	}
	return b.String()
}

func engineNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, e := range engines {
		names = append(names, e.name+"\t"+e.summary)
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
