package arena

import (
	"errors"
	"testing"

	"golang.org/x/sys/unix"
)

func TestPlace(t *testing.T) {
	var a Arena
	defer a.Close()
	b, err := Make[byte](&a, 4<<20)
	if err != nil {
		t.Fatal(err)
	}
	b[12345] = 7
	err = Place(b[100:], 0)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		t.Skip("this system does not let us:", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if b[12345] != 7 || b[12346] != 0 {
		t.Error("moving pages changed them")
	}
	if err := Place(b[:10], 0); err != nil {
		t.Error("less than a page:", err)
	}
	for _, node := range []int{-1, maxNode} {
		if Place(b, node) == nil {
			t.Errorf("node %d: no error", node)
		}
	}
}
