// Package lint holds the rules of this repository that no general tool knows:
// which package may import which (deps_test.go), how files are written (rules_test.go),
// that other modules can use what public packages export (surface_test.go), and which
// words are avoided (words_test.go). All of it is tests, which apply the rules to the
// whole tree, so a new package first needs a row in the table of dependencies.
//
// Files are found by walking the tree and not by the go command: files of all platforms
// are then checked on each, and the test cache knows what the result depends on.
package lint
