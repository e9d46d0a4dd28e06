// Package lab repeats the experiments of the five papers that hops descends from,
// at the size of the machine at hand.
//
// An Experiment is one figure or table, named as in its paper (checconi/fig9).
// Run measures, and returns a Finding: a table, plots with the paper's axes, the
// paper's own figures beside ours, and claims. A Claim is one thing that the
// paper says, decided by code from the figures just measured: it holds, it does
// not, or the spread of the figures is too large to tell. The verdict of an
// experiment is the weakest of its claims; nobody writes it by hand.
//
// An experiment asks for engines by the string that names them, through a
// function that it is given, so this package imports none. What is not there, be
// it an engine, an option or hardware, is named in the finding, the claims that
// depend on it cannot tell, and the rest runs. Every finding says on which basis
// it stands: measured here, ranks in one process, model time, or projection.
package lab
