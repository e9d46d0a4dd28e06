package grid

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/distributed"
	"github.com/gohops/hops/internal/distributed/ranktest"
	"github.com/gohops/hops/internal/rank"
)

// Devices are imitated here: their memory is that of the host, and what is said to
// take it takes any.

// A deviceComm takes memory of devices.
type deviceComm struct{ rank.Comm }

func (c deviceComm) TakesDevices() bool { return true }

func (c deviceComm) Split(color, key int) (rank.Comm, error) {
	s, err := c.Comm.Split(color, key)
	return deviceComm{s}, err
}

// A directAccelerator lets others write its frontier, and counts what it was given by
// its own rank.
type directAccelerator struct {
	plainAccelerator
	given int
}

func newDirect(rows, columns Lines, n, count int64) *directAccelerator {
	return &directAccelerator{plainAccelerator: plainAccelerator{rows, columns, bitset.New(n), make([]uint32, count), nil}}
}

func directDevice(rows, columns Lines, n, count int64, _ int) (Accelerator, error) {
	return newDirect(rows, columns, n, count), nil
}

func (x *directAccelerator) Front(first int64, words []uint64) error {
	x.given++
	return x.plainAccelerator.Front(first, words)
}

func (x *directAccelerator) pieces() int                 { return x.given }
func (x *directAccelerator) FrontMemory() []byte         { return arena.Bytes(x.front) }
func (x *directAccelerator) Within(f func() error) error { return f() }

// A carrier meets the others of its column by itself.
type carrier struct {
	*directAccelerator
	halls  *halls
	column rank.Comm
}

// halls are where carriers meet, by their secrets.
type halls struct {
	sync.Mutex
	secrets byte
	open    map[byte][]rank.Comm
	refuses func(me int) error
	mute    error // why there are no secrets
}

func (h *halls) device(rows, columns Lines, n, count int64, _ int) (Accelerator, error) {
	return &carrier{directAccelerator: newDirect(rows, columns, n, count), halls: h}, nil
}

func (x *carrier) FrontMemory() []byte { return nil }

func (x *carrier) CanMeet() error { return nil }

func (x *carrier) Secret() (secret [128]byte, err error) {
	x.halls.Lock()
	defer x.halls.Unlock()
	x.halls.secrets++
	secret[0] = x.halls.secrets
	return secret, x.halls.mute
}

func (x *carrier) Meet(secret [128]byte, me, ranks int) (err error) {
	h := x.halls
	h.Lock()
	defer h.Unlock()
	if h.open[secret[0]] == nil {
		if h.open[secret[0]], err = rank.Local(ranks, 1); err != nil {
			return err
		}
	}
	x.column = h.open[secret[0]][me]
	return h.refuses(me)
}

func (x *carrier) Carry(parts []rank.Span) error { return x.column.Gather(arena.Bytes(x.front), parts) }

// Frontiers go from device to device where there is a way for all ranks, and each
// rank then gives its device its own piece only; and by the host where there is none.
func TestFromDeviceToDevice(t *testing.T) {
	src := kronecker(t, 8)
	near, err := ranktest.Read(src)
	if err != nil {
		t.Fatal(err)
	}
	nobody, second := func(int) error { return nil }, func(me int) error {
		if me == 1 {
			return errors.New("two ranks on one device")
		}
		return nil
	}
	for _, x := range []struct {
		name   string
		takes  bool
		device Attach
		direct bool
	}{
		{"mpi", true, directDevice, true},
		{"hostOnly", false, directDevice, false},
		{"carriers", false, (&halls{open: map[byte][]rank.Comm{}, refuses: nobody}).device, true},
		{"refused", false, (&halls{open: map[byte][]rank.Comm{}, refuses: second}).device, false},
		{"mute", false, (&halls{mute: errors.New("no socket")}).device, false},
		{"plain", true, plainDevice(nil), false},
	} {
		for hosts, shape := range [][2]int{{3, 1}, {2, 2}} {
			t.Run(fmt.Sprintf("%s/%dx%d", x.name, shape[0], shape[1]), func(t *testing.T) {
				comms, err := rank.Local(shape[0]*shape[1], hosts+1)
				if err != nil {
					t.Fatal(err)
				}
				if x.takes {
					for r := range comms {
						comms[r] = deviceComm{comms[r]}
					}
				}
				o := Options{Shape: fmt.Sprintf("%dx%d", shape[0], shape[1]), Device: x.device}
				s, err := distributed.BuildOn(t.Context(), src, comms, o.engine())
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = s.Close() })
				levels, err := near.Search(t.Context(), s, hops.NewTree(src.NumVertices()), 1, 41, 81)
				if err != nil {
					t.Fatal(err)
				}
				checkGiven(t, s, shape[0], levels, x.direct)
			})
		}
	}
}

// checkGiven holds the pieces that devices were given by their ranks against those
// of each level: one, or one of each rank of the column.
func checkGiven(t *testing.T, s *Searcher, rows, levels int, direct bool) {
	t.Helper()
	for r, of := range s.Ranks {
		d := of.Machine.(*machine).side.(*onDevice)
		if (d.direct != nil) != direct {
			t.Errorf("rank %d: from device to device: %v", r, d.direct != nil)
		}
		want := rows * levels
		if direct {
			want = levels
		}
		if x, ok := d.accelerator.(interface{ pieces() int }); ok && x.pieces() != want {
			t.Errorf("rank %d was given %d pieces in %d levels, want %d", r, x.pieces(), levels, want)
		}
	}
}
