package topo

// Machine reads a fixture, for tests outside the package.
var Machine = machine
