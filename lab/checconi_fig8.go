package lab

import (
	"context"

	"github.com/gohops/hops"
)

var checconiFig8 = Experiment{
	ID:    "checconi/fig8",
	Title: "Bytes per edge and level, with and without compression",
	Trend: "An edge takes 6 bytes plainly and between 4 and 5 compressed in the central levels; in light levels headers dominate.",
	Needs: "a cluster",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		g := kronecker(l.Scale)
		names := []string{"plain", "differential", "packed"}
		runs, err := l.compare(ctx, g, clusterOf(4, 4, "exchange=probe,encoding=plain"),
			clusterOf(4, 4, "exchange=probe,encoding=differential"), clusterOf(4, 4, "exchange=probe,encoding=packed"))
		if err != nil {
			return nil, err
		}
		f := &Finding{Basis: []Basis{InProcess}, Setting: l.setting(g, runs...)}
		f.lackOf(runs...)
		t := newTable("bytes", "level:#", "sent:edges", "plain:bytes per edge", "differential:bytes per edge", "packed:bytes per edge")
		for d := range deepest(runs...) {
			t.add(d, runs[0].at(d, messages).Mean(), runs[0].bytesPerEdge(d), runs[1].bytesPerEdge(d), runs[2].bytesPerEdge(d))
		}
		f.table(t)
		f.plot(byLevel("Bytes for an edge sent", "bytes per edge", "", false, perEdge, names, runs...))
		busy := runs[0].busiest(messages)
		plain, differential := runs[0].bytesPerEdge(busy), runs[1].bytesPerEdge(busy)
		f.quote("plain, busiest level", "6 bytes per edge", plain.String())
		f.quote("differential, busiest level", "4 to 5 bytes per edge", differential.String())
		f.claim(
			larger("compression saves bytes where most edges are sent", plain, differential, 1),
			larger("headers dominate where few edges are sent", runs[1].bytesPerEdge(0), differential, 1),
		)
		return f, nil
	},
}

func perEdge(l hops.Level) float64 {
	if l.Messages == 0 {
		return 0
	}
	return encoded(l) / float64(l.Messages)
}

// bytesPerEdge returns the bytes of packets for each edge sent in a level, for the
// searches that sent edges there.
func (r Runs) bytesPerEdge(depth int) (s Sample) {
	for _, x := range r.at(depth, perEdge) {
		if x > 0 {
			s = append(s, x)
		}
	}
	return s
}
