// Package hops searches graphs breadth first.
//
// A search answers "how many hops from here, and by which way". To ask:
//
//   - Open a graph file with package graph, or let csr.Build make a Graph from a
//     Source: a list of edges in memory (edge.List), in a file of any format
//     (package format), or generated (edge.NewKronecker).
//   - Ask the graph for its Neighbors, or Walk it from a vertex until you have
//     seen enough. Package query finds paths between two vertices, connected
//     components, closeness and more.
//   - To search all of it, make a searcher of an engine, such as cpu.New(g,
//     cpu.Options{}), and a Tree of your own. Search(ctx, root, tree) fills it,
//     as often as you like, without allocating; Reset it in between. A Tree tells
//     the Parent and the Level of a vertex, the PathTo it, and the Order of all.
//
// A Graph may be shared by any number of goroutines, each with its own searcher.
//
// # The words
//
// A search is a sequence of levels: the frontier of vertices at distance d finds
// the vertices at distance d+1. Each level can be run by any step that the
// machine offers, and a policy picks the cheapest before every level. Everything
// else is written once, along one flow:
//
//	edge → csr → engine (over level) → check → stats → report
//
// This package holds the words that those packages exchange and imports none of
// them: a Source delivers edges, an engine turns a Source or a Graph into
// something that can search, a search fills a Tree and returns a Trace.
//
// Vertices are global numbers of 64 bits at this boundary. Engines use any
// numbering they like inside; what they return is always in the numbers of the
// Source. What a file calls its vertices is in the Names of its graph.
//
// # What stays
//
// These packages are for other programs: hops, graph, edge, edge/format, csr, query, sssp,
// level, the engines cpu, many, gpu, cluster and grid, check, stats, graph500 and
// report. From version 1 on a program that compiles with a release compiles with the
// later ones of the same major version; before, CHANGELOG.md names what breaks. Files
// that a release has written are read by all later ones: .hops, and results in JSON.
// All else may change in any release: what internal, papers and cmd have, the names of
// steps and their choice, the order of equally short paths, the tree that a search
// finds among those with the same levels, and the figures of a Trace.
package hops
