package lab

import (
	"context"
	"math"
	"strconv"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/papers/hdl"
)

// A scene is an experiment in two worlds: one where the paper is right, and one
// turned around.
type scene struct {
	about  string // part of the claim to look at; "" is the verdict
	holds  world
	turned world
	again  world // turned in another way, for claims that cannot fail in the same world as others

	// What stands in for measurements without engines, in either world.
	transfer   func(turned bool) func(pairs, size int) float64
	gather     func(turned bool) func(way string, ranks, hosts int) allgather
	synthesise func(turned bool) hdl.Resources
	construct  func(turned bool) func(spec string) time.Duration
}

// slower multiplies the time of engines with an option, or name.
func slower(option string, factor float64) world {
	return func(e engineSpec, _ int, l *hops.Level) {
		if e.name == option || e.is(option) {
			l.Time = time.Duration(float64(l.Time) * factor)
		}
	}
}

// both applies worlds one after another.
func both(worlds ...world) world {
	return func(e engineSpec, depth int, l *hops.Level) {
		for _, w := range worlds {
			w(e, depth, l)
		}
	}
}

// byNumber multiplies the time by a power of a numeric option.
func byNumber(option string, power float64) world {
	return func(e engineSpec, _ int, l *hops.Level) {
		if n, err := strconv.Atoi(e.options[option]); err == nil {
			l.Time = time.Duration(float64(l.Time) * math.Pow(float64(n), power))
		}
	}
}

// encodedAs gives every message so many bytes, and every level those of its headers.
func encodedAs(plain, differential, headers float64) world {
	return func(e engineSpec, _ int, l *hops.Level) {
		each := differential
		if e.is("encoding=raw") {
			each = plain
		}
		l.Exchange.Encoded = int64(headers + each*float64(l.Messages))
	}
}

// gathered makes all levels but the first bottom-up, which send so much.
func gathered(bytes func(ranks, hosts, n float64, e engineSpec) float64) world {
	return func(e engineSpec, depth int, l *hops.Level) {
		if depth > 0 {
			l.Step = "bottom-up gathered"
			hosts, perHost := e.hosts()
			ranks := hosts * perHost
			l.Bytes = int64(bytes(ranks, hosts, math.Exp2(float64(e.scale))/8, e))
			l.Exchange.HostBytes = l.Bytes
			l.Exchange.Gathering = time.Duration(1000 * l.Bytes)
			l.Time = time.Millisecond + l.Exchange.Gathering
		}
	}
}

// hosts returns the hosts or nodes of an engine, and the ranks on each.
func (e engineSpec) hosts() (hosts, perHost float64) {
	number := func(option string) float64 {
		n, _ := strconv.ParseFloat(e.options[option], 64)
		return n
	}
	if e.options["twin"] != "" {
		return number("nodes"), number("pernode")
	}
	return number("hosts"), number("ranks") / number("hosts")
}

// cuiWorld has the figures of cui's text for the weak scaling: gathering takes the time
// of a version for each host, and computing so long that the original spends 54 % on
// gathering on the most hosts. Turned, gathering gets shorter with the hosts, and that of
// the optimised versions takes longer.
func cuiWorld(turned bool) world {
	return func(e engineSpec, depth int, l *hops.Level) {
		hosts, perHost := e.hosts()
		most := 4.0
		if e.options["twin"] != "" {
			most = 8
		}
		each := 234.0 / 4.07
		switch {
		case perHost == 1:
			each = 100
		case e.is("gather=per-rank"):
			each = 234
		case e.is("gather=share-in-queue"):
			each = 234.0 / 2
		case e.is("gather=share-all"):
			each = 80
		}
		gathering := each * hosts
		if turned {
			gathering = 1e5 / each / hosts
		}
		if l.Time, l.Exchange.Gathering = 1, 0; depth > 0 {
			l.Step = "bottom-up gathered"
			l.Exchange.Gathering = time.Duration(1e3 * gathering)
			l.Time = l.Exchange.Gathering + time.Duration(1e3*200*most)
		}
	}
}

// cuiVersion multiplies the time by that of a version: cui's speed-ups over one rank per
// node.
func cuiVersion(all, socket float64) world {
	return func(e engineSpec, _ int, l *hops.Level) {
		_, perHost := e.hosts()
		share := map[string]float64{"per-rank": 0, "share-in-queue": .25, "share-all": .5, "": .75}[e.options["gather"]]
		if e.is("summary=256") {
			share = 1
		}
		speed := socket + share*(all-socket)
		if perHost == 1 {
			speed = 1
		}
		l.Time = time.Duration(1e9 / speed)
	}
}

// socketsLike makes several sockets some times as fast as one, shared and with a rank on each.
func socketsLike(shared, each float64) world {
	return func(e engineSpec, _ int, l *hops.Level) {
		switch {
		case e.is("twin=numa-cluster") && e.is("pernode=1"):
			l.Time = time.Duration(float64(l.Time) / shared)
		case e.is("twin=numa-cluster"):
			l.Time = time.Duration(float64(l.Time) / each)
		}
	}
}

// unlike applies a world to twins, or to all others.
func unlike(twin bool, w world) world {
	return func(e engineSpec, depth int, l *hops.Level) {
		if (e.options["twin"] != "") == twin {
			w(e, depth, l)
		}
	}
}

// romeoRate gives the twin of 64 GPUs a rate, and makes others slower by a factor.
func romeoRate(gteps, others float64) world {
	return func(e engineSpec, _ int, l *hops.Level) {
		ns := float64(l.Examined) / gteps
		if !e.is("nodes=64") {
			ns *= others
		}
		l.Time = max(1, time.Duration(ns))
	}
}

// formula is what cui's formulas say.
func formula(ranks, hosts, n float64, e engineSpec) float64 {
	if e.is("gather=per-rank") {
		return n * (ranks - 1)
	}
	return n * (hosts - 1)
}

// phased divides the time of levels into computing, and the rest.
func phased(topDown, bottomUp, sending time.Duration) world {
	return func(_ engineSpec, depth int, l *hops.Level) {
		l.Exchange.Computing, l.Exchange.Sending = topDown, sending
		if depth == 1 {
			l.Step, l.Exchange.Computing = "bottom-up gathered", bottomUp
			if l.Found *= 1000; bottomUp < topDown {
				l.Found /= 1e6
			}
		}
		l.Time = l.Exchange.Computing + l.Exchange.Sending
	}
}

// slowerBottomUp multiplies the computing of bottom-up levels of engines with an option.
func slowerBottomUp(option string, factor float64) world {
	return func(e engineSpec, depth int, l *hops.Level) {
		if e.is(option) && depth == 1 {
			l.Exchange.Computing = time.Duration(float64(l.Exchange.Computing) * factor)
			l.Time = l.Exchange.Computing
		}
	}
}

// examining multiplies the edges examined by engines with an option.
func examining(option string, factor float64) world {
	return func(e engineSpec, depth int, l *hops.Level) {
		if e.is(option) {
			l.Examined = int64(factor * float64(l.Examined))
		}
		if depth == 2 {
			l.Examined *= 1000 // a central level stands out
		}
	}
}

// firstLevel has most of the edges.
func firstLevel(_ engineSpec, depth int, l *hops.Level) {
	if depth == 0 {
		l.Examined = 1e15
	}
}

// firstBottomUp makes bottom-up look at everything in its first level.
func firstBottomUp(e engineSpec, depth int, l *hops.Level) {
	if e.is("direction=bottom-up") && depth == 0 {
		l.Examined = 1e9
	}
}

// fixedTime is a machine that takes as long for any graph; growing takes longer
// than the graph grows.
func fixedTime(_ engineSpec, _ int, l *hops.Level) { l.Time = time.Millisecond }

func growing(e engineSpec, _ int, l *hops.Level) {
	l.Time = time.Duration(math.Pow(8, float64(e.scale)))
}

// betkaouiLike makes the earlier design slower by a factor times a power of the degree.
func betkaouiLike(factor, power float64) world {
	return func(e engineSpec, _ int, l *hops.Level) {
		l.Time = time.Millisecond
		if e.is("design=betkaoui") {
			l.Time = time.Duration(1e6 * factor * math.Pow(e.degree, power))
		}
	}
}

func requests(factor float64) world {
	return func(_ engineSpec, _ int, l *hops.Level) {
		l.Messages = int64(factor * (2*float64(l.Examined) + 3*float64(l.Found)))
	}
}

func bandwidthLike(holds, turned func(pairs, size float64) float64) func(bool) func(int, int) float64 {
	return func(isTurned bool) func(int, int) float64 {
		rate := holds
		if isTurned {
			rate = turned
		}
		return func(pairs, size int) float64 { return rate(float64(pairs), float64(size)) }
	}
}

// gatherLike takes so long by way and number of hosts, or turned around.
func gatherLike(turned bool) func(way string, ranks, hosts int) allgather {
	return func(way string, ranks, hosts int) allgather {
		if turned && way == "shared" {
			return allgather{exchange: time.Minute}
		}
		long, short := time.Duration(ranks*hosts)*time.Millisecond, time.Duration(hosts)*time.Millisecond
		if turned {
			long, short = time.Second/time.Duration(ranks*hosts*hosts), time.Second
		}
		switch way {
		case "per-rank":
			return allgather{exchange: long}
		case "leader":
			return allgather{collect: long, exchange: short, distribute: long}
		}
		return allgather{exchange: short}
	}
}

// upward makes all levels bottom-up.
func upward(_ engineSpec, _ int, l *hops.Level) { l.Step = "bottom-up" }

// layoutsLike makes remapping take a tenth of the construction, or half of it.
func layoutsLike(turned bool) func(spec string) time.Duration {
	plain := 9 * time.Second
	if turned {
		plain = 5 * time.Second
	}
	return func(spec string) time.Duration {
		if parseSpec(spec).is("layout=plain") {
			return plain
		}
		return 10 * time.Second
	}
}

func resourcesLike(turned bool) hdl.Resources {
	if turned {
		return hdl.Resources{LUT: 12_000, Pairs: 24_000, RAMB36: 18}
	}
	return hdl.Resources{LUT: 5500, Pairs: 8300, RAMB36: 5}
}

// stubbed replaces measurements without engines for the time of a test.
func (s scene) stubbed(turned bool) (restore func()) {
	t, g, y, c := transfer, gather, synthesise, construct
	if s.transfer != nil {
		rate := s.transfer(turned)
		transfer = func(_ context.Context, _ place, pairs, size int, _ time.Duration) (float64, error) {
			return rate(pairs, size), nil
		}
	}
	if s.gather != nil {
		way := s.gather(turned)
		gather = func(_ context.Context, _ place, w string, ranks, hosts, _ int) (allgather, error) {
			return way(w, ranks, hosts), nil
		}
	}
	if s.synthesise != nil {
		r := s.synthesise(turned)
		synthesise = func(_ context.Context, module, _ string, _ map[string]int) (hdl.Resources, error) {
			if module == "cygraph_hop" && !turned {
				return hdl.Resources{}, nil // the ring is small
			}
			return r, nil
		}
	}
	if s.construct != nil {
		took := s.construct(turned)
		construct = func(_ context.Context, _ *Lab, spec string, _ hops.Source) (time.Duration, error) {
			return took(spec), nil
		}
	}
	return func() { transfer, gather, synthesise, construct = t, g, y, c }
}
