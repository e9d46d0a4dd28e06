package graph500

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/gohops/hops"
)

// Audit recomputes what follows from the searches: the summary, and whether the result
// can be submitted. It corrects the result and returns what was otherwise in it. A
// result file may have been edited, or damaged.
func (r *Result) Audit() (differences []string) {
	checked := *r
	checked.Summary = nil
	if r.SSSP != nil {
		shortest := *r.SSSP
		shortest.Summary, checked.SSSP = nil, &shortest
	}
	if r.Invalid == "" {
		_ = checked.summarize() // without rates there is no summary
	}
	if !alike(checked.Summary, r.Summary) || r.SSSP != nil && !alike(checked.SSSP.Summary, r.SSSP.Summary) {
		differences = append(differences, "the summary is not that of the searches")
		r.Summary, r.SSSP = checked.Summary, checked.SSSP
	}
	if reasons := r.obstacles(); r.Submittable && len(reasons) > 0 {
		differences = append(differences, fmt.Sprintf("the result says that it can be submitted, but %s", reasons[0]))
		r.Submittable, r.Reasons = false, reasons
	} else if r.Submittable && len(r.Reasons) > 0 || !r.Submittable && len(r.Reasons) == 0 {
		differences = append(differences, "whether the result can be submitted is not what its reasons say")
		r.Submittable = false
	}
	return differences
}

// obstacles are the reasons against a submission that the content of a result shows.
func (r *Result) obstacles() []string {
	reasons := r.Config.deviations()
	if r.Invalid != "" {
		reasons = append(reasons, r.Invalid)
	}
	for _, v := range r.Views() {
		if len(v.Searches) < r.Config.Roots {
			reasons = append(reasons, fmt.Sprintf("there are only %d of %d searches", len(v.Searches), r.Config.Roots))
		}
		if v.Earlier > 0 {
			reasons = append(reasons, fmt.Sprintf("%d searches are of an earlier run that was cut short", v.Earlier))
		}
		if len(v.Searches) > 0 && v.Searches[0].Clock == hops.Model.String() {
			reasons = append(reasons, "the clock is that of a model")
		}
	}
	return reasons
}

// alike tells whether two values are the same in JSON, but for the last digits of
// numbers, which other processors round differently.
func alike(a, b any) bool {
	plain := func(x any) (y any) {
		text, err := json.Marshal(x)
		if err == nil {
			err = json.Unmarshal(text, &y)
		}
		if err != nil {
			return err.Error()
		}
		return y
	}
	return alikeJSON(plain(a), plain(b))
}

func alikeJSON(a, b any) bool {
	switch x := a.(type) {
	case float64:
		y, ok := b.(float64)
		return ok && math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y))
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for key := range x {
			if !alikeJSON(x[key], y[key]) {
				return false
			}
		}
		return true
	}
	return a == b
}
