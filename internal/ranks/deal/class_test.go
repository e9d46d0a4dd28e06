package deal

import "testing"

func TestClasses(t *testing.T) {
	last := -1
	for d := uint32(0); d < 1<<31; d += d/16 + 1 {
		c := int(ClassOf(d))
		if c < last {
			t.Fatalf("degree %d has class %d, a smaller one %d", d, c, last)
		}
		if least := LeastOf(c); least > uint64(d) || int(ClassOf(uint32(least))) != c {
			t.Fatalf("class %d of degree %d has degrees from %d on", c, d, least)
		}
		last = c
	}
	if ClassOf(1<<31) == ClassOf(1<<30) || ClassOf(100) == ClassOf(112) || ClassOf(1) == ClassOf(0) {
		t.Error("degrees far apart have the same class")
	}
}
