package explore

import (
	"bytes"
	"fmt"
	"net/http"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// buckets are the upper bounds of times of requests, in seconds.
var buckets = [...]float64{0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5}

// counts are the requests so far, by route.
type counts struct{ routes map[string]*routeCounts }

type routeCounts struct {
	codes   [6]atomic.Int64 // by the first digit of the status
	times   [len(buckets)]atomic.Int64
	elapsed atomic.Int64 // nanoseconds, of all together
}

func newCounts(all []route) *counts {
	c := &counts{map[string]*routeCounts{}}
	for _, r := range all {
		c.routes[r.path] = &routeCounts{}
	}
	return c
}

func (c *routeCounts) observe(status int, took time.Duration) {
	c.codes[status/100].Add(1)
	c.elapsed.Add(int64(took))
	for i, bound := range buckets {
		if took.Seconds() <= bound {
			c.times[i].Add(1)
			return
		}
	}
}

// serveMetrics writes what Prometheus reads: its text format, version 0.0.4.
func (s *Server) serveMetrics(w http.ResponseWriter, r *http.Request) {
	if !s.permitted(r) {
		s.refuse(w, refusal{http.StatusUnauthorized, "this server wants its token"})
		return
	}
	var b bytes.Buffer
	head := func(name, kind, help string) {
		fmt.Fprintf(&b, "# HELP hops_%s %s\n# TYPE hops_%s %s\n", name, help, name, kind)
	}
	head("requests_total", "counter", "Requests answered, by route and by the first digit of the status.")
	for _, r := range routes {
		for digit := range s.counts.routes[r.path].codes {
			if n := s.counts.routes[r.path].codes[digit].Load(); n > 0 {
				fmt.Fprintf(&b, "hops_requests_total{route=%q,code=\"%dxx\"} %d\n", r.path, digit, n)
			}
		}
	}
	head("request_seconds", "histogram", "Time of requests, the wait for a searcher included.")
	for _, r := range routes {
		s.counts.routes[r.path].write(&b, r.path)
	}
	head("requests_at_work", "gauge", "Requests that are worked at, wait for a searcher, or are written.")
	fmt.Fprintf(&b, "hops_requests_at_work %d\n", s.atWork.Load())
	head("searchers_busy", "gauge", "Searchers at work.")
	for _, g := range s.graphs {
		fmt.Fprintf(&b, "hops_searchers_busy{graph=%s} %d\n", promText(g.title), g.searchers.busy())
	}
	head("requests_waiting", "gauge", "Requests that wait for a searcher.")
	for _, g := range s.graphs {
		fmt.Fprintf(&b, "hops_requests_waiting{graph=%s} %d\n", promText(g.title), g.searchers.waiting.Load()+g.whole.waiting.Load()+g.scans.waiting.Load())
	}
	head("graph_edges", "gauge", "Edges of the graph.")
	for _, g := range s.graphs {
		fmt.Fprintf(&b, "hops_graph_edges{graph=%s} %d\n", promText(g.title), g.NumEdges())
	}
	head("connections", "gauge", "Open connections, idle ones included.")
	fmt.Fprintf(&b, "hops_connections %d\n", s.connections())
	head("memory_bytes", "gauge", "Memory that the Go runtime holds, without mapped graphs.")
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(sample)
	fmt.Fprintf(&b, "hops_memory_bytes %d\n", sample[0].Value.Uint64())
	send(w, http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", b.Bytes())
}

func (s *Server) connections() int64 {
	if s.listener == nil {
		return 0
	}
	return s.listener.Open()
}

func (c *routeCounts) write(b *bytes.Buffer, path string) {
	sum, all := int64(0), int64(0)
	for i := range c.codes {
		all += c.codes[i].Load()
	}
	for i, bound := range buckets {
		sum += c.times[i].Load()
		fmt.Fprintf(b, "hops_request_seconds_bucket{route=%q,le=\"%g\"} %d\n", path, bound, sum)
	}
	fmt.Fprintf(b, "hops_request_seconds_bucket{route=%q,le=\"+Inf\"} %d\n", path, max(all, sum))
	fmt.Fprintf(b, "hops_request_seconds_sum{route=%q} %g\n", path, float64(c.elapsed.Load())/1e9)
	fmt.Fprintf(b, "hops_request_seconds_count{route=%q} %d\n", path, max(all, sum))
}

// promText writes the value of a label: only the backslash, the quote and the end of line
// are escaped.
func promText(s string) string {
	out := []byte{'"'}
	for i := range len(s) {
		switch s[i] {
		case '\\', '"':
			out = append(out, '\\', s[i])
		case '\n':
			out = append(out, `\n`...)
		default:
			out = append(out, s[i])
		}
	}
	return string(append(out, '"'))
}
