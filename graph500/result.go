package graph500

import (
	"errors"
	"fmt"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/stats"
)

// A Result is all that a run has found out. It is what reports are made from
// and what a result file holds, whole or cut short.
type Result struct {
	Version string    `json:"version"`           // of hops
	Command string    `json:"command,omitempty"` // that repeats the run
	Started time.Time `json:"started"`

	Engine string `json:"engine"`           // with its options
	Policy string `json:"policy,omitempty"` // by which it picks its steps, in words
	Config Config `json:"config"`
	Class  string `json:"class"` // of the problem size
	Host   Host   `json:"machine"`
	Device string `json:"device,omitempty"` // that searches, where it is not the host itself
	Ranks  int    `json:"ranks"`            // processes
	Memory Memory `json:"memory"`

	Generation   time.Duration `json:"generation_ns"`   // 0: edges are generated inside the construction
	Construction time.Duration `json:"construction_ns"` // kernel 1

	Roots    []hops.Vertex `json:"roots"`
	Searches []Search      `json:"searches"`
	Energy   *Energy       `json:"energy,omitempty"`  // nil: the run did not come so far
	Earlier  int           `json:"earlier,omitempty"` // searches, the first ones, of a run that was cut short

	Summary     *Summary `json:"summary,omitempty"` // nil: nothing finished, or something was wrong
	Submittable bool     `json:"submittable"`
	Reasons     []string `json:"reasons,omitempty"` // why it is not submittable
	Invalid     string   `json:"invalid,omitempty"` // what validation found wrong: there is no score
}

// Memory is what was planned and what came of it, in bytes.
type Memory struct {
	Plan
	Finished  int64 `json:"finished_graph,omitempty"`    // the engine's, where it counts
	BuildPeak int64 `json:"construction_peak,omitempty"` // the most it used to get there
	Process   int64 `json:"process_peak,omitempty"`      // resident sets of all processes at their largest
}

// A Search is one timed search and what its validation found.
type Search struct {
	Root     hops.Vertex   `json:"root"`
	Time     time.Duration `json:"ns"`
	Device   time.Duration `json:"device_ns,omitempty"` // of it, as an accelerator counts: until the parents are in its memory
	Vertices int64         `json:"vertices"`            // in the tree
	Edges    int64         `json:"edges"`               // tuples in the component without self-loops: the reference's nedge
	Loops    int64         `json:"loops"`               // self-loop tuples; the specification counts these too
	Validate time.Duration `json:"validate_ns,omitempty"`
	Depths   []int64       `json:"depths,omitempty"` // vertices at each distance from the root, as validated
	Clock    string        `json:"clock"`            // wall, device or model
	Levels   []hops.Level  `json:"levels"`
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

// ErrInvalid is wrapped by the error of a run in which validation failed.
var ErrInvalid = errors.New("graph500: invalid tree")

// conclude sums up what was finished. The error is what ended the run, if
// anything did.
func (r *Result) conclude(cause error) error {
	if r.Memory.Process == 0 {
		r.Memory.Process = peakResident()
	}
	r.Reasons = r.Config.deviations()
	switch done := len(r.Searches); {
	case errors.Is(cause, ErrInvalid):
		r.Invalid = cause.Error()
		r.Reasons = append(r.Reasons, r.Invalid)
	case cause != nil:
		r.Reasons = append(r.Reasons, fmt.Sprintf("the run ended after %d of %d searches: %v", done, r.Config.Roots, cause))
	case done < r.Config.Roots:
		r.Reasons = append(r.Reasons, fmt.Sprintf("only %d vertices were found to search from", done))
	}
	if r.Earlier > 0 {
		r.Reasons = append(r.Reasons, fmt.Sprintf("%d searches are of an earlier run that was cut short", r.Earlier))
	}
	if len(r.Searches) > 0 && r.Searches[0].Clock == hops.Model.String() {
		r.Reasons = append(r.Reasons, "the clock is that of a model")
	}
	r.Submittable = len(r.Reasons) == 0
	if r.Invalid != "" || len(r.Searches) == 0 {
		return cause
	}
	summary, err := Summarize(r.Searches, !r.Config.SkipValidation)
	if err != nil && cause == nil {
		return err
	}
	r.Summary = summary
	return cause
}

// Summarize sums up searches, all of a run or those that there are by now.
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
