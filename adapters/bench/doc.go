// Package bench compares hops with other graph libraries of Go. It is a module of
// its own, so that none of them is a dependency of hops, and has nothing but
// benchmarks.
package bench
