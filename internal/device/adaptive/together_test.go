package adaptive_test

import (
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/device/adaptive"
)

// Whatever the share, the tree is right, and the device's part of the bitmap crosses the bus
// in every divided level.
func TestAnyShare(t *testing.T) {
	openclOrSkip(t)
	src, err := edge.NewKronecker(13, 8, 2, 3) // two blocks of the host
	if err != nil {
		t.Fatal(err)
	}
	p := newPair(t, src, 0, true)
	for _, share := range []int{1, 13, 50, 77, 100} {
		for _, root := range []hops.Vertex{5, 8000} {
			tree, trace := p.search(t, adaptive.Options{Policy: adaptive.Together, HostShare: share}, root)
			if _, err := check.New(src, 0).Tree(t.Context(), tree); err != nil {
				t.Errorf("share %d, root %d: %v", share, root, err)
			}
			divided := 0
			for _, l := range trace.Levels {
				if l.Step != "bottom-up-together" {
					continue
				}
				divided++
				if part := int64((100-share)*8192/100/64) * 8; l.Bytes < part {
					t.Errorf("share %d, root %d: %d bytes, the device's part of the bitmap has %d", share, root, l.Bytes, part)
				}
			}
			if len(trace.Levels) > 2 && divided == 0 {
				t.Errorf("share %d, root %d: no level was divided: %s", share, root, trace.Plan())
			}
		}
	}
}

// A level is divided only between memories of their own, and by a share.
func TestTogetherIsRefused(t *testing.T) {
	openclOrSkip(t)
	src := edge.List([]hops.Edge{{U: 0, V: 1}}, 64)
	for want, setup := range map[string]struct {
		apart bool
		share int
	}{"want 1 to 100": {true, 101}, "apart=on": {false, 0}} {
		p := newPair(t, src, 0, setup.apart)
		_, err := adaptive.New(t.Context(), p.host.Portable(), p.device, adaptive.Options{Policy: adaptive.Together, HostShare: setup.share})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", setup, err, want)
		}
	}
}
