// Package lab repeats the experiments of the five papers that hops descends from,
// at the size of this machine.
//
// An Experiment is one figure or table of a paper, named as there (checconi/fig9);
// experiments.go lists all. Its Run function measures and returns a Finding: tables, plots
// with the paper's axes, the paper's figures beside ours, and claims. A Claim is one
// statement of the paper, which code decides from the figures just measured: it
// holds, it does not hold, or the spread of the figures is too large to tell. The
// verdict of an experiment is the weakest of its claims.
//
// An experiment opens engines by their strings, through a function in Lab, so this
// package imports no engine. A missing engine, option or piece of hardware is named in
// the finding; claims that depend on it cannot tell, and the rest runs. Every finding
// states its basis: measured here, ranks in one process, model time, or projection.
//
// The shared parts: lab.go has the types above; measure.go searches graphs with several
// engines; runs.go reduces searches (Runs) to figures; claim.go decides; figures.go and
// page.go present; tour.go performs many experiments and resumes after an interruption.
package lab
