// Package mutants makes faults in the program, to see whether the tests notice them.
//
// A mutant is the program with one fault: a comparison that takes one case more or less, a
// condition turned round, a number that is one off, a statement that is left out, a function
// that returns at once. faults_test.go finds the places in Go by its syntax and in assembly,
// CUDA and Verilog by their words. mutants_test.go draws some of the places in each folder and runs
// the tests of the packages that should notice. It is all tests: make mutants runs them, and SEED
// draws the same mutants again.
//
// A mutant that survives shows code that no test needs, or it makes no difference but to speed:
// a person has to look.
package mutants
