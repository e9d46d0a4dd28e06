package graph500

import (
	"encoding/json"
	"strings"
	"testing"
)

// A result that was edited is found out; one that was not, and was read from its file,
// is not.
func TestAudit(t *testing.T) {
	cfg := Config{Scale: 8}
	res, err := Run(t.Context(), cfg, serialEngine(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		edit func(r *Result)
		want string
	}{
		"untouched":   {func(*Result) {}, ""},
		"score":       {func(r *Result) { r.Summary.TEPS.HarmonicMean *= 2 }, "the summary is not that of the searches"},
		"search":      {func(r *Result) { r.Searches[3].Time /= 2 }, "the summary is not that of the searches"},
		"no summary":  {func(r *Result) { r.Summary = nil }, "the summary is not that of the searches"},
		"fewer":       {func(r *Result) { r.Searches = r.Searches[:9] }, "only 9 of 64 searches"},
		"unvalidated": {func(r *Result) { r.Config.SkipValidation = true }, "can be submitted, but"},
		"continued":   {func(r *Result) { r.Earlier = 3 }, "3 searches are of an earlier run"},
		"reasons":     {func(r *Result) { r.Reasons = []string{"it rained"} }, "not what its reasons say"},
	} {
		var r Result
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		c.edit(&r)
		got := strings.Join(r.Audit(), "; ")
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if again := r.Audit(); len(again) > 0 && name != "reasons" {
			t.Errorf("%s: after the correction: %q", name, again)
		}
	}
}
