package cygraph
import ("testing";"context";"time";"fmt";"os";"github.com/gohops/hops";"github.com/gohops/hops/edge";"math/rand/v2")
func uniform(n, d int) hops.Source {
	r := rand.New(rand.NewPCG(1,2)); e := make([]hops.Edge, n*d/2)
	for i := range e { e[i] = hops.Edge{U: hops.Vertex(r.IntN(n)), V: hops.Vertex(r.IntN(n))} }
	return edge.List(e, hops.Vertex(n))
}
func TestTmp(t *testing.T) {
	run := func(name string, src hops.Source, o Options) {
		s, err := Build(context.Background(), src, o); if err != nil { t.Fatal(err) }
		defer s.Close()
		tr := hops.NewTree(src.NumVertices())
		root := hops.Vertex(0); for s.graph.Degree(uint32(root)) == 0 { root++ }
		t0 := time.Now()
		trace, err := s.Search(context.Background(), root, tr); if err != nil { t.Fatal(err) }
		el := time.Since(t0)
		var cyc uint64; var push, req int64
		for _, l := range s.Levels() { cyc += l.Cycles; push += l.Pushed; req += l.Requests }
		found := trace.Found()+1
		d := float64(trace.Examined())/float64(found)
		fmt.Printf("%-28s cycles %9d  %.2f Gentries/s of %.2f (entries %d) push/vertex %.3f req %d util %.3f  rate %.1f Mkc/s levels %d\n", name, cyc, float64(s.graph.NumEntries())/trace.Time().Seconds()/1e9, 64*.150/(2+3/d), trace.Examined(), float64(push)/float64(found), req, float64(req)/float64(cyc)/float64(s.opts.Kernels), float64(cyc)*float64(s.opts.Kernels)/el.Seconds()/1e6, len(s.Levels()))
		if os.Getenv("V") != "" { for _, l := range s.Levels() { fmt.Printf("   %+v\n", l) } }
	}
	if os.Getenv("U") != "" { u := uniform(1<<18, 16); run("uniform18x16", u, Options{}); 
m := ConveyHC2; m.SlowShare=0; run("noslow", u, Options{Memory: m}); m = ConveyHC2; m.Service=0; run("noservice", u, Options{Memory: m}); run("depth1024", u, Options{Depth:1024}); m.SlowShare=0; run("neither", u, Options{Memory:m}); u = uniform(1<<20,16); run("u20", u, Options{}) ;return}
	k, _ := edge.NewKronecker(18, 16, 2, 3)
	run("kron18 label", k, Options{})
	run("kron18 degree", k, Options{ByDegree: true})
	run("kron18 split64", k, Options{Split: 64})
	run("kron18 filter", k, Options{Filter: 1<<14})
	run("kron18 split filter", k, Options{Split:64, Filter: 1<<14})
	run("kron18 split filter burst2", k, Options{Split:64, Filter: 1<<14, Burst: 2})
	run("kron18 bottomup", k, Options{BottomUp: true, ByDegree: true})
	run("kron18 all", k, Options{Split:64, Filter: 1<<14, Burst: 2, BottomUp: true, ByDegree: true})
}
