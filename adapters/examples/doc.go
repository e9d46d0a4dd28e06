// Package examples has an example of every public package of hops, written in a
// module of its own: what compiles here can be written by anyone who imports hops.
//
// The example of package a/b is in a_b_test.go. A new public package needs such a
// file, and nothing else: see surface_test.go.
package examples
