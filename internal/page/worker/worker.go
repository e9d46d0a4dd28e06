// Package worker answers the questions of another program about graphs, over two pipes.
//
// A worker first writes a Greeting. Then it reads requests, one JSON object a line, and
// answers each by one line, in their order:
//
//	{"id": 1, "op": "open", "path": "web.hops"}
//	{"id": 1, "ok": {"graph": 1, "vertices": 4096, "edges": 47104, …}}
//	{"id": 2, "op": "bfs", "graph": 1, "vertices": [17]}
//	{"id": 2, "ok": {"levels": "1.npy", "parents": "2.npy"}}
//	{"id": 3, "op": "path", "graph": 9}
//	{"id": 3, "error": "no graph 9 is open", "kind": "request"}
//
// Arrays are not in the lines: they are .npy files in a folder that belongs to the worker,
// in shared memory where there is some, for the other program to map. It may delete a file
// once it has mapped it; the worker removes the folder when it ends. The op "cancel" ends
// the request before it and has no answer of its own. A request that was done already is
// answered as if it had not been cancelled.
//
// A line that is not a request has an answer as well, with the id 0 if none can be read.
package worker

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/gohops/hops"
)

// Protocol is the version of the requests and answers. It changes when a program that
// was written for an earlier one could misunderstand.
const Protocol = 1

const (
	maxLine = 16 << 20 // bytes of a request: two million roots
	maxWait = 64       // requests that are read before their turn
)

// Options say how a worker works.
type Options struct {
	Threads   int                // workers of a search; 0 is one for every CPU
	Directory string             // where the folder of the arrays is made
	Version   string             // told in the Greeting
	Pipes     []*os.File         // of requests and answers, which are not files to open
	Message   func(error) string // turns an error into what the other program gets to read
}

// A Greeting is the first line that a worker writes.
type Greeting struct {
	Protocol  int    `json:"protocol"`
	Version   string `json:"version"`
	Directory string `json:"directory"`
}

// A request is a line of the other program. Which fields count is up to its op.
type request struct {
	ID    int64  `json:"id"`
	Op    string `json:"op"`
	Graph int64  `json:"graph"`

	Path     string      `json:"path"`       // open: any file that hops reads; edges: a file of the folder
	PathRaw  []byte      `json:"path_bytes"` // open: in place of path, the bytes of a name that is not UTF-8
	Format   string      `json:"format"`
	IDs      string      `json:"ids"`
	Columns  []string    `json:"columns"`
	Directed bool        `json:"directed"`
	Weighted bool        `json:"weighted"` // open, edges: with weights; path: the lightest
	Count    hops.Vertex `json:"count"`    // edges: the number of vertices
	Rows     bool        `json:"rows"`     // edges: sorted by source, and queue will be asked

	Vertices []hops.Vertex `json:"vertices"`  // roots, or the two ends of a path
	MaxDepth *int          `json:"max_depth"` // bfs, queue, near
	Within   *float64      `json:"within"`    // near: by weight
	Names    [][]byte      `json:"names"`     // lookup
}

// A reply is the answer to a request. Kind says what sort of error it is: "request",
// "vertex", "file" or "cancelled"; it is empty for all others.
type reply struct {
	ID    int64  `json:"id"`
	OK    any    `json:"ok,omitempty"`
	Error string `json:"error,omitempty"`
	Kind  string `json:"kind,omitempty"`
}

// A server is the state of a worker.
type server struct {
	Options
	folder string
	files  int // made so far
	graphs map[int64]*entry
	opened int64 // graphs so far
}

// A job is a request whose turn has not come, or that is being answered.
type job struct {
	context.Context
	cancel context.CancelFunc
	request
	broken error // the line is not a request
	*server
	*entry // the graph that it asks about
}

// Serve answers the requests of in until it ends or ctx does.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts Options) (err error) {
	folder, err := os.MkdirTemp(opts.Directory, "hops-worker-")
	if err != nil {
		return fmt.Errorf("worker: a folder for arrays: %w", err)
	}
	s := &server{Options: opts, folder: folder, graphs: map[int64]*entry{}}
	defer func() { err = cmp.Or(err, s.close()) }()
	lines := json.NewEncoder(out)
	if err := lines.Encode(Greeting{Protocol, opts.Version, folder}); err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	jobs, ended := make(chan *job, maxWait), make(chan error, 1)
	go func() { ended <- read(ctx, in, jobs) }()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case j, more := <-jobs:
			if !more {
				return <-ended
			}
			j.server = s
			if err := lines.Encode(j.answer()); err != nil {
				return fmt.Errorf("worker: %w", err)
			}
		}
	}
}

// close releases the graphs and removes the folder.
func (s *server) close() (err error) {
	for _, e := range s.graphs {
		err = cmp.Or(err, e.close())
	}
	return cmp.Or(err, os.RemoveAll(s.folder))
}

// read hands requests on until there are no more.
func read(ctx context.Context, in io.Reader, jobs chan<- *job) error {
	defer close(jobs)
	lines, cancel := bufio.NewReader(in), func() {}
	for {
		line, err := nextLine(lines)
		if err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("worker: a request: %w", err)
		}
		j := parse(line)
		if j.Op == "cancel" && j.broken == nil {
			cancel()
			continue
		}
		j.Context, j.cancel = context.WithCancel(ctx)
		cancel = j.cancel
		select {
		case jobs <- j:
		case <-ctx.Done():
			return nil
		}
	}
}

// nextLine reads a line. Of one that is too long it keeps little more than maxLine bytes.
func nextLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if len(line) <= maxLine {
			line = append(line, part...)
		}
		if err == io.EOF && len(line) > 0 || err == nil {
			return line, nil
		} else if err != bufio.ErrBufferFull {
			return nil, err
		}
	}
}

// parse reads a request. Unknown fields are refused, so that nothing is silently ignored.
func parse(line []byte) *job {
	j := new(job)
	if len(line) > maxLine {
		j.broken = requestError{fmt.Errorf("a request has at most %d bytes", maxLine)}
		return j
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	err := d.Decode(&j.request)
	if _, more := d.Token(); err == nil && more != io.EOF {
		err = errors.New("the line has more than one value")
	}
	if err != nil {
		j.broken = requestError{fmt.Errorf("not a request: %w", err)}
	}
	return j
}

func (j *job) answer() reply {
	defer j.cancel()
	ok, err := j.do()
	if err == nil {
		return reply{ID: j.ID, OK: ok}
	}
	err = cmp.Or(j.Err(), err)
	message := err.Error()
	if j.Message != nil {
		message = j.Message(err)
	}
	return reply{ID: j.ID, Error: message, Kind: kind(err)}
}

// do answers a request. A panic is an error of this request, not the end of all graphs.
func (j *job) do() (ok any, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			ok, err = nil, fmt.Errorf("worker: %s: %v", j.Op, fault)
		}
	}()
	if err := cmp.Or(j.broken, j.Err()); err != nil {
		return nil, err
	}
	op, known := ops[j.Op]
	if !known {
		return nil, requestError{fmt.Errorf("unknown op %q", j.Op)}
	}
	if j.Op == "open" || j.Op == "edges" {
		return op.answer(j)
	}
	if j.entry, known = j.graphs[j.Graph]; !known {
		return nil, requestError{fmt.Errorf("no graph %d is open", j.Graph)}
	}
	if len(j.Vertices) < op.vertices {
		return nil, requestError{fmt.Errorf("%s takes %d vertices, not %d", j.Op, op.vertices, len(j.Vertices))}
	}
	for _, v := range j.Vertices {
		if n := j.graph.NumVertices(); v >= n {
			return nil, vertexError{fmt.Errorf("no vertex %d: the graph has %d", v, n)}
		}
	}
	ok, err = op.answer(j)
	return ok, cmp.Or(err, j.graph.Err())
}

// A requestError is a fault of the request, not of a file or a search.
type requestError struct{ error }

// A vertexError says that there is no such vertex.
type vertexError struct{ error }

func kind(err error) string {
	switch {
	case errors.As(err, new(vertexError)):
		return "vertex"
	case errors.As(err, new(requestError)):
		return "request"
	case errors.Is(err, fs.ErrNotExist):
		return "file"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	}
	return ""
}
