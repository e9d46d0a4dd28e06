// Package learn learns what the steps of an engine cost on a machine, and decides by
// it: cost terms, their fit to measured levels, explorations that time every step on
// every level, regret against the best steps in hindsight, and the file that keeps a
// calibration.
//
// A Calibration belongs to one engine, one number of threads and one kind of hardware.
// Load returns it if there is one that fits. That there is none is no failure: the
// error says why, and the engine's policy that knows nothing of the machine serves.
//
// The way to a calibration:
//
//  1. TrainingSet says which graphs to learn from.
//  2. Calibrate builds each graph and lets the engine Explore searches of it.
//  3. Fit finds the coefficients of every step from half of the searches, Tune scales
//     them so that decisions lose the least time.
//  4. The other half of the searches tells how good the model is: its regret, and its
//     predictions beside measured times.
package learn
