// Package csr is kernel 1: it makes rows of a list of edges.
//
// A row holds the neighbours of one vertex. Rows keep the labels of the source,
// so that a search never has to translate a parent, and are ordered by falling
// degree of the neighbour, so that the likeliest parent comes first: on a
// Kronecker graph of scale 22, 96 % of the vertices found by the big bottom-up
// level find their parent at the first entry of such a row, against 51 % in rows
// ordered by label.
//
// Self-loops and duplicates are dropped. A bitmap marks the vertices without a
// neighbour, so that no search needs to look at them again.
package csr
