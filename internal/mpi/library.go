package mpi

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/gohops/hops/internal/arena"
)

// A function is one that we call.
type function int

const (
	initThread function = iota
	finalize
	abort
	errorString
	libraryVersion
	processorName
	commRank
	commSize
	commSplit
	commFree
	setErrhandler
	isend
	irecv
	improbe
	imrecv
	cancel
	test
	testsome
	getCount
	ibarrier
	ibcast
	iallreduce
	ireduce
	iallgatherv
	ialltoallv
	functions
)

var functionNames = [functions]string{
	initThread:     "MPI_Init_thread",
	finalize:       "MPI_Finalize",
	abort:          "MPI_Abort",
	errorString:    "MPI_Error_string",
	libraryVersion: "MPI_Get_library_version",
	processorName:  "MPI_Get_processor_name",
	commRank:       "MPI_Comm_rank",
	commSize:       "MPI_Comm_size",
	commSplit:      "MPI_Comm_split",
	commFree:       "MPI_Comm_free",
	setErrhandler:  "MPI_Comm_set_errhandler",
	isend:          "MPI_Isend",
	irecv:          "MPI_Irecv",
	improbe:        "MPI_Improbe",
	imrecv:         "MPI_Imrecv",
	cancel:         "MPI_Cancel",
	test:           "MPI_Test",
	testsome:       "MPI_Testsome",
	getCount:       "MPI_Get_count",
	ibarrier:       "MPI_Ibarrier",
	ibcast:         "MPI_Ibcast",
	iallreduce:     "MPI_Iallreduce",
	ireduce:        "MPI_Ireduce",
	iallgatherv:    "MPI_Iallgatherv",
	ialltoallv:     "MPI_Ialltoallv",
}

// A Library is an MPI library that this process has opened and initialised.
type Library struct {
	abi
	file  string
	lib   uintptr // as the loader knows it
	calls [functions]uintptr

	mu    sync.Mutex // one call at a time
	arena arena.Arena
	out   *out // what calls write to, guarded by mu
}

// out is off-heap memory for results.
type out struct {
	handle, message uint64
	number, flag    int32
	status          [32]byte
	text            [8192]byte // MPI_MAX_LIBRARY_VERSION_STRING of MPICH, the longest
}

// bind finds the functions and handles in an opened library.
func (l *Library) bind(lib uintptr) error {
	if err := l.resolve(lib); err != nil {
		return err
	}
	for f, name := range functionNames {
		address, err := purego.Dlsym(lib, name)
		if err != nil {
			return fmt.Errorf("no function %s", name)
		}
		l.calls[f] = address
	}
	l.lib = lib
	return nil
}

// Start opens the library that fits the launcher and initialises it. It can be
// done once in a process.
func Start() (*Library, error) {
	l := detect(os.Getenv)
	list, err := candidates(l, os.Getenv(override))
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
	if err := l.call(initThread, 0, 0, uintptr(l.serialized), address(&l.out.number)); err != nil {
		return err
	}
	if int(l.out.number) < l.serialized {
		return fmt.Errorf("mpi: %s grants thread level %d only, at least MPI_THREAD_SERIALIZED (%d) is needed",
			l.file, l.out.number, l.serialized)
	}
	return l.call(setErrhandler, l.handles.world, l.handles.errorsReturn)
}

// agree tells if the library and the launcher do not speak to each other: each
// process would then run alone.
func (l *Library) agree(with launch) error {
	world, err := l.World()
	if err != nil {
		return err
	}
	if with.size > 0 && with.size != world.Size {
		return fmt.Errorf("mpi: %s started %d processes, but %s sees %d: they do not belong together; set %s to the right library",
			with.by, with.size, l.file, world.Size, override)
	}
	return nil
}

// File is the name that the library was opened by.
func (l *Library) File() string { return l.file }

// ABI is the interface in use: openmpi, mpich or abi.
func (l *Library) ABI() string { return l.name }

// Version is the library's own description, its first line.
func (l *Library) Version() (string, error) { return l.text(libraryVersion) }

// Host is the name of the machine this process runs on.
func (l *Library) Host() (string, error) { return l.text(processorName) }

func (l *Library) text(f function) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.call(f, address(&l.out.text[0]), address(&l.out.number))
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
	if err := l.call(finalize); err != nil {
		return err
	}
	// MPICH 4.2 leaves the farewell to a handler of the C library's exit, which Go does
	// not call, and its launcher would kill the others. Before, the socket is closed by now.
	// A farewell that fails is for the launcher to report.
	if socket != 0 && pmiSocket() == socket {
		_ = Resign()
	}
	return nil
}

// Abort asks the launcher to end all ranks, and does not return if it listens.
func (l *Library) Abort(code int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.call(abort, l.handles.world, uintptr(code))
}

// An Error is a failed call.
type Error struct {
	Call string
	Code int
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("mpi: %s: %s (code %d)", e.Call, e.Text, e.Code) }

// call calls a function and turns its code into an error. The mutex is held by
// the caller, or nobody else has the library yet.
func (l *Library) call(f function, args ...uintptr) error {
	r, _, _ := purego.SyscallN(l.calls[f], args...)
	if code := int32(r); code != 0 {
		return l.describe(f, code)
	}
	return nil
}

func (l *Library) describe(f function, code int32) error {
	e := &Error{Call: functionNames[f], Code: int(code), Text: "no description"}
	var length int32
	text := make([]byte, 1024) // MPI_MAX_ERROR_STRING is 512 at most
	r, _, _ := purego.SyscallN(l.calls[errorString], uintptr(code), uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&length)))
	if r == 0 && length > 0 && int(length) < len(text) {
		e.Text = string(text[:length])
	}
	return e
}

// address is for pointers to off-heap memory.
func address[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }
