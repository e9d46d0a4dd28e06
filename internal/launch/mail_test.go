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

	"github.com/gohops/hops/internal/rank"
)

const (
	mailSize = 100 // of a packet
	mailEach = 3 * ringSize
)

// mailed sends more packets from all to all than the rings hold, before anybody reads
// one, and reads them in place and in order.
func mailed(w *World) error {
	group, err := w.Split(0, w.Rank())
	if err != nil {
		return err
	}
	memory, err := group.Packets(int64(mailSize * mailEach * w.Size()))
	if err != nil {
		return err
	}
	var sent []rank.Pending
	for to := range w.Size() {
		for i := range mailEach {
			packet := memory[(to*mailEach+i)*mailSize:][:mailSize]
			writeLetter(packet, w.Rank(), to, i)
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
		readers.Go(func() { errs[channel] = readLetters(group, channel) })
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
	if _, err := group.Send(w.Rank(), 0, make([]byte, mailSize)); err == nil {
		return errors.New("a packet was sent from other memory")
	}
	return group.Close()
}

func writeLetter(packet []byte, from, to, i int) {
	for at, x := range []int{from, to, i} {
		binary.LittleEndian.PutUint32(packet[4*at:], uint32(x))
	}
	copy(packet[12:], bytes.Repeat([]byte{byte(i)}, len(packet)-12))
}

// readLetters reads what there is on one of two channels.
func readLetters(c rank.Comm, channel int) error {
	next := make([]int, c.Size())
	want := make([]byte, mailSize)
	for got := 0; got < c.Size()*mailEach/2; {
		p, ok, err := c.Receive(channel)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		writeLetter(want, p.From, c.Rank(), 2*next[p.From]+channel)
		if !bytes.Equal(p.Data, want) {
			return fmt.Errorf("packet %d of rank %d on channel %d: %x", next[p.From], p.From, channel, p.Data)
		}
		next[p.From]++
		got++
		p.Free()
	}
	return nil
}

// rooms are two mailrooms that share memory, as two processes would.
func rooms() (a, b *mailroom) {
	notes, memory := make([]note, 4*ringSize), make([]byte, 2*mailSize*mailEach)
	room := func(me int) *mailroom {
		return &mailroom{
			comm: &comm{fate: &fate{failed: make(chan struct{})}}, members: []int{3, 5}, me: me,
			notes: notes, memory: memory, size: mailSize * mailEach, out: make([]outbox, 2), next: make([]uint64, 2),
		}
	}
	return room(0), room(1)
}

// Under the race detector: what a receiver reads the sender has written before, and
// what a sender writes again the receiver has read.
func TestMailIsHandedOver(t *testing.T) {
	a, b := rooms()
	const laps = 3
	var sender sync.WaitGroup
	sender.Go(func() {
		packet := a.part(0)[:mailSize] // one, used again and again
		for i := range laps * ringSize {
			writeLetter(packet, 3, 5, i)
			p, ok := a.post(5, 7, packet)
			if !ok {
				t.Errorf("packet %d was not sent", i)
				return
			}
			if err := p.Wait(); err != nil {
				t.Error(err)
			}
		}
	})
	want := make([]byte, mailSize)
	for i := 0; i < laps*ringSize; {
		p, ok, err := b.receive(7)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		writeLetter(want, 3, 5, i)
		if p.From != 3 || !bytes.Equal(p.Data, want) {
			t.Fatalf("packet %d from rank %d: %x", i, p.From, p.Data)
		}
		p.Free()
		i++
	}
	sender.Wait()
}

// A note that points elsewhere is an error that names the sender.
func TestMalformedNotes(t *testing.T) {
	for name, bad := range map[string]struct {
		offset        uint64
		size, channel uint32
	}{
		"beyond":   {mailSize*mailEach - 1, 2, 0},
		"far":      {1 << 63, 2, 0},
		"too long": {0, rank.MaxPacket + 1, 0},
		"channel":  {0, 2, rank.MaxChannel},
	} {
		_, b := rooms()
		n := &b.ring(1, 0)[0]
		n.offset, n.size, n.channel = bad.offset, bad.size, bad.channel
		n.state.Store(1)
		if _, _, err := b.receive(0); err == nil || !strings.Contains(err.Error(), "from rank 3") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestNotesHaveCacheLines(t *testing.T) {
	if size := unsafe.Sizeof(note{}); size != 64 {
		t.Errorf("a note takes %d bytes", size)
	}
}
