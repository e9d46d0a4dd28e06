//go:build !race

package main

// underRace tells that the race detector is compiled in, which takes memory of its own.
const underRace = false
