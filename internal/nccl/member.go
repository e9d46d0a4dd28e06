package nccl

import (
	"fmt"
	"maps"
	"sync"

	"github.com/gohops/hops/internal/dynlib"
)

// The members of a group may be in several processes. They find each other by a secret
// that one of them makes and that the caller sends to the others.

// SecretSize is the size of ncclUniqueId in bytes.
const SecretSize = 128

// minimumForProcesses is the oldest version that takes the secret by its address,
// 2.23. Older versions take it by value, which purego cannot pass.
const minimumForProcesses = 22300

var memberPoints = []string{"ncclGetUniqueId", "ncclCommInitRankScalable"}

// processes holds the entry points that members need beyond those of groups.
var processes = sync.OnceValues(func() (map[string]uintptr, error) {
	some, err := library()
	if err != nil {
		return nil, err
	}
	calls := maps.Clone(some)
	version := new(int32)
	if code := dynlib.Call(calls["ncclGetVersion"], dynlib.Address(version)); code != 0 || *version < minimumForProcesses {
		return nil, fmt.Errorf("%w: version code %d, several processes need %d", ErrUnavailable, *version, minimumForProcesses)
	}
	more, err := dynlib.Open(fileName, memberPoints...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	maps.Copy(calls, more)
	return calls, nil
})

// CanJoin says what is missing for groups of several processes, or returns nil.
func CanJoin() error {
	_, err := processes()
	return err
}

// Secret makes a secret for a new group.
func Secret() ([SecretSize]byte, error) {
	secret := new([SecretSize]byte)
	calls, err := processes()
	if err != nil {
		return *secret, err
	}
	g := Group{calls: calls}
	err = g.call("ncclGetUniqueId", dynlib.Address(secret))
	return *secret, err
}

// A Member is one member of a group. Its device is the one that is current on the
// threads which call its methods.
type Member struct {
	group    Group
	me, size int
}

// Join joins the group of a secret as member number me of size members, and returns when
// all have joined.
func Join(secret [SecretSize]byte, me, size int) (*Member, error) {
	calls, err := processes()
	if err != nil {
		return nil, err
	}
	known := &secret
	m := &Member{group: Group{calls: calls, comms: make([]uintptr, 1)}, me: me, size: size}
	err = m.group.call("ncclCommInitRankScalable", dynlib.Address(&m.group.comms[0]), uintptr(size), uintptr(me), 1, dynlib.Address(known), 0)
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
		return m.group.call(function, base+uintptr(p.At), uintptr(p.Bytes), byteType, uintptr(with), m.group.comms[0], stream)
	}
	return m.group.together(func() error {
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
func (m *Member) Close() error { return m.group.Close() }
