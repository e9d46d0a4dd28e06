package explore

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
)

// perClient is how many requests of one connection are worked at or written at once. The others
// of a connection of HTTP/2 wait in its own line: a client with hundreds of requests does not
// delay other clients, and a client that does not read keeps the memory of few answers.
const perClient = 4

// mostRefusing is how many requests are refused at once when their time is over. Thousands that
// came together end together; a request that can be answered does not wait until all have run.
const mostRefusing = 8

// crowd is a number of open requests whose memory is worth giving back: some 25 MB.
const crowd = mostRequests / 8

// A client is a connection.
type client struct {
	places chan struct{} // of for its requests at work
	open   atomic.Int64  // its requests that are not answered yet
}

type clientKey struct{}

// newClient gives a connection its places.
func newClient(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, clientKey{}, &client{places: make(chan struct{}, perClient)})
}

// admit lets requests to next when there is a place for them. Their time begins before: a request
// that waits too long is told to come back. So is, at once, a request that comes while too many
// are open, if its connection has more than a fair share of them. A place is kept until the answer
// is written, for which there is a limit of time; a searcher is given back before.
func (s *Server) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, ok := r.Context().Value(clientKey{}).(*client)
		if !ok {
			c = &client{places: make(chan struct{}, 1)}
		}
		ctx, cancel := context.WithTimeout(r.Context(), s.opts.timeout())
		defer cancel()
		all, own := s.open.Add(1), c.open.Add(1)
		defer s.leave(c)
		if all > crowd {
			s.crowded.Store(true)
		}
		if all > mostRequests && own > mostRequests/mostConnections {
			s.refuse(w, errBusy)
			return
		}
		select {
		case c.places <- struct{}{}:
			defer func() { <-c.places }()
		case <-ctx.Done():
			s.refusing <- struct{}{}
			defer func() { <-s.refusing }()
			s.refuse(w, ctx.Err())
			return
		}
		s.atWork.Add(1)
		defer s.atWork.Add(-1)
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// leave ends a request. After a crowd, the last one gives its memory back to the system, which the
// runtime would keep for the next.
func (s *Server) leave(c *client) {
	c.open.Add(-1)
	if s.open.Add(-1) == 0 && s.crowded.Swap(false) {
		go s.giveBack()
	}
}
