// Package mpi talks to whichever MPI library is there when the program runs.
//
// hops is one binary without cgo. libmpi is opened with the dynamic loader, and
// its functions are called by address. The functions are the same in all
// implementations; what differs is the binary interface: how handles look, how
// large they are and what the constants are. Three interfaces cover what there
// is, see abi.go: that of Open MPI, that of MPICH and its descendants, and the
// standard one of MPI 5.
//
// Rules that the bindings keep:
//
//   - Nothing blocks within the library. Every operation is the non-blocking one,
//     and Wait polls: a call into C keeps a thread and a processor of Go's
//     scheduler, and a rank that cannot answer cannot be told that another died.
//   - One call at a time. The library is asked for MPI_THREAD_SERIALIZED, which
//     all of them grant and which costs them no locks; a mutex here keeps the
//     promise. Any goroutine may call; one that only looks whether something has
//     happened does not queue for the lock, and sees nothing while another has it.
//   - Go's signal handlers stay. Some plugins that MPI_Init loads install their
//     own; they are put back, see signals_linux.go.
//
// Memory handed to an operation belongs to the library until the operation is
// complete: someone must hold on to it. Arena memory is best, a heap object that
// stays in a variable will do, and what would lie on a stack is moved to the heap
// by being passed.
package mpi
