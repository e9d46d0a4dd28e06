package explore

import (
	"context"
	"crypto/subtle"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gohops/hops/internal/base/jsontext"
)

//go:embed page openapi.json
var files embed.FS

// assets are the files that anybody may have: there is nothing of a graph in them.
var assets = []struct{ path, file, kind string }{
	{"/{$}", "page/index.html", "text/html; charset=utf-8"},
	{"/page.css", "page/page.css", "text/css; charset=utf-8"},
	{"/page.js", "page/page.js", script},
	{"/draw.js", "page/draw.js", script},
	{"/save.js", "page/save.js", script},
	{"/openapi.json", "openapi.json", "application/json"},
}

const script = "text/javascript; charset=utf-8"

// policy lets the page load its own files and nothing else. What it draws for an export
// is an image of its own.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	for _, a := range assets {
		content, _ := files.ReadFile(a.file) // it is embedded
		mux.HandleFunc("GET "+a.path, func(w http.ResponseWriter, _ *http.Request) { send(w, http.StatusOK, a.kind, content) })
	}
	for _, r := range routes {
		mux.HandleFunc("GET "+r.path, s.answer(r))
	}
	mux.HandleFunc("GET /metrics", s.serveMetrics)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { send(w, http.StatusOK, plain, []byte("ok\n")) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !s.ready.Load() {
			send(w, http.StatusServiceUnavailable, plain, []byte("the graphs are being checked\n"))
			return
		}
		send(w, http.StatusOK, plain, []byte("ok\n"))
	})
	return mux
}

const plain = "text/plain; charset=utf-8"

// send writes an answer. The reader may have gone.
func send(w http.ResponseWriter, status int, kind string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// permitted tells whether a request for data carries the token.
func (s *Server) permitted(r *http.Request) bool {
	given, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return s.opts.Token == "" || subtle.ConstantTimeCompare([]byte(given), []byte(s.opts.Token)) == 1
}

// answer serves a route.
func (s *Server) answer(r route) http.HandlerFunc {
	counts := s.counts.routes[r.path]
	return func(w http.ResponseWriter, asked *http.Request) {
		start := time.Now()
		status, body := http.StatusOK, []byte(nil)
		value, err := s.find(asked, r)
		if err == nil {
			if found, ok := value.([]byte); ok {
				body = found
			} else {
				body, err = json.Marshal(value)
			}
		}
		if err != nil {
			status = s.refuse(w, err)
		} else {
			send(w, status, "application/json", body)
		}
		counts.observe(status, time.Since(start))
	}
}

// refuse answers with an error.
func (s *Server) refuse(w http.ResponseWriter, err error) (status int) {
	status, body := s.explain(err)
	switch status {
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	send(w, status, "application/json", body)
	return status
}

// find answers one request. Its context ends with its time, and when the reader goes.
func (s *Server) find(asked *http.Request, r route) (value any, err error) {
	switch {
	case !s.permitted(asked):
		return nil, refusal{http.StatusUnauthorized, "this server wants its token: Authorization: Bearer TOKEN"}
	case !s.ready.Load():
		return nil, refusal{http.StatusServiceUnavailable, "the graphs are being checked: come back later"}
	}
	p, err := parse(asked.URL.RawQuery, r.params)
	if err != nil {
		return nil, err
	}
	g, err := s.graphNamed(p)
	if err != nil {
		return nil, err
	}
	err = g.Read(func() error {
		value, err = r.answer(asked.Context(), &request{p, s, g})
		return err
	})
	return value, err
}

func (s *Server) graphNamed(p *params) (*served, error) {
	if !p.values.Has("graph") {
		return s.graphs[0], nil
	}
	for _, g := range s.graphs {
		if g.title == p.values.Get("graph") {
			return g, nil
		}
	}
	return nil, refusal{http.StatusNotFound, fmt.Sprintf("no graph is called %.100q; /api/graphs lists them", p.values.Get("graph"))}
}

// explain turns an error into an answer. What is no fault of the reader is logged and not
// told: it may name files.
func (s *Server) explain(err error) (status int, body []byte) {
	var refused refusal
	switch {
	case errors.As(err, &refused):
		return refused.status, errorBody(refused.message)
	case errors.Is(err, errBusy):
		return http.StatusServiceUnavailable, errorBody(err.Error())
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable, errorBody(fmt.Sprintf("the answer took longer than %v", s.opts.timeout()))
	case errors.Is(err, context.Canceled): // nobody reads it
		return http.StatusServiceUnavailable, errorBody("the reader has gone")
	}
	if s.opts.Log != nil {
		fmt.Fprintf(s.opts.Log, "fault        %v\n", err)
	}
	return http.StatusInternalServerError, errorBody("the graph cannot be read; the log of the server says why")
}

func errorBody(message string) []byte {
	return append(jsontext.Append([]byte(`{"error":`), message), '}')
}
