package tooltest

import "testing"

// A witness notes whether a test was skipped or failed.
type witness struct {
	testing.TB
	skipped, failed bool
}

func (w *witness) Helper()     {}
func (w *witness) Skip(...any) { w.skipped = true; panic(w) }
func (w *witness) Fatal(...any) {
	w.failed = true
	panic(w)
}

func TestMissing(t *testing.T) {
	for _, ci := range []string{"", "true"} {
		t.Setenv("CI", ci)
		w := &witness{TB: t}
		func() {
			defer func() { _ = recover() }()
			Missing(w, "no such tool")
		}()
		if w.skipped != (ci == "") || w.failed != (ci != "") {
			t.Errorf("CI=%q: skipped %v, failed %v", ci, w.skipped, w.failed)
		}
	}
}
