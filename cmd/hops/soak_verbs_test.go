//go:build unix

package main

import (
	"slices"
	"testing"
)

// A soakVerb is a way to ask about a file.
type soakVerb struct {
	name string
	slow bool // it measures, so that it is seldom asked
	fits func(f soakFile) bool
	ask  func(x *soakCase)
}

var verbs = []soakVerb{
	{"bfs", false, someVertex, (*soakCase).bfs},
	{"bfs", false, someVertex, (*soakCase).bfs},
	{"path", false, someVertex, (*soakCase).path},
	{"path --all and --k", false, someVertex, (*soakCase).severalPaths},
	{"path --pairs", false, someVertex, (*soakCase).pairs},
	{"near", false, someVertex, (*soakCase).neighbourhood},
	{"sssp", false, weights, (*soakCase).shortest},
	{"sssp", false, weights, (*soakCase).shortest},
	{"components", false, anyFile, (*soakCase).components},
	{"degrees", false, anyFile, (*soakCase).degrees},
	{"closeness", false, someVertex, (*soakCase).closeness},
	{"betweenness", false, visits(4e4), (*soakCase).betweenness},
	{"diameter", false, visits(1e6), (*soakCase).diameter},
	{"info", false, anyFile, (*soakCase).info},
	{"convert", false, anyFile, (*soakCase).convert},
	{"bench", true, someEdge, (*soakCase).bench},
	{"profile", true, someEdge, (*soakCase).levels},
	{"graph500", true, anyFile, (*soakCase).graph500},
}

// unasked are the verbs that answer no question about a graph.
var unasked = []string{"explore", "serve", "report", "generate", "calibrate", "lab", "predict", "engines", "version", "worker", "watchdog", "help", "completion"}

// A verb that was written today is asked, or named among those that are not.
func TestSoakAsksEveryVerb(t *testing.T) {
	for _, command := range new(app).rootCommand().Commands() {
		asked := slices.ContainsFunc(verbs, func(v soakVerb) bool { return v.name == command.Name() })
		if !asked && !command.Hidden && !slices.Contains(unasked, command.Name()) {
			t.Errorf("the soak does not ask %s", command.Name())
		}
	}
}

func anyFile(soakFile) bool      { return true }
func someVertex(f soakFile) bool { return f.g.Vertices() > 0 }
func someEdge(f soakFile) bool   { return len(f.g.Edges()) > 0 }
func weights(f soakFile) bool    { return f.weighted && someVertex(f) }

// visits fits graphs of which the oracle visits at most so many vertices and edges when it searches from
// every vertex.
func visits(limit int) func(f soakFile) bool {
	return func(f soakFile) bool {
		n := f.g.Vertices()
		return n > 0 && n*(n+len(f.g.Edges())) <= limit
	}
}
