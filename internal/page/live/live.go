// Package live shows a running benchmark in a browser.
//
// A Server follows the run as its Observer and serves one page, to this host
// alone unless told otherwise. What has changed goes to open pages as server-sent
// events: a bar for the phase, and the report of the searches finished so far.
//
// The run comes first. While nobody looks, nothing is drawn. While somebody does,
// it happens once a second at most, and during the searches only between two of
// them, when no clock runs. The server ends with the run, and tells its pages.
package live

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/page/web"
)

const (
	// every is the time between two events that a page is sent.
	every = time.Second
	// window is how many searches are shown, the latest ones: what is drawn must
	// not take longer as a run goes on.
	window = 256
	// timeout is how long the run waits for a page, at its end too. More keeps a run with
	// a page that sleeps longer; less would cut off pages on a busy machine.
	timeout = 2 * time.Second
)

// A Server shows one run. It is an Observer of it.
type Server struct {
	about    graph500.Result // what is known from the start: engine, configuration
	listener net.Listener
	server   *http.Server
	limit    time.Duration // how long a page may take to accept an event, and the server to end
	done     atomic.Int64  // of the current phase

	mu       sync.Mutex
	phases   []phase
	searches []graph500.Search // the latest ones
	drawn    time.Time
	latest   []byte // the event that new pages begin with
	pages    map[chan []byte]bool
	quit     chan struct{}
	ended    bool
}

// A phase is a stretch of the run.
type phase struct {
	name, unit string
	total      int64
	began      time.Time
	took       time.Duration // 0: it goes on
	done       int64
}

// Start serves on an address: ":8080" or "8080" is a port of this host for
// this host, "host:8080" one for whoever reaches it. about is what is known of
// the run before it starts.
func Start(address string, about graph500.Result) (*Server, error) {
	return startWith(address, about, timeout)
}

// startWith is Start with another limit to how long pages are waited for.
func startWith(address string, about graph500.Result, limit time.Duration) (*Server, error) {
	listener, err := net.Listen("tcp", web.Local(address))
	if err != nil {
		return nil, fmt.Errorf("live: %w", err)
	}
	s := newServer(listener, about, limit)
	go func() { _ = s.server.Serve(web.Limit(listener, mostConnections)) }() // ends by Close
	go s.beat()
	return s, nil
}

// newServer returns a server that does not listen yet.
func newServer(listener net.Listener, about graph500.Result, limit time.Duration) *Server {
	s := &Server{about: about, listener: listener, limit: limit, pages: map[chan []byte]bool{}, quit: make(chan struct{})}
	// The time to write begins anew with every event.
	s.server = &http.Server{Handler: s.handler(), ReadTimeout: limit, WriteTimeout: limit, IdleTimeout: limit, MaxHeaderBytes: 16 << 10}
	return s
}

// URL is where the page is.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/" }

// Planned is the first that is heard of the run.
func (s *Server) Planned(p graph500.MemoryPlan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.about.Memory.MemoryPlan = p
}

// Begin opens a phase, which ends the one before.
func (s *Server) Begin(name string, total int64, unit string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finishPhase()
	s.phases = append(s.phases, phase{name: name, total: total, unit: unit, began: time.Now()})
	s.done.Store(0)
}

func (s *Server) finishPhase() {
	if n := len(s.phases); n > 0 && s.phases[n-1].took == 0 {
		p := &s.phases[n-1]
		p.took, p.done = max(time.Since(p.began), 1), s.done.Load()
	}
}

// Advance may be called by many, and often: it costs a store.
func (s *Server) Advance(done int64) { s.done.Store(done) }

// Searched comes between two searches, which is the time to draw.
func (s *Server) Searched(q graph500.Search) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done.Add(1) // the observer is told only after this
	if len(s.searches) > 0 && s.searches[0].Kernel != q.Kernel {
		s.searches = nil // the page shows one kernel
	}
	if s.searches = append(s.searches, q); len(s.searches) > 2*window {
		s.searches = append([]graph500.Search(nil), s.searches[window:]...)
	}
	if len(s.pages) > 0 && time.Since(s.drawn) >= every {
		s.publish(s.view())
	}
}

// beat draws while no search does so.
func (s *Server) beat() {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-s.quit:
			return
		case <-ticker.C:
		}
		s.mu.Lock()
		searching := len(s.phases) > 0 && s.phases[len(s.phases)-1].name == graph500.Searches
		if len(s.pages) > 0 && !searching {
			s.publish(s.view())
		}
		s.mu.Unlock()
	}
}

// publish hands an event to all pages. One that has not taken the last yet misses
// this one; the next will say all that it would have. The caller holds mu.
func (s *Server) publish(event []byte) {
	s.drawn, s.latest = time.Now(), event
	for page := range s.pages {
		select {
		case page <- event:
		default:
		}
	}
}

// Close shows how the run ended and stops the server. The result may be nil. A
// page that does not listen any more is cut off.
func (s *Server) Close(res *graph500.Result, cause error) {
	s.mu.Lock()
	if s.ended {
		s.mu.Unlock()
		return
	}
	s.ended = true
	s.finishPhase()
	s.latest = append(s.finalView(res, cause), "event: end\ndata: {}\n\n"...)
	close(s.quit) // pages take the latest event and go
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), s.limit)
	defer cancel()
	if s.server.Shutdown(ctx) != nil {
		_ = s.server.Close()
	}
}
