package launch

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/gohops/hops/internal/ranks/rank"
)

const (
	packetSize  = 100          // bytes
	packetsEach = 3 * ringSize // packets from each rank to each
)

// sharedPackets sends more packets from all ranks to all than the rings hold before any
// rank reads one, and reads them in place and in order.
func sharedPackets(w *World) error {
	group, err := w.Split(0, w.Rank())
	if err != nil {
		return err
	}
	memory, err := group.Packets(int64(packetSize * packetsEach * w.Size()))
	if err != nil {
		return err
	}
	var sent []rank.Pending
	for to := range w.Size() {
		for i := range packetsEach {
			packet := memory[(to*packetsEach+i)*packetSize:][:packetSize]
			writePacket(packet, w.Rank(), to, i)
			p, err := group.Send(to, i%2, packet)
			if err != nil {
				return err
			}
			sent = append(sent, p)
		}
	}
	errs := make([]error, 2)
	var readers sync.WaitGroup
	for channel := range errs {
		readers.Go(func() { errs[channel] = readPackets(group, channel) })
	}
	readers.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, p := range sent {
		if err := p.Wait(); err != nil {
			return err
		}
	}
	if _, err := group.Send(w.Rank(), 0, make([]byte, packetSize)); err == nil {
		return errors.New("a packet was sent from other memory")
	}
	return group.Close()
}

func writePacket(packet []byte, from, to, i int) {
	for at, x := range []int{from, to, i} {
		binary.LittleEndian.PutUint32(packet[4*at:], uint32(x))
	}
	copy(packet[12:], bytes.Repeat([]byte{byte(i)}, len(packet)-12))
}

// readPackets reads all packets of one of two channels.
func readPackets(c rank.Comm, channel int) error {
	next := make([]int, c.Size())
	want := make([]byte, packetSize)
	for got := 0; got < c.Size()*packetsEach/2; {
		p, ok, err := c.Receive(channel)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		writePacket(want, p.From, c.Rank(), 2*next[p.From]+channel)
		if !bytes.Equal(p.Data, want) {
			return fmt.Errorf("packet %d of rank %d on channel %d: %x", next[p.From], p.From, channel, p.Data)
		}
		next[p.From]++
		got++
		p.Free()
	}
	return nil
}

// twoTransports returns two transports that share memory, as two processes would.
func twoTransports() (a, b *shmTransport) {
	rings, memory := make([]descriptor, 4*ringSize), make([]byte, 2*packetSize*packetsEach)
	transport := func(me int) *shmTransport {
		return &shmTransport{
			comm: &comm{state: &processState{failed: make(chan struct{})}}, members: []int{3, 5}, me: me,
			rings: rings, memory: memory, size: packetSize * packetsEach, out: make([]outbox, 2), next: make([]uint64, 2),
		}
	}
	return transport(0), transport(1)
}

// Run under the race detector, this shows that a receiver reads what the sender has
// finished writing, and that a sender writes again only what the receiver has released.
func TestPacketsAreHandedOver(t *testing.T) {
	a, b := twoTransports()
	const laps = 3
	var sender sync.WaitGroup
	sender.Go(func() {
		packet := a.part(0)[:packetSize] // the same memory for every packet
		for i := range laps * ringSize {
			writePacket(packet, 3, 5, i)
			p, ok := a.send(5, 7, packet)
			if !ok {
				t.Errorf("packet %d was not sent", i)
				return
			}
			if err := p.Wait(); err != nil {
				t.Error(err)
			}
		}
	})
	want := make([]byte, packetSize)
	for i := 0; i < laps*ringSize; {
		p, ok, err := b.receive(7)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		writePacket(want, 3, 5, i)
		if p.From != 3 || !bytes.Equal(p.Data, want) {
			t.Fatalf("packet %d from rank %d: %x", i, p.From, p.Data)
		}
		p.Free()
		i++
	}
	sender.Wait()
}

// A descriptor that points outside the memory is an error that names the sender.
func TestMalformedDescriptors(t *testing.T) {
	for name, bad := range map[string]struct {
		offset        uint64
		size, channel uint32
	}{
		"beyond":   {packetSize*packetsEach - 1, 2, 0},
		"far":      {1 << 63, 2, 0},
		"too long": {0, rank.MaxPacket + 1, 0},
		"channel":  {0, 2, rank.MaxChannel},
	} {
		_, b := twoTransports()
		d := &b.ring(1, 0)[0]
		d.offset, d.size, d.channel = bad.offset, bad.size, bad.channel
		d.state.Store(1)
		if _, _, err := b.receive(0); err == nil || !strings.Contains(err.Error(), "from rank 3") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestDescriptorsFillCacheLines(t *testing.T) {
	if size := unsafe.Sizeof(descriptor{}); size != 64 {
		t.Errorf("a descriptor takes %d bytes", size)
	}
}
