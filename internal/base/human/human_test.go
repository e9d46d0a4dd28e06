package human

import (
	"testing"
	"time"
)

func TestCount(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1", 950: "950", 999.6: "1.00 k", 1000: "1 k", 1234: "1.23 k",
		16777216: "16.8 M", 0.5: "0.50", 99.96: "100", 9.996: "10.0", 3.5e9: "3.50 G",
		-1234: "-1.23 k", 2e18: "2000 P",
	} {
		if got := Count(x); got != want {
			t.Errorf("Count(%v) = %q, want %q", x, got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 512: "512 B", 1023: "1.00 KiB", 1 << 10: "1 KiB", 3 << 29: "1.50 GiB",
		1 << 40: "1 TiB", 211 << 40: "211 TiB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                        "0 s",
		18 * time.Microsecond:    "18 µs",
		1234 * time.Millisecond:  "1.23 s",
		59400 * time.Millisecond: "59.4 s",
		59600 * time.Millisecond: "1 min 00 s",
		245 * time.Second:        "4 min 05 s",
		2*time.Hour + 10*time.Minute + 31*time.Second: "2 h 10 min",
		-2 * time.Second: "-2 s",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%v) = %q, want %q", d, got, want)
		}
	}
}
