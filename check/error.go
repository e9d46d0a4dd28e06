package check

import (
	"fmt"

	"github.com/gohops/hops"
)

// A Rule is one thing that a breadth-first tree must fulfil.
type Rule uint8

const (
	Root   Rule = iota + 1 // the root is a vertex and its own parent
	Range                  // every parent is a vertex of the graph
	Self                   // no vertex but the root is its own parent
	Orphan                 // every parent is itself in the tree
	Cycle                  // the parents of every vertex lead to the root
	Levels                 // every tuple joins levels that differ by at most one
	Span                   // no tuple leads out of the tree
	Branch                 // every vertex but the root is joined to its parent by a tuple

	Distance // the root has distance 0, vertices of the tree a finite one, others +Inf
	Relaxed  // no tuple leads to a vertex by a shorter way
)

var rules = [...]struct {
	name string
	spec int
}{
	Root:   {"root", 1},
	Range:  {"range", 1},
	Self:   {"self", 1},
	Orphan: {"orphan", 1},
	Cycle:  {"cycle", 1},
	Levels: {"levels", 3},
	Span:   {"span", 4},
	Branch: {"branch", 5},

	Distance: {"distance", 2},
	Relaxed:  {"relaxed", 3},
}

func (r Rule) String() string { return rules[r].name }

// Spec is the number, from 1 to 5, of the specification's check that the rule
// is part of. For trees none is part of check 2, that tree edges join neighbouring
// levels: levels counted along the tree cannot violate it.
func (r Rule) Spec() int { return rules[r].spec }

// An Error tells how a tree violates a rule.
type Error struct {
	Rule   Rule
	Vertex hops.Vertex // at fault; for an edge, its deeper or outer end
	Parent hops.Vertex // of Vertex, NoVertex if it has none

	// Edge is the tuple at fault and Index its place in the list, for the rules
	// Levels and Span; Levels are those of its ends, -1 outside the tree. For
	// Branch, Edge is the one that is missing. Index is -1 if there is no tuple.
	Edge   hops.Edge
	Index  int64
	Levels [2]int64

	Weighted *Weighted // nil if the result has no distances
}

// Weighted is what an Error tells of distances: for the rule Relaxed those of the ends of
// the edge and its weight, for the rule Distance that of the vertex first.
type Weighted struct {
	Distances [2]float64
	Weight    float32
}

func (e *Error) Error() string {
	return fmt.Sprintf("check: %v (rule %d): %s", e.Rule, e.Rule.Spec(), e.fault())
}

func (e *Error) fault() string {
	switch e.Rule {
	case Root:
		return fmt.Sprintf("root %s must be a vertex and its own parent, its parent is %s", name(e.Vertex), name(e.Parent))
	case Range:
		return fmt.Sprintf("vertex %d has parent %d, which is not a vertex of the graph", e.Vertex, e.Parent)
	case Self:
		return fmt.Sprintf("vertex %d is its own parent but not the root", e.Vertex)
	case Orphan:
		return fmt.Sprintf("vertex %d has parent %d, which is not in the tree", e.Vertex, e.Parent)
	case Cycle:
		return fmt.Sprintf("vertex %d, with parent %d, is its own ancestor", e.Vertex, e.Parent)
	case Levels:
		return fmt.Sprintf("edge %d (%d, %d) joins levels %d and %d; vertex %d has parent %d",
			e.Index, e.Edge.U, e.Edge.V, e.Levels[0], e.Levels[1], e.Vertex, e.Parent)
	case Span:
		return fmt.Sprintf("edge %d (%d, %d) leads out of the tree; vertex %d has no parent",
			e.Index, e.Edge.U, e.Edge.V, e.Vertex)
	case Distance:
		return fmt.Sprintf("vertex %d, with parent %s, has distance %v", e.Vertex, name(e.Parent), e.Weighted.Distances[0])
	case Relaxed:
		return fmt.Sprintf("edge %d (%d, %d) of weight %v joins distances %v and %v; vertex %d has parent %d",
			e.Index, e.Edge.U, e.Edge.V, e.Weighted.Weight, e.Weighted.Distances[0], e.Weighted.Distances[1], e.Vertex, e.Parent)
	default:
		if e.Weighted != nil {
			return fmt.Sprintf("vertex %d has parent %d, but no edge between them makes up the distance", e.Vertex, e.Parent)
		}
		if e.Edge.U == e.Parent {
			return fmt.Sprintf("vertex %d has parent %d, but no edge leads there from it", e.Vertex, e.Parent)
		}
		return fmt.Sprintf("vertex %d has parent %d, but no edge joins them", e.Vertex, e.Parent)
	}
}

func name(v hops.Vertex) string {
	if v == hops.NoVertex {
		return "none"
	}
	return fmt.Sprint(uint64(v))
}

// branchError is the fault of a vertex whose tree edge is not among the tuples.
func branchError(v, parent hops.Vertex, directed bool) *Error {
	fault := vertexError(Branch, v, parent)
	fault.Edge = hops.Edge{U: v, V: parent}
	if directed {
		fault.Edge = hops.Edge{U: parent, V: v}
	}
	return fault
}

// vertexError is a fault that involves no tuple.
func vertexError(r Rule, v, parent hops.Vertex) *Error {
	return &Error{
		Rule: r, Vertex: v, Parent: parent,
		Edge: hops.Edge{U: hops.NoVertex, V: hops.NoVertex}, Index: -1, Levels: [2]int64{-1, -1},
	}
}
