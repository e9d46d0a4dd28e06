package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/human"
	"github.com/gohops/hops/internal/base/topo"
	"github.com/gohops/hops/internal/page/explore"
	"github.com/gohops/hops/internal/page/web"
)

// serveFlags are the flags of serve and explore.
type serveFlags struct {
	input     inputFlags
	listen    string
	tokenFile string
	cert, key string
	searchers int
	timeout   time.Duration
	ready     func(address string) // called before requests are answered; may be nil
}

func (a *app) serveCommand() *cobra.Command {
	var o serveFlags
	c := &cobra.Command{
		Use:   "serve GRAPH... [--listen ADDRESS]",
		Short: "Answer questions about graphs over HTTP",
		Long: `serve opens graphs and answers questions about them over HTTP: a page to explore
them in a browser, and an interface in JSON for programs, which /openapi.json
describes. It prints its address. A graph is asked for by the name of its file
without suffixes; requests that name none ask the first.

Every request has bounds of its work, its bytes and its time. A graph has a fixed
number of searchers; requests wait for them, and when too many wait, the next are
answered with the status 503. /metrics is for Prometheus, /healthz says that the
server runs, and /readyz that all graphs were checked, until when questions are
answered with 503.

Only this machine reaches the server unless the address names a host: --listen
0.0.0.0:8080. Requests for data must then carry a token, Authorization: Bearer
TOKEN: that of --token-file, or one that serve makes and prints. --tls-cert and
--tls-key turn on TLS; without it, token and answers can be read on the way.

SIGINT and SIGTERM end the server when requests under way are answered.

` + inputHelp + `

Exit status: 0 ended by a signal; 1 a graph could not be read, or the address not be
listened at; 2 the command line makes no sense.`,
		Example: `  hops serve web.hops roads.hops --listen :8080
  hops serve web.hops --listen 0.0.0.0:443 --tls-cert cert.pem --tls-key key.pem --token-file token
  curl 'http://127.0.0.1:8080/api/path?graph=web&from=17&to=4711'`,
		Args: atLeast("GRAPH"),
	}
	o.add(c, ":8080")
	c.RunE = func(c *cobra.Command, args []string) error { return o.run(c.Context(), a, args) }
	return c
}

func (o *serveFlags) add(c *cobra.Command, listen string) {
	o.input.add(c)
	f := c.Flags()
	f.StringVar(&o.listen, "listen", listen, "address: a port of this machine, or host:port for others too")
	f.StringVar(&o.tokenFile, "token-file", "", "file with the token that requests must carry; made and printed if others reach the server and there is none")
	f.StringVar(&o.cert, "tls-cert", "", "file with the certificate of the server, PEM")
	f.StringVar(&o.key, "tls-key", "", "file with the key of the certificate, PEM")
	f.Var(within(&o.searchers, 0, 0, 1024), "searchers", "requests that search a graph at once; 0 is one for every CPU")
	f.DurationVar(&o.timeout, "timeout", explore.DefaultTimeout, "how long a request may take")
}

// run serves graphs until a signal comes.
func (o *serveFlags) run(ctx context.Context, a *app, paths []string) error {
	if o.timeout <= 0 || (o.cert == "") != (o.key == "") {
		return usageError{errors.New("--timeout must be more than nothing, and --tls-cert and --tls-key go together")}
	}
	var certificates *tls.Config
	if o.cert != "" {
		pair, err := tls.LoadX509KeyPair(o.cert, o.key)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", o.cert, o.key, err)
		}
		certificates = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	listener, err := net.Listen("tcp", web.Local(o.listen))
	if err != nil {
		return err
	}
	defer listener.Close()
	opts := explore.Options{Searchers: o.searchers, Timeout: o.timeout, Log: a.stderr}
	if opts.Token, err = o.token(listener.Addr()); err != nil {
		return err
	}
	graphs, err := o.load(ctx, a, paths, opts)
	for _, g := range graphs {
		defer g.Graph.Close()
	}
	if err != nil {
		return err
	}
	server, err := explore.New(graphs, opts)
	if err != nil {
		return err
	}
	address := o.address(listener.Addr(), opts.Token)
	fmt.Fprintln(a.stdout, address)
	if o.ready != nil {
		o.ready(address)
	}
	return server.Serve(ctx, listener, certificates)
}

// load opens all graphs. Those that their files tell the size of are planned for before the
// first is opened; others when they have been read, within the memory that reading plans
// for. It refuses what does not fit.
func (o *serveFlags) load(ctx context.Context, a *app, paths []string, opts explore.Options) (graphs []explore.Graph, err error) {
	needed, planned := int64(0), make([]bool, len(paths))
	plan := func(path string, vertices hops.Vertex) error {
		needed += opts.Need(vertices)
		if err := topo.Fits(needed); err != nil {
			return fmt.Errorf("%s: its searchers %w; --searchers 1 takes less", path, err)
		}
		return nil
	}
	for i, path := range paths {
		var vertices hops.Vertex
		if vertices, planned[i] = graph.CountVertices(path); planned[i] {
			err = cmp.Or(err, plan(path, vertices))
		}
	}
	for i, path := range paths {
		if err != nil {
			return graphs, err
		}
		var g *graph.Graph
		if g, err = o.input.load(ctx, path, a.stderr); err != nil {
			return graphs, err
		}
		graphs = append(graphs, explore.Graph{Title: title(path), Graph: g})
		if !planned[i] {
			err = plan(path, g.NumVertices())
		}
	}
	if err == nil && !o.input.quiet {
		fmt.Fprintf(a.stderr, "memory       up to %s beside the graphs\n", human.Bytes(needed))
	}
	return graphs, err
}

// title is the name of a file without folder and suffixes.
func title(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	if path == "-" || name == "" {
		return "graph"
	}
	return name
}

// token returns what requests must carry, "" if only this machine can ask and no file
// has one.
func (o *serveFlags) token(address net.Addr) (string, error) {
	if o.tokenFile == "" {
		if web.Private(address) {
			return "", nil
		}
		return rand.Text(), nil
	}
	text, err := os.ReadFile(o.tokenFile)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(text))
	if len(token) < 16 {
		return "", fmt.Errorf("%s: a token has 16 characters or more", o.tokenFile)
	}
	return token, nil
}

// address is where a browser finds the page. The token stands behind #, which browsers
// keep to themselves.
func (o *serveFlags) address(at net.Addr, token string) string {
	host, port, _ := net.SplitHostPort(at.String())
	if net.ParseIP(host).IsUnspecified() {
		name, _ := os.Hostname()
		host = cmp.Or(name, host)
	}
	scheme, fragment := "http", ""
	if o.cert != "" {
		scheme = "https"
	}
	if token != "" && o.tokenFile == "" {
		fragment = "#token=" + token
	}
	return scheme + "://" + net.JoinHostPort(host, port) + "/" + fragment
}
