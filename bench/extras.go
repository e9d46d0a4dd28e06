package bench

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/many"
)

// Peer returns an Extra that runs another program by a shell once in every round.
// The program searches by itself, from as many roots as the engines do, and prints
// times. edges is the number of tuples of the graph. PeerTime says what is read.
func Peer(name, command string, edges int64) Extra {
	return Extra{Name: name, Kind: "peer", Run: func(ctx context.Context, _ []Search) (time.Duration, error) {
		var out, errs bytes.Buffer
		cmd := exec.CommandContext(ctx, "sh", "-c", command)
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			return 0, fmt.Errorf("%s: %w\n%s", command, err, lastLines(errs.String(), 5))
		}
		return PeerTime(out.String(), edges)
	}}
}

// What programs print, most specific first.
var (
	harmonicTEPS = regexp.MustCompile(`(?m)^bfs +harmonic_mean_TEPS:[ !]*([0-9.eE+-]+)`) // Graph500's reference, and hops graph500 --format graph500
	averageTime  = regexp.MustCompile(`(?m)^Average Time: +([0-9.eE+-]+)`)               // GAP Benchmark Suite, in seconds
)

// PeerTime finds the mean time of a search in the output of a program: from the
// harmonic mean of TEPS in the format of Graph500, from the average time of the GAP
// Benchmark Suite, or else from the last word of the output, in seconds.
func PeerTime(out string, edges int64) (time.Duration, error) {
	if m := harmonicTEPS.FindStringSubmatch(out); m != nil {
		teps, err := strconv.ParseFloat(m[1], 64)
		if err == nil && teps > 0 {
			return seconds(float64(edges) / teps)
		}
	}
	text := ""
	if m := averageTime.FindStringSubmatch(out); m != nil {
		text = m[1]
	} else if words := strings.Fields(out); len(words) > 0 {
		text = words[len(words)-1]
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("no time in its output, which ends with %q", lastLines(out, 1))
	}
	return seconds(x)
}

func seconds(x float64) (time.Duration, error) {
	if !(x > 0 && x < 1e9) {
		return 0, fmt.Errorf("%g seconds is no time of a search", x)
	}
	return time.Duration(x * float64(time.Second)), nil
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// Many returns an Extra that searches from all roots at a time, as many as share a
// search. What it finds is compared with what validation found of the same roots.
func Many(s *many.Searcher, n hops.Vertex, roots []hops.Vertex) Extra {
	d := many.NewDepths(n)
	return Extra{Name: fmt.Sprintf("many:roots=%d", len(roots)), Kind: "many", Run: func(ctx context.Context, known []Search) (time.Duration, error) {
		var sum time.Duration
		for batch := range slices.Chunk(roots, many.MaxRoots) {
			start := time.Now()
			if _, err := s.Search(ctx, batch, d); err != nil {
				return 0, err
			}
			sum += time.Since(start)
			if err := compareDepths(d, known); err != nil {
				return 0, err
			}
		}
		return sum / time.Duration(len(roots)), nil
	}}
}

// compareDepths compares how many vertices each root reaches, and in how many hops,
// with validated searches from the same root.
func compareDepths(d *many.Depths, known []Search) error {
	validated := map[hops.Vertex]many.DepthSum{}
	for _, s := range known {
		if len(s.Depths) == 0 {
			continue
		}
		want := many.DepthSum{Reached: s.Vertices, Depth: len(s.Depths) - 1}
		for depth, count := range s.Depths {
			want.Hops += int64(depth) * count
		}
		validated[s.Root] = want
	}
	for i, got := range d.Sums() {
		if want, ok := validated[d.Roots[i]]; ok && got != want {
			return fmt.Errorf("root %d: found %+v, want %+v", d.Roots[i], got, want)
		}
	}
	return nil
}
