package graph500

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/stats"
)

// A Result is everything that a run has measured, complete or cut short. Reports are
// made from it, and a result file holds it.
type Result struct {
	Version string    `json:"version"`           // version of hops
	Command string    `json:"command,omitempty"` // the command line that repeats the run
	Started time.Time `json:"started"`

	Engine string `json:"engine"`           // with its options
	Policy string `json:"policy,omitempty"` // how the engine picks its steps, in words
	Config Config `json:"config"`
	Class  string `json:"class"` // problem class
	Host   Host   `json:"machine"`
	Device string `json:"device,omitempty"` // the device that searches, empty if the host itself does
	Tree   string `json:"tree,omitempty"`   // "device": the trees stay there, and the clock stops when they are complete
	Ranks  int    `json:"ranks"`            // processes
	MPI    string `json:"mpi,omitempty"`    // library and version that connects them
	Memory Memory `json:"memory"`

	Generation   time.Duration `json:"generation_ns"`   // 0: edges are generated inside the construction
	Construction time.Duration `json:"construction_ns"` // kernel 1

	Roots    []hops.Vertex `json:"roots"`
	Searches []Search      `json:"searches"`
	Copied   *Copied       `json:"copied,omitempty"`  // nil: trees are in the memory of the host anyway
	Energy   *Energy       `json:"energy,omitempty"`  // nil: the run ended before it was measured
	Earlier  int           `json:"earlier,omitempty"` // how many of the first searches are from an earlier run that was cut short
	SSSP     *Shortest     `json:"sssp,omitempty"`    // kernel 3; nil: it did not run. The fields before and after are kernel 2's

	Summary     *Summary `json:"summary,omitempty"` // nil: no search finished, or a tree was invalid
	Submittable bool     `json:"submittable"`
	Reasons     []string `json:"reasons,omitempty"` // why it is not submittable
	Invalid     string   `json:"invalid,omitempty"` // what validation found wrong: there is no score
}

// Shortest is what kernel 3 has measured. Its fields are those of a Result for kernel 2.
type Shortest struct {
	Searches []Search `json:"searches"`
	Energy   *Energy  `json:"energy,omitempty"`
	Earlier  int      `json:"earlier,omitempty"`
	Summary  *Summary `json:"summary,omitempty"`
}

// Views are the result as each kernel that ran has it, for readers that know one kernel
// only: the searches and the summary of a view are the kernel's.
func (r *Result) Views() (all []*Result) {
	if r.Config.Runs(KernelBFS) {
		all = append(all, r)
	}
	if s := r.SSSP; s != nil {
		view := *r
		view.Searches, view.Energy, view.Earlier, view.Summary, view.Copied = s.Searches, s.Energy, s.Earlier, s.Summary, nil
		all = append(all, &view)
	}
	return all
}

// Memory is the memory plan of a run and what the run used, in bytes.
type Memory struct {
	MemoryPlan
	Finished  int64 `json:"finished_graph,omitempty"`    // the finished graph, if the engine reports it
	BuildPeak int64 `json:"construction_peak,omitempty"` // the most that building the graph used
	Process   int64 `json:"process_peak,omitempty"`      // resident sets of all processes at their largest
}

// A Search is one timed search and what its validation found.
type Search struct {
	Root     hops.Vertex   `json:"root"`
	Time     time.Duration `json:"ns"`
	Device   time.Duration `json:"device_ns,omitempty"` // by the clock of an accelerator: until the parents are in its memory
	Vertices int64         `json:"vertices"`            // in the tree
	Edges    int64         `json:"edges"`               // tuples in the component without self-loops: the reference's nedge
	Loops    int64         `json:"loops"`               // self-loop tuples; the specification counts these too
	Validate time.Duration `json:"validate_ns,omitempty"`
	// HostValidated tells that the host has validated a tree that stayed on a device.
	HostValidated bool `json:"host_validated,omitempty"`

	Depths []int64      `json:"depths,omitempty"` // vertices at each distance from the root, as validated
	Clock  string       `json:"clock"`            // wall, device or model
	Kernel string       `json:"-"`                // that searched; "" is KernelBFS
	Levels []hops.Level `json:"levels"`
}

// TEPS is the rate of a search in traversed edges per second.
func (s Search) TEPS() float64 { return float64(s.Edges) / s.Time.Seconds() }

// A Summary holds the figures that the benchmark asks for. Times are seconds.
type Summary struct {
	Time     stats.Summary     `json:"time"`
	Edges    stats.Summary     `json:"nedge"`
	TEPS     stats.RateSummary `json:"teps"`
	Validate *stats.Summary    `json:"validate,omitempty"` // nil: validation was off

	Device *DeviceSummary `json:"device,omitempty"` // nil: no accelerator has its own clock
}

// A DeviceSummary holds the figures by the clock of an accelerator.
type DeviceSummary struct {
	Time stats.Summary     `json:"time"`
	TEPS stats.RateSummary `json:"teps"`
}

// Copied are searches after the score, from the first roots again, whose clock stopped
// when the tree had been copied from the device to the host.
type Copied struct {
	Searches int               `json:"searches"`
	Time     stats.Summary     `json:"time"`
	TEPS     stats.RateSummary `json:"teps"`
}

// ErrInvalid is wrapped by the error of a run in which validation failed.
var ErrInvalid = errors.New("graph500: invalid tree")

// cutShort begins the reason of a run that ended before its last search.
const cutShort = "the run ended after "

// Finished tells whether the run did all that it set out to do.
func (r *Result) Finished() bool {
	for _, v := range r.Views() {
		if !slices.EqualFunc(v.Searches, r.Roots, func(s Search, root hops.Vertex) bool { return s.Root == root }) {
			return false
		}
	}
	return r.Invalid == "" && len(r.Roots) > 0 && (r.SSSP != nil || !r.Config.Runs(KernelSSSP)) &&
		!slices.ContainsFunc(r.Reasons, func(s string) bool { return strings.HasPrefix(s, cutShort) })
}

// conclude computes the summary of the searches that are finished. cause is the error
// that ended the run, or nil.
func (r *Result) conclude(cause error) error {
	if r.Memory.Process == 0 {
		r.Memory.Process = peakResident()
	}
	r.Reasons = r.Config.deviations()
	if errors.Is(cause, ErrInvalid) {
		r.Invalid = cause.Error()
		r.Reasons = append(r.Reasons, r.Invalid)
	} else {
		r.Reasons = append(r.Reasons, r.shortfall(cause)...)
	}
	r.Submittable = len(r.Reasons) == 0
	if r.Invalid != "" {
		return cause
	}
	return cmp.Or(cause, r.summarize())
}

// shortfall says what keeps the searches of a result from being complete.
func (r *Result) shortfall(cause error) (reasons []string) {
	add := func(format string, args ...any) { reasons = append(reasons, fmt.Sprintf(format, args...)) }
	views := r.Views()
	if cause != nil && len(views) > 0 {
		add(cutShort+"%d of %d searches: %v", len(views[len(views)-1].Searches), r.Config.Roots, cause)
	}
	for _, v := range views {
		if done := len(v.Searches); cause == nil && done < r.Config.Roots {
			add("only %d vertices were found to search from", done)
		}
		if v.Earlier > 0 {
			add("%d searches are of an earlier run that was cut short", v.Earlier)
		}
		if len(v.Searches) > 0 && v.Searches[0].Clock == hops.Model.String() {
			add("the clock is that of a model")
		}
	}
	return reasons
}

// summarize computes the summaries of all kernels.
func (r *Result) summarize() (err error) {
	if len(r.Searches) > 0 {
		r.Summary, err = Summarize(r.Searches, !r.Config.SkipValidation)
	}
	if s := r.SSSP; s != nil && len(s.Searches) > 0 && err == nil {
		s.Summary, err = Summarize(s.Searches, !r.Config.SkipValidation)
	}
	return err
}

// Summarize computes the summary of searches: all of a run, or those finished so far.
func Summarize(searches []Search, validated bool) (*Summary, error) {
	var seconds, edges, validate []float64
	var counts []int64
	for _, s := range searches {
		seconds = append(seconds, s.Time.Seconds())
		edges = append(edges, float64(s.Edges))
		counts = append(counts, s.Edges)
		validate = append(validate, s.Validate.Seconds())
	}
	teps, err := stats.TEPS(seconds, counts)
	if err != nil {
		return nil, fmt.Errorf("graph500: %w", err)
	}
	sum := &Summary{Time: stats.Summarize(seconds), Edges: stats.Summarize(edges), TEPS: teps}
	if validated {
		v := stats.Summarize(validate)
		sum.Validate = &v
	}
	sum.Device, err = summarizeDevice(searches)
	return sum, err
}

// summarizeDevice returns nil unless every search was timed by a device.
func summarizeDevice(searches []Search) (*DeviceSummary, error) {
	var seconds []float64
	var counts []int64
	for _, s := range searches {
		if s.Device <= 0 {
			return nil, nil
		}
		seconds = append(seconds, s.Device.Seconds())
		counts = append(counts, s.Edges)
	}
	teps, err := stats.TEPS(seconds, counts)
	if err != nil {
		return nil, fmt.Errorf("graph500: device: %w", err)
	}
	return &DeviceSummary{Time: stats.Summarize(seconds), TEPS: teps}, nil
}
