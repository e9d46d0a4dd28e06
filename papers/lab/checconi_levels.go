package lab

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/page/plot"
)

var checconiFig5 = compared(Measured, []string{clusterOf(1, 1, "exchange=messages"), clusterOf(1, 1, "exchange=probe")}, func(f *Finding, runs []Runs) {
	plain, optimised := runs[0], runs[1]
	t := f.table("entries", "level:#", "examined, plain:entries", "examined, optimised:entries", "found:vertices", "step taken")
	for d := range deepest(runs...) {
		t.add(d, plain.at(d, examined).Mean(), optimised.at(d, examined).Mean(), plain.at(d, found).Mean(), optimised.step(d))
	}
	f.plot(byLevel("Entries examined", "entries", "entries", true, examined, []string{"plain", "optimised"}, runs...))

	all, fewer := plain.sum(examined), optimised.sum(examined)
	f.quote("entries examined, plain over optimised", "roughly 20×", times(all, fewer))
	f.quote("least possible: one entry for each vertex of the tree", "close to it", times(fewer, optimised.sum(found))+" of it")
	f.claim(
		larger("direction optimisation saves an order of magnitude of entries", all, fewer, 10),
		central("a central level has most of the entries of a plain search", plain),
	)
})

// central claims that the level with most edges is neither at the beginning nor
// at the end of a search.
func central(text string, r Runs) Claim {
	if len(r.Searches) == 0 {
		return lacking(text, notRun)
	}
	d := r.busiest(examined)
	return exact(text, d > 1 && d < r.depth()-1, fmt.Sprintf("level %d of 0 to %d", d, r.depth()-1))
}

var checconiFig6 = comparedOnRanks("checconi", 4, []string{"exchange=messages", "exchange=probe"}, func(f *Finding, _ place, runs []Runs) {
	plain, optimised := runs[0], runs[1]
	t := f.table("messages", "level:#", "plain:messages", "optimised, forward:messages", "optimised, probes:messages", "optimised, claims:messages", "step taken")
	for d := range deepest(runs...) {
		t.add(d, plain.at(d, messages).Mean(), optimised.at(d, forward).Mean(), optimised.at(d, probes).Mean(), optimised.at(d, claims).Mean(), optimised.step(d))
	}
	f.plot(byLevel("Messages", "messages", "messages", true, messages, []string{"plain", "optimised"}, runs...))
	f.quote("messages, plain over optimised", "drastically fewer", times(plain.sum(messages), optimised.sum(messages)))
	f.claim(
		larger("direction optimisation saves four messages of five", plain.sum(messages), optimised.sum(messages), 5),
		larger("most of those that are left are probes and claims", optimised.sum(asked), optimised.sum(messages), .5),
	)
})

// asked is the number of messages that bottom-up levels send.
func asked(l hops.Level) float64 { return probes(l) + claims(l) }

var checconiFig8 = compared(InProcess, []string{
	clusterOf(4, 4, "threads=1,exchange=probe,encoding=raw"), // as the paper: one open packet for each rank
	clusterOf(4, 4, "threads=1,exchange=probe,encoding=differential"), clusterOf(4, 4, "threads=1,exchange=probe,encoding=packed"),
}, func(f *Finding, runs []Runs) {
	names := []string{"raw", "differential", "packed"}
	f.Notes = nil // bytes are the same on any network
	t := f.table("bytes", "level:#", "sent:edges", "plain:bytes per edge", "differential:bytes per edge", "packed:bytes per edge")
	for d := range deepest(runs...) {
		t.add(d, runs[0].at(d, messages).Mean(), runs[0].bytesPerEdge(d), runs[1].bytesPerEdge(d), runs[2].bytesPerEdge(d))
	}
	f.plot(byLevel("Bytes for an edge sent", "bytes per edge", "", false, perEdge, names, runs...))
	busy := runs[0].busiest(messages)
	plain, differential := runs[0].bytesPerEdge(busy), runs[1].bytesPerEdge(busy)
	f.quote("plain, busiest level", "6 bytes per edge", plain.String())
	f.quote("differential, busiest level", "4 to 5 bytes per edge", differential.String())
	f.claim(
		about("bytes of an edge in the busiest level, plain", plain, 6, .1),
		about("bytes of an edge in the busiest level, compressed", differential, 4.5, .2),
		larger("headers dominate where few edges are sent", runs[1].bytesPerEdge(0), differential, 1),
	)
})

func perEdge(l hops.Level) float64 {
	if l.Messages == 0 {
		return 0
	}
	return encoded(l) / float64(l.Messages)
}

// bytesPerEdge returns the bytes of packets for each edge sent in a level, for the
// searches that sent edges there.
func (r Runs) bytesPerEdge(depth int) Sample {
	return slices.DeleteFunc(r.at(depth, perEdge), func(x float64) bool { return x <= 0 })
}

// orderOfMagnitude is the factor by which a speed-up is almost one of an order of
// magnitude: 10, less three tenths.
const orderOfMagnitude = 7

var checconiFig9 = comparedOnRanks("checconi", 4, []string{
	"exchange=messages,encoding=raw,light=on", "exchange=probe,encoding=raw,light=on",
	"exchange=messages,encoding=differential,light=on", "exchange=messages,encoding=raw",
	"exchange=probe,encoding=differential",
}, func(f *Finding, p place, runs []Runs) {
	names := []string{"none", "direction", "compression", "load balancing", "all"}
	t := f.table("impact", "optimisation", "rate:TEPS", "speed-up:×", "sent:B")
	rates := p.rates(runs)
	for i, r := range runs {
		t.add(names[i], rates[i], ratio(rates[i], rates[0]), r.sum(bytes))
	}
	f.plot(bars("Rate with each optimisation alone, and with all", "optimisation", "rate", "TEPS", names, rates...))
	f.quote("direction optimisation", "the largest, almost an order of magnitude more than others", times(rates[1], rates[0]))
	f.quote("compression", "not representative at this size", times(rates[2], rates[0]))
	f.quote("load balancing", "not representative at this size", times(rates[3], rates[0]))
	f.claim(
		larger("direction optimisation gains almost an order of magnitude more than compression", rates[1], rates[2], orderOfMagnitude),
		larger("it gains almost an order of magnitude more than load balancing", rates[1], rates[3], orderOfMagnitude),
	)
})

var checconiFig13 = comparedOnRanks("checconi", 2, []string{"exchange=probe"}, func(f *Finding, p place, runs []Runs) {
	r := runs[0]
	t := f.table("phases", "level:#", "step", "time:s", "scanning and receiving:s", "sending:s", "waiting:s", "for the slowest:s")
	for d := range r.depth() {
		t.add(d, r.step(d), r.at(d, seconds).Mean(), r.at(d, computing).Mean(), r.at(d, sending).Mean(), r.at(d, waiting).Mean(), max(0, r.at(d, stall).Mean()-r.at(d, waiting).Mean()))
	}
	levels := plot.Plot{Title: "Time of each level by phase", X: plot.Axis{Label: "level"}, Y: plot.Axis{Label: "time", Unit: "s"}}
	for _, phase := range []struct {
		name string
		y    []float64
	}{{"scanning and receiving", r.means(computing)}, {"sending", r.means(sending)}, {"waiting", r.means(waiting)}} {
		levels.Series = append(levels.Series, plot.Series{Name: phase.name, Kind: plot.Stack, Y: phase.y})
	}
	f.plot(levels)
	all := p.total(r.sum(seconds))
	f.claim(
		larger("the two longest levels take most of the time", p.total(r.longest(2)), all, .5),
		larger("scanning takes more than half of the time", p.total(r.sum(computing)), all, .5),
	)
})

// longest returns, for every search, the time of its n longest levels together.
func (r Runs) longest(n int) Sample {
	return r.of(func(s graph500.Search) (sum float64) {
		levels := slices.SortedFunc(slices.Values(s.Levels), func(a, b hops.Level) int { return cmp.Compare(b.Time, a.Time) })
		for _, l := range levels[:min(n, len(levels))] {
			sum += seconds(l)
		}
		return sum
	})
}

var checconiFig14 = comparedOnRanks("checconi", 2, []string{
	"exchange=messages,rows=list", "exchange=messages,rows=skip", "exchange=messages,rows=coarse",
}, func(f *Finding, _ place, runs []Runs) {
	names := []string{"edge list", "skip list", "coarse index"}
	list, skip, coarse := runs[0], runs[1], runs[2]
	f.Setting += "; without direction optimisation, as in the paper"
	t := f.table("levels", "level:#", "edge list:s", "skip list:s", "coarse index:s")
	for d := range deepest(runs...) {
		t.add(d, list.at(d, seconds), skip.at(d, seconds), coarse.at(d, seconds))
	}
	f.plot(byLevel("Time of each level", "time", "s", true, seconds, names, runs...))
	busy := coarse.busiest(examined)
	f.quote("central level, coarse index over skip list", "slightly worse", times(coarse.at(busy, seconds), skip.at(busy, seconds)))
	f.quote("first level, skip list over coarse index", "a fixed cost without the index", times(skip.at(0, seconds), coarse.at(0, seconds)))
	f.claim(
		larger("the index is faster than the skip list on the first level", skip.at(0, seconds), coarse.at(0, seconds), 1),
		larger("the edge list is slower than the skip list on the first level", list.at(0, seconds), skip.at(0, seconds), 1),
	)
})
