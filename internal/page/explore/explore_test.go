package explore

import (
	"cmp"
	"context"
	"net"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
)

// generous is a deadline that only a server that hangs misses.
const generous = 2 * time.Minute

// build returns a graph, and closes it with the test.
func build(t testing.TB, src hops.Source) *graph.Graph {
	t.Helper()
	g, err := csr.Build(t.Context(), src, 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	return g
}

// named returns an undirected graph of pairs of names.
func named(t testing.TB, pairs ...[2]string) *graph.Graph {
	t.Helper()
	var (
		places = map[string]hops.Vertex{}
		text   []byte
		ends   []uint64
		edges  []hops.Edge
	)
	place := func(name string) hops.Vertex {
		v, known := places[name]
		if !known {
			v = hops.Vertex(len(places))
			places[name] = v
			text = append(text, name...)
			ends = append(ends, uint64(len(text)))
		}
		return v
	}
	for _, p := range pairs {
		edges = append(edges, hops.Edge{U: place(p[0]), V: place(p[1])})
	}
	g := build(t, edge.List(edges, hops.Vertex(len(places))))
	names, err := graph.TextNames(text, ends)
	if err != nil {
		t.Fatal(err)
	}
	g.Names = names
	return g
}

// florence has who married whom.
func florence(t testing.TB) *graph.Graph {
	return named(
		t, [2]string{"Acciaiuoli", "Medici"}, [2]string{"Castellani", "Peruzzi"}, [2]string{"Castellani", "Strozzi"}, [2]string{"Castellani", "Barbadori"},
		[2]string{"Medici", "Barbadori"}, [2]string{"Medici", "Ridolfi"}, [2]string{"Medici", "Tornabuoni"}, [2]string{"Medici", "Albizzi"},
		[2]string{"Medici", "Salviati"}, [2]string{"Salviati", "Pazzi"}, [2]string{"Peruzzi", "Strozzi"}, [2]string{"Peruzzi", "Bischeri"},
		[2]string{"Strozzi", "Ridolfi"}, [2]string{"Strozzi", "Bischeri"}, [2]string{"Ridolfi", "Tornabuoni"}, [2]string{"Tornabuoni", "Guadagni"},
		[2]string{"Albizzi", "Ginori"}, [2]string{"Albizzi", "Guadagni"}, [2]string{"Bischeri", "Guadagni"}, [2]string{"Guadagni", "Lamberteschi"},
	)
}

// arrows is a directed graph whose vertex 0 has five neighbours and six edges: 1 has one each way.
func arrows(t testing.TB) *graph.Graph {
	return build(t, hops.Directed(edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 0}, {U: 0, V: 2}, {U: 0, V: 3}, {U: 4, V: 0}, {U: 5, V: 0}}, 6)))
}

func kronecker(t testing.TB, scale int) *graph.Graph {
	t.Helper()
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	return build(t, src)
}

// A running server ends with its test.
type running struct {
	*Server
	url, address string
	stop         func() error
}

func start(t testing.TB, opts Options, graphs ...Graph) *running {
	t.Helper()
	opts.Timeout = cmp.Or(opts.Timeout, generous)
	s, err := New(graphs, opts)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l, nil) }()
	stop := func() error {
		cancel()
		err := <-ended
		ended <- nil
		return err
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	for !s.ready.Load() {
		time.Sleep(time.Millisecond)
	}
	return &running{s, "http://" + l.Addr().String() + "/", l.Addr().String(), stop}
}
