// Package mpi calls the MPI library that is installed where the program runs.
//
// hops is one binary without cgo. libmpi is opened with the dynamic loader, and
// its functions are called by address. The functions are the same in all
// implementations; what differs is the binary interface: handles and constants.
// Three interfaces cover all implementations, see abi.go: that of Open MPI, that
// of MPICH and its descendants, and the standard one of MPI 5.
//
// The bindings follow three rules:
//
//   - Nothing blocks within the library. Every operation is the non-blocking one,
//     and the caller polls Done: a call into C keeps a thread and a processor of Go's
//     scheduler, and a blocked rank could not be told that another died.
//   - One call at a time. The library is asked for MPI_THREAD_SERIALIZED, which
//     all implementations grant and which costs them no locks; a mutex here
//     serialises calls. Any goroutine may call. A poll does not wait for the mutex:
//     it reports no progress while another goroutine holds it.
//   - Go's signal handlers stay. Some plugins that MPI_Init loads install their
//     own; they are put back, see signals_linux.go.
//
// Memory handed to an operation belongs to the library until the operation is
// complete, so the caller must keep it reachable. Arena memory is best; a heap
// object that a variable refers to will do. Passing a buffer makes it escape from
// the stack to the heap.
package mpi
