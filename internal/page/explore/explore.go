// Package explore serves finished graphs: one page that draws what is around a vertex and
// the shortest paths between two, and the JSON interface that the page and programs ask.
//
// Only small parts of a graph travel. Every request has bounds of its work, its bytes and
// its time. A graph has a fixed number of searchers; requests wait for them in a line of
// bounded length, and what comes beyond that is told to come back later.
package explore

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/page/explore/view"
	"github.com/gohops/hops/internal/page/web"
)

const (
	// mostConnections is how many there are at once, idle ones included: the usual limit
	// of file descriptors is 1,024.
	mostConnections = 512
	// mostHeader is the size of a request in bytes; names in it are shorter.
	mostHeader = 16 << 10
	// headerTimeout is how long a reader may take to ask.
	headerTimeout = 5 * time.Second
	// idleTimeout is how long a connection may be without a request.
	idleTimeout = 30 * time.Second
	// writeTimeout is how long a reader may take to accept an answer, once it is found.
	writeTimeout = 20 * time.Second
	// queue is the number of requests that may wait for a searcher of a graph: one of every
	// connection.
	queue = mostConnections
	// mostRequests is how many requests may be open before connections with more than their
	// share are refused more. One that waits takes some 25 KB, streams of HTTP/2 included.
	mostRequests = 8192
	// DefaultTimeout is how long a request may take, the wait for a searcher included.
	DefaultTimeout = 5 * time.Second
)

// Options of a server. The zero value is good for a server that only this host reaches.
type Options struct {
	// Searchers is how many requests search a graph at once; 0 is one for every CPU.
	Searchers int
	// Timeout is how long a request may take; 0 is DefaultTimeout.
	Timeout time.Duration
	// Token is what requests for data must carry; "" is nothing.
	Token string
	// Log takes a line for every fault of the server's own; nil drops them.
	Log io.Writer
}

func (o Options) searchers() int         { return cmp.Or(o.Searchers, runtime.GOMAXPROCS(0)) }
func (o Options) timeout() time.Duration { return cmp.Or(o.Timeout, DefaultTimeout) }

// Need is an upper bound of the bytes that serving a graph of so many vertices takes
// beside the graph itself.
func (o Options) Need(vertices hops.Vertex) int64 {
	const (
		perSearcher = 16 + 1 // vertices reached from both ends; bitmaps
		tree        = 4
	)
	return int64(vertices)*(int64(o.searchers()+1)*perSearcher+tree+view.IndexPeakBytes) + cpu.Options{}.Need(vertices, 0)
}

// A Server answers questions about graphs.
type Server struct {
	opts     Options
	graphs   []*served
	counts   *counts
	open     atomic.Int64  // requests that are not answered yet
	atWork   atomic.Int64  // requests that have a place
	crowded  atomic.Bool   // more than crowd were open since the last time that none was
	giveBack func()        // returns free memory to the system
	refusing chan struct{} // one for every request that is refused because its time is over
	ready    atomic.Bool
	listener *web.Listener
}

// A Graph is what a server is given: a graph, and the name by which requests ask for it.
type Graph struct {
	Title string
	Graph *graph.Graph
}

// New returns a server of graphs, which must not be closed before it has ended. The first
// one is for requests that name none.
func New(graphs []Graph, opts Options) (*Server, error) {
	if len(graphs) == 0 {
		return nil, errors.New("explore: there is no graph to serve")
	}
	s := &Server{opts: opts, giveBack: debug.FreeOSMemory, refusing: make(chan struct{}, mostRefusing)}
	for _, g := range graphs {
		for _, other := range s.graphs {
			if other.title == g.Title {
				return nil, fmt.Errorf("explore: two graphs are called %q: rename one of the files", g.Title)
			}
		}
		s.graphs = append(s.graphs, newServed(g, opts))
	}
	s.counts = newCounts(routes)
	return s, nil
}

// check reads all graphs once. Requests are answered when that is done.
func (s *Server) check(ctx context.Context) error {
	for _, g := range s.graphs {
		if err := g.Verify(); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	s.ready.Store(true)
	return nil
}

// index makes searches for names fast, one graph after the other.
func (s *Server) index(ctx context.Context) {
	for _, g := range s.graphs {
		_ = g.Read(func() error { g.names.Index(ctx); return nil }) // requests tell what cannot be read
	}
}

// http returns the server of HTTP behind an address.
func (s *Server) http(address net.Addr, certificates *tls.Config) *http.Server {
	return &http.Server{
		Handler:           web.Guard(s.admit(s.handler()), web.Private(address)),
		ConnContext:       newClient,
		TLSConfig:         certificates,
		ReadHeaderTimeout: headerTimeout, ReadTimeout: headerTimeout, IdleTimeout: idleTimeout,
		WriteTimeout: s.opts.timeout() + writeTimeout, MaxHeaderBytes: mostHeader,
		HTTP2:    &http.HTTP2Config{WriteByteTimeout: writeTimeout},
		ErrorLog: log.New(io.Discard, "", 0), // connections that break off are no fault of ours
	}
}

// Serve answers requests until the context ends, and then those that are under way. It
// checks the graphs first: a damaged one is an error. certificates may be nil.
func (s *Server) Serve(ctx context.Context, l net.Listener, certificates *tls.Config) error {
	s.listener = web.Limit(l, mostConnections)
	server := s.http(l.Addr(), certificates)
	ended := make(chan error, 1)
	go func() {
		if certificates != nil {
			ended <- server.ServeTLS(s.listener, "", "")
		} else {
			ended <- server.Serve(s.listener)
		}
	}()
	err := s.check(ctx)
	indexing, stop := context.WithCancel(ctx)
	indexed := make(chan struct{})
	if err == nil {
		go func() { defer close(indexed); s.index(indexing) }()
		select {
		case <-ctx.Done():
		case err = <-ended:
		}
	} else {
		close(indexed)
	}
	stop()
	if ctx.Err() != nil {
		err = nil
	}
	last, cancel := context.WithTimeout(context.Background(), s.opts.timeout()+headerTimeout)
	defer cancel()
	if server.Shutdown(last) != nil {
		_ = server.Close()
	}
	<-indexed // it reads the graphs, which are closed next
	for _, g := range s.graphs {
		err = cmp.Or(err, g.close())
	}
	return err
}
