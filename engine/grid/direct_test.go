package grid

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/distributed/ranktest"
	"github.com/gohops/hops/internal/ranks/rank"
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

func (c deviceComm) ExchangeOthers(out []byte, outParts []rank.Span, in []byte, inParts []rank.Span) error {
	if d, ok := c.Comm.(rank.DeviceComm); ok {
		return d.ExchangeOthers(out, outParts, in, inParts)
	}
	return exchangeSpans(c, out, outParts, in, inParts)
}

// exchangeSpans is an exchange of any parts, which may overlap.
func exchangeSpans(c rank.Comm, out []byte, outParts []rank.Span, in []byte, inParts []rank.Span) error {
	var sent, received []byte
	outCuts, inCuts := []int64{0}, []int64{0}
	for r := range outParts {
		if r != c.Rank() {
			sent = append(sent, out[outParts[r].Lo:outParts[r].Hi]...)
			received = append(received, in[inParts[r].Lo:inParts[r].Hi]...)
		}
		outCuts, inCuts = append(outCuts, int64(len(sent))), append(inCuts, int64(len(received)))
	}
	if err := c.Exchange(sent, outCuts, received, inCuts); err != nil {
		return err
	}
	for r, p := range inParts {
		if r != c.Rank() {
			copy(in[p.Lo:p.Hi], received[inCuts[r]:])
		}
	}
	return nil
}

// An addressed accelerator lets an MPI have its memory.
type addressed struct{ *plainAccelerator }

func addressedDevice(b block.Block, _ int) (block.Accelerator, error) {
	return addressed{newPlain(b, nil)}, nil
}

func (x addressed) Memory(r block.Region) []byte { return arena.Bytes(x.memory[r])[:x.Bytes(r)] }
func (x addressed) Within(f func() error) error  { return f() }

// A neighborhood is the accelerators of a process that read each other's memory.
type neighborhood struct {
	sync.Mutex
	all     []*plainAccelerator
	refuses error
	apart   bool
}

type resident struct {
	*plainAccelerator
	in     *neighborhood
	number uint64
	met    []*plainAccelerator
}

func (n *neighborhood) device(b block.Block, _ int) (block.Accelerator, error) {
	n.Lock()
	defer n.Unlock()
	x := newPlain(b, nil)
	n.all = append(n.all, x)
	return &resident{plainAccelerator: x, in: n, number: uint64(len(n.all) - 1)}, nil
}

func (x *resident) Card() ([]byte, error) {
	return binary.LittleEndian.AppendUint64(nil, x.number), nil
}

func (x *resident) Meet(cards [][]byte, _ int, oneProcess bool) (first int, how string, err error) {
	if x.in.refuses != nil || !oneProcess {
		return 0, "", errors.Join(x.in.refuses, fmt.Errorf("in one process: %v", oneProcess))
	}
	x.in.Lock()
	defer x.in.Unlock()
	first = len(x.met)
	for _, c := range cards {
		x.met = append(x.met, x.in.all[binary.LittleEndian.Uint64(c)])
	}
	return first, "imitated addresses", nil
}

func (x *resident) Copy(dst block.Region, at int64, from int, src block.Region, srcAt, bytes int64) error {
	return x.tell(func() {
		copy(arena.Bytes(x.memory[dst])[at:at+bytes], arena.Bytes(x.met[from].memory[src])[srcAt:srcAt+bytes])
	})
}

// A carrier joins groups of others by itself.
type carrier struct {
	*plainAccelerator
	halls  *halls
	groups []rank.Comm
}

// halls are where carriers meet, by their secrets.
type halls struct {
	sync.Mutex
	secrets byte
	open    map[byte][]rank.Comm
	refuses func(me int) error
	mute    error // why there are no secrets
}

func (h *halls) device(b block.Block, _ int) (block.Accelerator, error) {
	return &carrier{plainAccelerator: newPlain(b, nil), halls: h}, nil
}

func (x *carrier) CanJoin() error { return nil }

func (x *carrier) Secret() (secret [128]byte, err error) {
	x.halls.Lock()
	defer x.halls.Unlock()
	x.halls.secrets++
	secret[0] = x.halls.secrets
	return secret, x.halls.mute
}

func (x *carrier) Join(secret [128]byte, me, ranks int) (group int, err error) {
	h := x.halls
	h.Lock()
	defer h.Unlock()
	if h.open[secret[0]] == nil {
		if h.open[secret[0]], err = rank.Local(ranks, 1); err != nil {
			return 0, err
		}
	}
	x.groups = append(x.groups, h.open[secret[0]][me])
	return len(x.groups) - 1, h.refuses(me)
}

func (x *carrier) Send(group int, out block.Region, outParts []rank.Span, in block.Region, inParts []rank.Span) error {
	if err := x.Sync(); err != nil {
		return err
	}
	return exchangeSpans(x.groups[group], arena.Bytes(x.memory[out]), outParts, arena.Bytes(x.memory[in]), inParts)
}

// Every group of ranks exchanges by the first way that all of its ranks can go, and by the
// host where there is no other.
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
		device attacher
		way    string
	}{
		{"addresses", false, new(neighborhood).device, "imitated addresses"},
		{"strangers", false, (&neighborhood{refuses: errors.New("no peers")}).device, "the host's memory"},
		{"mpi", true, addressedDevice, "MPI from device to device"},
		{"hostOnly", false, addressedDevice, "the host's memory"},
		{"carriers", false, (&halls{open: map[byte][]rank.Comm{}, refuses: nobody}).device, "NCCL"},
		{"refused", false, (&halls{open: map[byte][]rank.Comm{}, refuses: second}).device, "the host's memory"},
		{"mute", false, (&halls{mute: errors.New("no socket")}).device, "the host's memory"},
		{"plain", true, plainAttach(nil), "the host's memory"},
	} {
		for _, shape := range []string{"3x1", "1x3", "2x2"} {
			t.Run(x.name+"/"+shape, func(t *testing.T) {
				rows, columns, _ := parseShape(shape)
				comms, err := rank.Local(rows*columns, 1)
				if err != nil {
					t.Fatal(err)
				}
				if x.takes {
					for r := range comms {
						comms[r] = deviceComm{comms[r]}
					}
				}
				o := Options{Shape: shape, Threads: 1, Device: on(x.device)}
				s, err := distributed.BuildOn(t.Context(), src, comms, o.engine())
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = s.Close() })
				if _, err := near.Search(t.Context(), s, hops.NewTree(src.NumVertices()), 1, 41, 81); err != nil {
					t.Fatal(err)
				}
				if name := s.DeviceName(); !strings.HasSuffix(name, " by "+x.way) {
					t.Errorf("%s: want %q", name, x.way)
				}
			})
		}
	}
}

// Ranks of one host read each other's memory, and tell those of others through the hosts.
func TestWaysDifferByGroup(t *testing.T) {
	s := mustBuild(t, kronecker(t, 6), Options{Ranks: 4, Hosts: 2, Shape: "2x2", Device: on(new(neighborhood).device)})
	if got, want := s.DeviceName(), "imitation, 2 x 2 ranks, rows by imitated addresses, columns by the host's memory"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
