// Package nccl moves memory between NVIDIA GPUs through NCCL, which it opens at run
// time.
//
// A Member is one device of a group, whose devices may belong to several processes. The
// members find each other by a secret that one of them makes and that the caller sends to
// the others. On a machine without the library every function returns an error that says
// so. NCCL refuses two members on one device.
package nccl

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/gohops/hops/internal/device/dynlib"
)

// ErrUnavailable is wrapped by all errors on a machine without a usable library.
var ErrUnavailable = errors.New("nccl: not available")

// SecretSize is the size of ncclUniqueId in bytes.
const SecretSize = 128

// minimumVersion is the oldest version that takes the secret by its address, 2.23. Older
// versions take it by value, which purego cannot pass.
const minimumVersion = 22300

// byteType is ncclUint8.
const byteType = 1

var entryPoints = []string{
	"ncclGetErrorString", "ncclGetUniqueId", "ncclCommInitRankScalable", "ncclCommDestroy",
	"ncclGroupStart", "ncclGroupEnd", "ncclSend", "ncclRecv",
}

// fileName is the library, which the dynamic loader looks up on its path.
const fileName = "libnccl.so.2"

// functions are the entry points of the library.
type functions map[string]uintptr

var library = sync.OnceValues(func() (functions, error) {
	if err := recentEnough(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	calls, err := dynlib.Open(fileName, entryPoints...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return calls, nil
})

// recentEnough says what is wrong with the library's version. It comes before the other entry
// points are looked up, of which an old library lacks some.
func recentEnough() error {
	calls, err := dynlib.Open(fileName, "ncclGetVersion")
	if err != nil {
		return err
	}
	version := new(int32)
	if code := dynlib.Call(calls["ncclGetVersion"], uintptr(unsafe.Pointer(version))); code != 0 {
		return fmt.Errorf("ncclGetVersion: error %d", code)
	}
	if *version < minimumVersion {
		return fmt.Errorf("%s has version code %d, at least %d is needed", fileName, *version, minimumVersion)
	}
	return nil
}

// call calls an entry point and makes an error of the code that it returns.
//
//go:uintptrescapes
func (f functions) call(name string, args ...uintptr) error {
	code := dynlib.Call(f[name], args...)
	if int32(code) == 0 {
		return nil
	}
	text := dynlib.Call(f["ncclGetErrorString"], code)
	return fmt.Errorf("nccl: %s: %s (%d)", name, dynlib.Text(*(**byte)(unsafe.Pointer(&text))), int32(code))
}

// together makes all calls of a function start at the same time.
func (f functions) together(calls func() error) error {
	runtime.LockOSThread() // a group of calls belongs to a thread
	defer runtime.UnlockOSThread()
	if err := f.call("ncclGroupStart"); err != nil {
		return err
	}
	return errors.Join(calls(), f.call("ncclGroupEnd"))
}

// CanJoin says what is missing here, or returns nil.
func CanJoin() error {
	_, err := library()
	return err
}

// Secret makes a secret for a new group.
func Secret() ([SecretSize]byte, error) {
	secret := new([SecretSize]byte)
	calls, err := library()
	if err != nil {
		return *secret, err
	}
	err = calls.call("ncclGetUniqueId", uintptr(unsafe.Pointer(secret)))
	return *secret, err
}

// A Member is one member of a group. Its device is the one that is current on the
// threads which call its methods.
type Member struct {
	calls    functions
	comm     uintptr // ncclComm_t
	me, size int
}

// Join joins the group of a secret as member number me of size members, and returns when
// all have joined.
func Join(secret [SecretSize]byte, me, size int) (*Member, error) {
	calls, err := library()
	if err != nil {
		return nil, err
	}
	known := &secret
	m := &Member{calls: calls, me: me, size: size}
	err = calls.call("ncclCommInitRankScalable", uintptr(unsafe.Pointer(&m.comm)), uintptr(size), uintptr(me), 1, uintptr(unsafe.Pointer(known)), 0)
	if err != nil {
		return nil, fmt.Errorf("%w (member %d of %d)", err, me, size)
	}
	return m, nil
}

// A Part is where a member's bytes are in the memory that is gathered.
type Part struct{ At, Bytes int64 }

// Exchange sends a part of the memory from the address out on to every member, and
// receives another from it, into the memory from in on. It follows what is in the stream
// and precedes what is put there afterwards.
func (m *Member) Exchange(out uintptr, outParts []Part, in uintptr, inParts []Part, stream uintptr) error {
	if len(outParts) != m.size || len(inParts) != m.size {
		return fmt.Errorf("nccl: %d and %d parts for %d members", len(outParts), len(inParts), m.size)
	}
	transfer := func(function string, base uintptr, p Part, with int) error {
		if p.Bytes == 0 {
			return nil
		}
		return m.calls.call(function, base+uintptr(p.At), uintptr(p.Bytes), byteType, uintptr(with), m.comm, stream)
	}
	return m.calls.together(func() error {
		for r := range outParts {
			if r == m.me {
				continue
			}
			if err := transfer("ncclSend", out, outParts[r], r); err != nil {
				return err
			}
			if err := transfer("ncclRecv", in, inParts[r], r); err != nil {
				return err
			}
		}
		return nil
	})
}

// Close gives the communicator back.
func (m *Member) Close() error { return m.calls.call("ncclCommDestroy", m.comm) }
