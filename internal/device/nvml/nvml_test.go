package nvml

import (
	"errors"
	"testing"
	"time"
)

// The counter never falls; where there is none, the error says so.
func TestMeter(t *testing.T) {
	m, err := Open(0)
	if err != nil {
		if !errors.Is(err, ErrUnavailable) {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	before, err := m.Joules()
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	if after, err := m.Joules(); err != nil || after <= before {
		t.Errorf("from %v J to %v J in 200 ms, %v", before, after, err)
	}
}
