// Package hops is the shared vocabulary of a breadth-first-search system.
//
// A search answers "how many hops from here, and by which way". It is a
// sequence of levels: the frontier of vertices at distance d finds the vertices
// at distance d+1. Each level can be run by any step that the machine offers,
// and a policy picks the cheapest before every level. Everything else is written
// once, along one flow:
//
//	edge → csr → engine (over level) → check → stats → report
//
// This package holds the words that those packages exchange and imports none of
// them: a Source delivers edges, an engine turns a Source into something that
// can search, a search fills a Tree and returns a Trace.
//
// Labels are global and 64 bits wide at this boundary. Engines use any numbering
// they like inside; what they return is always in the labels of the Source.
package hops
