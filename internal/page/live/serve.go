package live

import (
	"bytes"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"time"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/human"
	"github.com/gohops/hops/internal/page/page"
	"github.com/gohops/hops/internal/page/web"
	"github.com/gohops/hops/report"
)

//go:embed live.html
var layout string

var shell = template.Must(template.New("live").Parse(layout))

const (
	// mostPages is how many may look at once.
	mostPages = 16
	// mostConnections is how many connections there are at once, idle ones included:
	// the run needs file descriptors too. A page takes two.
	mostConnections = 4 * mostPages
)

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.servePage)
	mux.HandleFunc("GET /events", s.serveEvents)
	return web.Guard(mux, web.Private(s.listener.Addr()))
}

func (s *Server) servePage(w http.ResponseWriter, _ *http.Request) {
	nonce := rand.Text()
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; img-src data:; connect-src 'self'; style-src 'unsafe-inline'; script-src 'nonce-"+nonce+"'")
	h.Set("X-Content-Type-Options", "nosniff")
	_ = shell.Execute(w, map[string]any{ // the reader may have gone
		"Nonce": nonce, "CSS": template.CSS(page.CSS), "Title": s.title(), "Subtitle": s.about.Engine,
	})
}

// serveEvents sends what is known, then news, and last the end.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	news := make(chan []byte, 1)
	s.mu.Lock()
	if len(s.pages) >= mostPages {
		s.mu.Unlock()
		http.Error(w, "too many pages are open", http.StatusServiceUnavailable)
		return
	}
	s.pages[news] = true
	if !s.ended && time.Since(s.drawn) >= every { // pages that come and go do not make it draw more often
		s.drawn, s.latest = time.Now(), s.view()
	}
	first := s.latest
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.pages, news)
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	stream := http.NewResponseController(w)
	send := func(event []byte) bool {
		_ = stream.SetWriteDeadline(time.Now().Add(s.limit))
		_, err := w.Write(event)
		return err == nil && stream.Flush() == nil
	}
	for ok := send(first); ok; {
		select {
		case event := <-news:
			ok = send(event)
		case <-s.quit:
			s.mu.Lock()
			last := s.latest
			s.mu.Unlock()
			send(last)
			return
		case <-r.Context().Done():
			return
		}
	}
}

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
