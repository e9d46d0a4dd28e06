package lab

import (
	"context"
	"math"
	"strconv"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/hdl"
)

// A scene is an experiment in two worlds: one where the paper is right, and one
// turned around.
type scene struct {
	about  string // part of the claim to look at; "" is the verdict
	holds  world
	turned world

	// What stands in for measurements without engines, in either world.
	transfer   func(turned bool) func(pairs, size int) float64
	gather     func(turned bool) func(way string, ranks, hosts int) allgather
	synthesise func(turned bool) hdl.Resources
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

// encodedAs gives every message so many bytes, packet headers apart.
func encodedAs(plain, differential float64) world {
	return func(e engineSpec, _ int, l *hops.Level) {
		each := differential
		if e.is("encoding=plain") {
			each = plain
		}
		l.Exchange.Encoded = int64(32 + each*float64(l.Messages))
	}
}

// gathered makes all levels but the first bottom-up, which send so much.
func gathered(bytes func(ranks, hosts, n float64, e engineSpec) float64) world {
	return func(e engineSpec, depth int, l *hops.Level) {
		if depth > 0 {
			l.Step = "bottom-up gathered"
			ranks, _ := strconv.ParseFloat(e.options["ranks"], 64)
			hosts, _ := strconv.ParseFloat(e.options["hosts"], 64)
			l.Bytes = int64(bytes(ranks, hosts, math.Exp2(float64(e.scale))/8, e))
			l.Exchange.HostBytes = l.Bytes
			l.Exchange.Gathering = time.Duration(1000 * l.Bytes)
			l.Time = time.Millisecond + l.Exchange.Gathering
		}
	}
}

// formula is what cui's formulas say.
func formula(ranks, hosts, n float64, e engineSpec) float64 {
	if e.is("gather=plain") {
		return n * (ranks - 1)
	}
	return n * (hosts - 1)
}

func inverse(ranks, hosts, n float64, e engineSpec) float64 {
	return 1e9 / (1 + formula(ranks, hosts, n, e))
}

// phased divides the time of levels into computing, and the rest.
func phased(topDown, bottomUp, sending time.Duration) world {
	return func(_ engineSpec, depth int, l *hops.Level) {
		l.Exchange.Computing, l.Exchange.Sending = topDown, sending
		if depth == 1 {
			l.Step, l.Exchange.Computing, l.Found = "bottom-up gathered", bottomUp, 1000*l.Found
		}
		l.Time = l.Exchange.Computing + l.Exchange.Sending
	}
}

// examining multiplies the edges examined by engines with an option, or none.
func examining(option string, factor float64) world {
	return func(e engineSpec, depth int, l *hops.Level) {
		if e.is(option) || option == "" && len(e.options) == 0 {
			l.Examined = int64(factor * float64(l.Examined))
		}
		if depth == 2 {
			l.Examined *= 1000 // a central level stands out
		}
	}
}

// firstBottomUp makes bottom-up look at everything in its first level.
func firstBottomUp(e engineSpec, depth int, l *hops.Level) {
	if e.is("direction=bottom-up") && depth == 0 {
		l.Examined = 1e9
	}
}

func likeGraph(power float64) world {
	return func(e engineSpec, _ int, l *hops.Level) {
		l.Time = time.Duration(1e6 * math.Pow(e.degree, power))
	}
}

// fixedTime is a machine that takes as long for any graph; growing takes longer
// than the graph grows.
func fixedTime(_ engineSpec, _ int, l *hops.Level) { l.Time = time.Millisecond }

func growing(e engineSpec, _ int, l *hops.Level) {
	l.Time = time.Duration(math.Pow(8, float64(e.scale)))
}

func requests(factor float64) world {
	return func(_ engineSpec, _ int, l *hops.Level) {
		l.Messages = int64(factor * (2*float64(l.Examined) + 3*float64(l.Found)))
	}
}

func bandwidthLike(rate func(pairs, size float64) float64) func(bool) func(int, int) float64 {
	return func(turned bool) func(int, int) float64 {
		return func(pairs, size int) float64 {
			if r := rate(float64(pairs), float64(size)); !turned {
				return r
			}
			return 1e9 / rate(float64(pairs), float64(size))
		}
	}
}

// gatherLike takes so long by way and number of hosts, or turned around.
func gatherLike(turned bool) func(way string, ranks, hosts int) allgather {
	return func(way string, ranks, hosts int) allgather {
		long, short := time.Duration(ranks*hosts)*time.Millisecond, time.Duration(hosts)*time.Millisecond
		if turned {
			long, short = time.Second/time.Duration(ranks*hosts*hosts), time.Second
		}
		switch way {
		case "plain":
			return allgather{exchange: long}
		case "leader":
			return allgather{collect: long, exchange: short, distribute: long}
		}
		return allgather{exchange: short}
	}
}

func resourcesLike(turned bool) hdl.Resources {
	if turned {
		return hdl.Resources{LUT: 12_000, RAMB36: 18}
	}
	return hdl.Resources{LUT: 1500, RAMB36: 1}
}

// stubbed replaces measurements without engines for the time of a test.
func (s scene) stubbed(turned bool) (restore func()) {
	t, g, y := transfer, gather, synthesise
	if s.transfer != nil {
		rate := s.transfer(turned)
		transfer = func(_ context.Context, pairs, size int, _ time.Duration) (float64, error) {
			return rate(pairs, size), nil
		}
	}
	if s.gather != nil {
		way := s.gather(turned)
		gather = func(w string, ranks, hosts, _ int) (allgather, error) { return way(w, ranks, hosts), nil }
	}
	if s.synthesise != nil {
		r := s.synthesise(turned)
		synthesise = func(context.Context, string, string, map[string]int) (hdl.Resources, error) { return r, nil }
	}
	return func() { transfer, gather, synthesise = t, g, y }
}
