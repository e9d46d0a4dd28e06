package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/human"
	"github.com/gohops/hops/internal/page"
	"github.com/gohops/hops/report"
)

// A view is what a page shows: a bar and sections. Sections are HTML already, in
// which all data is escaped.
type view struct {
	Status   string    `json:"status"`
	Done     float64   `json:"done"` // share of the phase, -1 if nobody knows
	Sections []element `json:"sections"`
}

type element struct {
	ID   string `json:"id"`
	HTML string `json:"html"`
}

func (s *Server) title() string { return fmt.Sprintf("Graph500 at scale %d", s.about.Config.Scale) }

// view is the run as it is now, as an event. The caller holds mu.
func (s *Server) view() []byte {
	v := view{Status: "The run begins.", Done: -1}
	if n := len(s.phases); n > 0 {
		v.Status, v.Done = s.phases[n-1].state(s.done.Load(), time.Now())
	}
	sections := []report.Section{s.phaseSection()}
	if n := len(s.searches); n > 0 {
		latest := s.about
		latest.Searches = s.searches[max(0, n-window):]
		sections = append(sections, report.Running(latest)...)
	}
	return event(v, sections)
}

// finalView is how the run ended.
func (s *Server) finalView(res *graph500.Result, cause error) []byte {
	v := view{Status: "The run is finished.", Done: 1}
	if cause != nil {
		v.Status, v.Done = "The run has ended early: "+cause.Error()+".", 0
	}
	sections := []report.Section{s.phaseSection()}
	if res != nil && len(res.Searches) > 0 {
		sections = append(sections, report.Progress(res)...)
	}
	return event(v, sections)
}

func (s *Server) phaseSection() page.Section {
	t := page.Table{Title: "Phases", Columns: page.Columns("phase", "time:s", "done", "rate")}
	for _, p := range s.phases {
		took, done := p.took, p.done
		if took == 0 {
			took, done = time.Since(p.began), s.done.Load()
		}
		row := []any{p.name, took, nil, nil}
		if done > 0 {
			row[2] = human.With(float64(done), p.unit)
			row[3] = human.With(float64(done)/took.Seconds(), p.unit+"/s")
		}
		t.Rows = append(t.Rows, row)
	}
	return page.Section{Title: "Progress", Tables: []page.Table{t}}
}

// state is a phase in words, and the share of it that is done.
func (p phase) state(done int64, now time.Time) (string, float64) {
	if p.total <= 0 {
		return p.name, -1
	}
	share := min(1, float64(done)/float64(p.total))
	text := fmt.Sprintf("%s: %s of %s", p.name, human.Count(float64(done)), human.With(float64(p.total), p.unit))
	if share > 0 && share < 1 {
		left := time.Duration(float64(now.Sub(p.began)) * (1 - share) / share)
		text += ", " + human.Duration(left.Round(time.Second)) + " left"
	}
	return text, share
}

// event writes a view the way server-sent events are written.
func event(v view, sections []report.Section) []byte {
	for _, s := range sections {
		var b bytes.Buffer
		id, err := s.HTML(&b)
		if err != nil {
			continue // the rest of the page is worth more
		}
		v.Sections = append(v.Sections, element{id, b.String()})
	}
	b := bytes.NewBufferString("event: view\ndata: ")
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false) // it is data, read by a script, and much longer escaped
	if err := e.Encode(v); err != nil {
		return nil
	}
	b.WriteByte('\n')
	return b.Bytes()
}
