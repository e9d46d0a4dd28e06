package lab

import (
	"context"
	"slices"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/page/plot"
	"github.com/gohops/hops/papers/projection"
)

// projector fits a projection model to searches on the twin of a node at five scales: the
// same on every machine. Where that is not possible it returns nil and the reason.
func (l *Lab) projector(ctx context.Context) (m *projection.Model, why string, err error) {
	var all []projection.Observation
	for scale := max(l.Scale-4, 5); scale <= l.Scale; scale++ {
		runs, err := l.compare(ctx, kronecker(scale), projection.NodeEngine)
		if err != nil {
			return nil, "", err
		}
		if runs[0].Missing != "" {
			return nil, runs[0].Missing, nil
		}
		for _, s := range runs[0].Searches {
			all = append(all, projection.Observation{Scale: scale, Search: s})
		}
	}
	m, err = projection.Fit(all)
	if err != nil {
		return nil, err.Error(), nil
	}
	return m, "", l.learnFromTwins(ctx, m)
}

// learnFromTwins learns what ranks send each other, and how far they differ.
func (l *Lab) learnFromTwins(ctx context.Context, m *projection.Model) error {
	small := *l // roots differ, and few of them would be luck
	small.Scale = max(min(l.Scale-1, 17), 9)
	sizes := projection.TwinRuns(small.Scale)
	searches := make([][]graph500.Search, len(sizes))
	for i, size := range sizes {
		runs, err := small.compare(ctx, kronecker(size.Scale), size.Engine())
		if err != nil {
			return err
		}
		searches[i] = runs[0].Searches
	}
	m.LearnTraffic(sizes[1].Scale, sizes[1].Nodes, searches[1])
	m.LearnImbalance(sizes, searches)
	return nil
}

// projector returns the projection model. Where there is none, the finding says why, and
// cannot decide a claim.
func (f *Finding) projector(ctx context.Context, l *Lab, claim string) (*projection.Model, error) {
	m, why, err := l.projector(ctx)
	if why != "" {
		f.lack(why)
		f.claim(lacking(claim, notRun))
	}
	return m, err
}

// A projected point is the rate of a paper's machine at one size.
type projected struct {
	nodes, scale int
	teps, known  float64 // projected, and the paper's; known is 0 where the text has no figure
}

// published projects a paper's machine to sizes, its node speed calibrated by the
// first rate that the text gives.
func published(m *projection.Model, name string, sizes [][2]int) ([]projected, error) {
	p, err := projection.ByName(name)
	if err != nil {
		return nil, err
	}
	machine, err := m.Calibrated(p)
	if err != nil {
		return nil, err
	}
	var points []projected
	for _, size := range sizes {
		got, err := m.Project(machine, size[1], size[0])
		if err != nil {
			return nil, err
		}
		point := projected{nodes: size[0], scale: size[1], teps: got.TEPS}
		for _, k := range p.Known {
			if k.Nodes == size[0] && k.Scale == size[1] {
				point.known = k.TEPS
			}
		}
		points = append(points, point)
	}
	return points, nil
}

func (f *Finding) project(title string, points []projected) {
	if !slices.Contains(f.Basis, Projection) {
		f.Basis = append(f.Basis, Projection)
	}
	t := f.table("projection", "nodes:#", "scale:#", "projected:TEPS", "paper:TEPS")
	ours, theirs := curve{name: "projection"}, curve{name: "paper"}
	for _, p := range points {
		var known any
		if p.known > 0 {
			known = p.known
			theirs.add(float64(p.nodes), one(p.known))
		}
		t.add(p.nodes, p.scale, p.teps, known)
		ours.add(float64(p.nodes), one(p.teps))
	}
	f.plot(curves(title, plot.Axis{Label: "nodes", Scale: plot.Log2}, plot.Axis{Label: "rate, projected", Unit: "TEPS", Scale: plot.Log10}, ours, theirs))
}
