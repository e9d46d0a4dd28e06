package gonum

import (
	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/simple"
)

// allNodes iterates over the nodes 0 … count-1.
type allNodes struct{ count, at int64 }

func (n *allNodes) Next() bool {
	n.at = min(n.at+1, n.count)
	return n.at < n.count
}

func (n *allNodes) Len() int { return int(n.count - min(n.at+1, n.count)) }
func (n *allNodes) Reset()   { n.at = -1 }

func (n *allNodes) Node() graph.Node {
	if n.at < 0 || n.at >= n.count {
		return nil
	}
	return simple.Node(n.at)
}

// rowNodes iterates over a row.
type rowNodes struct {
	row []uint32
	at  int
}

// nodesOf returns the nodes of a row. A damaged row has none; the graph's Err
// tells.
func nodesOf(row []uint32, err error) graph.Nodes {
	if err != nil || len(row) == 0 {
		return graph.Empty
	}
	return &rowNodes{row, -1}
}

func (n *rowNodes) Next() bool {
	n.at = min(n.at+1, len(n.row))
	return n.at < len(n.row)
}

func (n *rowNodes) Len() int { return len(n.row) - min(n.at+1, len(n.row)) }
func (n *rowNodes) Reset()   { n.at = -1 }

func (n *rowNodes) Node() graph.Node {
	if n.at < 0 || n.at >= len(n.row) {
		return nil
	}
	return simple.Node(n.row[n.at])
}
