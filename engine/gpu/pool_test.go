package gpu

import (
	"errors"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// Devices that wait at the barrier end when another one fails, and so do those that come later.
func TestFailedDeviceEndsBarriers(t *testing.T) {
	p := newPool(3)
	ended := make(chan error)
	for range 2 {
		go func() { ended <- p.meet() }()
	}
	p.fail()
	for range 2 {
		if err := <-ended; !errors.Is(err, errOther) {
			t.Errorf("a barrier ended with %v", err)
		}
	}
	if err := p.meet(); !errors.Is(err, errOther) {
		t.Errorf("a later barrier ended with %v", err)
	}
}

// Devices load shares of the edges where all of them have room, and otherwise none does.
func TestSharesNeedRoomOnAllDevices(t *testing.T) {
	for _, room := range [][]bool{{true, true, true}, {true, false, true}} {
		p := newPool(len(room))
		joined := make(chan *pool)
		for i, fits := range room {
			go func() {
				got, err := member{p, i}.join(&edgeLoader{}, fits)
				if err != nil {
					t.Error(err)
				}
				joined <- got
			}()
		}
		for range room {
			if got := <-joined; (got == p) != room[1] {
				t.Errorf("with room %v a device joined %v", room, got)
			}
		}
	}
}

func TestSharesAreAllEdges(t *testing.T) {
	for _, m := range []int{0, 1, 2, 10, 1001} {
		src, p, at := edge.List(make([]hops.Edge, m), 1), newPool(3), int64(0)
		for i := range 3 {
			first, count := member{p, i}.share(src)
			if first != at || count < 0 {
				t.Errorf("device %d of %d edges has %d from %d on, after %d", i, m, count, first, at)
			}
			at = first + count
		}
		if at != int64(m) {
			t.Errorf("the shares end at %d of %d", at, m)
		}
	}
}
