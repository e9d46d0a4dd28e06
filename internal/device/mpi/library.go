package mpi

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"unsafe"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/device/dynlib"
)

// functions are the MPI functions that this package calls.
var functions = []string{
	"MPI_Init_thread", "MPI_Finalize", "MPI_Error_string", "MPI_Get_library_version", "MPI_Comm_rank", "MPI_Comm_size",
	"MPI_Comm_split", "MPI_Comm_free", "MPI_Comm_set_errhandler", "MPI_Isend", "MPI_Irecv", "MPI_Iprobe", "MPI_Improbe", "MPI_Imrecv",
	"MPI_Test", "MPI_Get_count", "MPI_Ibarrier", "MPI_Ibcast", "MPI_Iallreduce",
}

// A Library is an MPI library that this process has opened and initialised.
type Library struct {
	abi
	file  string
	lib   uintptr            // handle of the dynamic loader
	calls map[string]uintptr // addresses of the functions

	mu    sync.Mutex // serialises calls of the library
	arena arena.Arena
	out   *out // memory that functions write their results to, guarded by mu
}

// out is off-heap memory for the results of functions.
type out struct {
	handle, message uint64
	number, flag    int32
	status          [32]byte
	text            [8192]byte // MPI_MAX_LIBRARY_VERSION_STRING of MPICH, the longest
}

// bind finds the functions and handles in an opened library.
func (l *Library) bind(lib uintptr) (err error) {
	l.lib = lib
	if l.calls, err = dynlib.Find(lib, functions...); err != nil {
		return err
	}
	for i, symbol := range l.symbols {
		if symbol == "" {
			continue
		}
		object, err := dynlib.Find(lib, symbol)
		if err != nil {
			return err
		}
		l.handles[i] = object[symbol]
	}
	return nil
}

// Start opens the library that matches the launcher and initialises it. A process can
// call it once. chosen selects a binary interface by name, or a library by path, where
// that would be the wrong one; it is empty otherwise.
func Start(chosen string) (*Library, error) {
	l := detect(os.Getenv)
	list, err := candidates(l, chosen)
	if err != nil {
		return nil, err
	}
	lib, err := open(list)
	if err != nil {
		return nil, err
	}
	if err := lib.init(); err != nil {
		return nil, err
	}
	return lib, lib.agree(l)
}

// init calls MPI_Init_thread and checks what it grants.
func (l *Library) init() error {
	area, err := arena.Make[out](&l.arena, 1)
	if err != nil {
		return err
	}
	l.out = &area[0]
	// The OpenCL plugin of hwloc, which Open MPI uses, loads whole compilers.
	if os.Getenv("HWLOC_COMPONENTS") == "" {
		_ = os.Setenv("HWLOC_COMPONENTS", "-opencl")
	}
	defer keepSignals()()
	if err := l.call("MPI_Init_thread", 0, 0, uintptr(l.serialized), address(&l.out.number)); err != nil {
		return err
	}
	if int(l.out.number) < l.serialized {
		return fmt.Errorf("mpi: %s grants thread level %d only, at least MPI_THREAD_SERIALIZED (%d) is needed",
			l.file, l.out.number, l.serialized)
	}
	return l.call("MPI_Comm_set_errhandler", l.handles[world], l.handles[errorsReturn])
}

// agree returns an error if the library does not belong to the launcher: each process
// would then be the only rank of a world of its own.
func (l *Library) agree(with launch) error {
	world, err := l.World()
	if err != nil {
		return err
	}
	if with.size > 0 && with.size != world.Size {
		return fmt.Errorf("mpi: %s started %d processes, but %s sees %d: they do not belong together; name the right library",
			with.by, with.size, l.file, world.Size)
	}
	return nil
}

// File returns the name that the library was opened by.
func (l *Library) File() string { return l.file }

// ABI returns the binary interface in use: openmpi, mpich or abi.
func (l *Library) ABI() string { return l.name }

// Version returns the first line of the library's own description.
func (l *Library) Version() (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.call("MPI_Get_library_version", address(&l.out.text[0]), address(&l.out.number))
	if err != nil {
		return "", err
	}
	s := string(l.out.text[:max(0, min(int(l.out.number), len(l.out.text)))])
	first, _, _ := strings.Cut(strings.TrimRight(s, "\x00\n"), "\n")
	return first, nil
}

// Finish ends the use of MPI. All ranks must call it; none returns before the
// others are about to.
func (l *Library) Finish() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	socket := pmiSocket()
	if err := l.call("MPI_Finalize"); err != nil {
		return err
	}
	// MPICH 4.2 tells its launcher that the process ends in an exit handler of the C
	// library, which Go does not call; the launcher would then kill the other ranks.
	// Earlier versions have told it by now, and have closed the socket. An error is
	// ignored: the launcher reports it.
	if socket != 0 && pmiSocket() == socket {
		_ = Resign()
	}
	return nil
}

// An Error is a failed call.
type Error struct {
	Call string
	Code int
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("mpi: %s: %s (code %d)", e.Call, e.Text, e.Code) }

// call calls a function and returns its code as an error. The caller holds the mutex,
// or is the only user of the library so far.
func (l *Library) call(name string, args ...uintptr) error {
	r := dynlib.Call(l.calls[name], args...)
	if code := int32(r); code != 0 {
		return l.describe(name, code)
	}
	return nil
}

func (l *Library) describe(name string, code int32) error {
	e := &Error{Call: name, Code: int(code), Text: "no description"}
	var length int32
	text := make([]byte, 1024) // MPI_MAX_ERROR_STRING is 512 at most
	r := dynlib.Call(l.calls["MPI_Error_string"], uintptr(code), uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&length)))
	if r == 0 && length > 0 && int(length) < len(text) {
		e.Text = string(text[:length])
	}
	return e
}

// address returns the address of an object in off-heap memory.
func address[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }
