package ceiling

import (
	"testing"
	"time"
)

func TestAtLeast(t *testing.T) {
	b := Bounds{Stream: 1e9, Lines: 1e6, Probes: 1e7}
	for _, x := range []struct {
		work  Work
		least time.Duration
		by    string
	}{
		{Work{Streamed: 2e9, Lines: 1e6, Probes: 1e7}, 2 * time.Second, "bytes"},
		{Work{Streamed: 1e9, Lines: 3e6, Probes: 1e7}, 3 * time.Second, "lines"},
		{Work{Streamed: 1e9, Lines: 1e6, Probes: 4e7}, 4 * time.Second, "probes"},
	} {
		if least, by := b.AtLeast(x.work); least != x.least || by != x.by {
			t.Errorf("%+v: %v by %s, want %v by %s", x.work, least, by, x.least, x.by)
		}
	}
}

func TestMeasureBounds(t *testing.T) {
	b, err := MeasureBounds(Sizes{Arrays: 1 << 16, All: 1 << 16, Bitmap: 1 << 12}, 1)
	if err != nil || b.Stream <= 0 || b.Lines <= 0 || b.Probes <= 0 {
		t.Errorf("%+v, %v", b, err)
	}
}
