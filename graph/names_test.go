package graph

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"pgregory.net/rapid"
)

// roundTrip checks that names lead to vertices and back, also through sections.
func roundTrip(t interface{ Fatalf(string, ...any) }, l *Names, want []string) {
	again, err := NamesFrom(l.Sections())
	if err != nil {
		t.Fatalf("names from their own sections: %v", err)
	}
	for _, l := range []*Names{l, again} {
		if l.Len() != hops.Vertex(len(want)) {
			t.Fatalf("%d names, want %d", l.Len(), len(want))
		}
		for v, name := range want {
			if got := l.Name(hops.Vertex(v)); got != name {
				t.Fatalf("vertex %d is called %q, want %q", v, got, name)
			}
			if got, ok := l.Lookup(name); !ok || got != hops.Vertex(v) {
				t.Fatalf("%q is found as %d, %v, want %d", name, got, ok, v)
			}
		}
	}
}

func TestTextNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.String(), 0, 200, rapid.ID).Draw(t, "names")
		var ends []uint64
		for i := range names {
			ends = append(ends, uint64(len(strings.Join(names[:i+1], ""))))
		}
		l, err := TextNames([]byte(strings.Join(names, "")), ends)
		if err != nil {
			t.Fatalf("%v", err)
		}
		roundTrip(t, l, names)
		if unknown := rapid.String().Draw(t, "unknown"); !slices.Contains(names, unknown) && len(names) > 0 {
			if v, ok := l.Lookup(unknown); ok {
				t.Fatalf("%q is found as %d", unknown, v)
			}
		}
	})
}

func TestTextNamesMustDiffer(t *testing.T) {
	if l, err := TextNames([]byte("abcab"), []uint64{2, 3, 5}); err == nil {
		t.Errorf("two names \"ab\": %v", l.Name(2))
	}
	for _, ends := range [][]uint64{{2, 1}, {9}} {
		if _, err := TextNames([]byte("abcab"), ends); err == nil {
			t.Errorf("ends %v of five bytes", ends)
		}
	}
}

func TestNumberNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfNDistinct(rapid.Uint64(), 1, 100, rapid.ID).Draw(t, "numbers")
		slices.Sort(numbers)
		narrow := make([]uint32, len(numbers))
		var wide, low []string
		for i, x := range numbers {
			narrow[i] = uint32(i) * 3
			wide, low = append(wide, fmt.Sprint(x)), append(low, fmt.Sprint(i*3))
		}
		n := uint64(len(numbers))
		roundTrip(t, &Names{NameSections{Count: n, Wide: numbers}}, wide)
		roundTrip(t, &Names{NameSections{Count: n, Narrow: narrow}}, low)
		unknown := rapid.Uint64().Draw(t, "unknown")
		if v, ok := (&Names{NameSections{Count: n, Wide: numbers}}).LookupNumber(unknown); ok && !slices.Contains(numbers, unknown) {
			t.Fatalf("%d is found as %d", unknown, v)
		}
	})
}

func TestLabelsThatCount(t *testing.T) {
	l := &Names{NameSections{Count: 3, First: 1}}
	roundTrip(t, l, []string{"1", "2", "3"})
	for _, unknown := range []string{"0", "4", "-1", "", "x", "1 ", "18446744073709551616"} {
		if v, ok := l.Lookup(unknown); ok {
			t.Errorf("%q is found as %d", unknown, v)
		}
	}
	var none *Names
	if v, ok := none.Lookup("17"); v != 17 || !ok || none.Name(17) != "17" || none.IsText() {
		t.Errorf("no names: 17 is found as %d, %v and called %q", v, ok, none.Name(17))
	}
	if v, ok := none.Lookup("18446744073709551615"); ok {
		t.Errorf("no names: found %d, which stands for no vertex", v)
	}
}

// Sections may come from a file that is damaged: they are refused, or harmless.
func TestDamagedSectionsAreHarmless(t *testing.T) {
	for i, s := range []NameSections{
		{Count: 3, Narrow: make([]uint32, 2)},
		{Count: 2, Wide: make([]uint64, 3)},
		{Count: 1, Narrow: make([]uint32, 1), Wide: make([]uint64, 1)},
		{Count: 2, Ends: make([]uint64, 2), Table: make([]uint32, 3)},
		{Count: 2, Ends: make([]uint64, 2), Table: make([]uint32, 2)},
		{Count: 0, Table: make([]uint32, 4)},
		{Count: 2, First: math.MaxUint64},
	} {
		if _, err := NamesFrom(s); err == nil {
			t.Errorf("sections %d were accepted", i)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := NameSections{Count: 3, Text: []byte("abc")}
		s.Ends = rapid.SliceOfN(rapid.Uint64(), 3, 3).Draw(t, "ends")
		s.Table = rapid.SliceOfN(rapid.Uint32(), 8, 8).Draw(t, "table")
		l, err := NamesFrom(s)
		if err != nil {
			t.Fatalf("%v", err)
		}
		for v := range hops.Vertex(3) {
			if v2, ok := l.Lookup(l.Name(v)); ok && v2 >= 3 {
				t.Fatalf("vertex %d of 3", v2)
			}
		}
	})
}

func BenchmarkLookup(b *testing.B) {
	var text []byte
	var ends []uint64
	names := make([]string, 1<<16)
	for i := range names {
		names[i] = fmt.Sprintf("page-%d.html", i*7919)
		text = append(text, names[i]...)
		ends = append(ends, uint64(len(text)))
	}
	l, err := TextNames(text, ends)
	if err != nil {
		b.Fatal(err)
	}
	i := 0
	for b.Loop() {
		if _, ok := l.Lookup(names[i%len(names)]); !ok {
			b.Fatal("not found")
		}
		i += 977
	}
}

// Names that a file was made of so that they collide do not make the table slow, and are
// found, also in the arrays that are written.
func TestNamesThatCollide(t *testing.T) {
	const count, slots = 3000, 4096 // as TextNames makes it
	var names []string
	for i := uint64(0); len(names) < count; i++ {
		name := make([]byte, 8)
		binary.LittleEndian.PutUint64(name, i)
		if hashName(name, 0)&(slots-1) == 7 {
			names = append(names, string(name))
		}
	}
	ends := make([]uint64, count)
	for i := range ends {
		ends[i] = 8 * uint64(i+1)
	}
	l, err := TextNames([]byte(strings.Join(names, "")), ends)
	if err != nil {
		t.Fatal(err)
	}
	far := uint64(0)
	for slot, v := range l.Table {
		if v != 0 {
			far += (uint64(slot) - hashName([]byte(names[v-1]), l.First)) & (slots - 1)
		}
	}
	if len(l.Table) != slots || far > 20*count {
		t.Errorf("%d names in a table of %d lie %d slots from where they belong", count, len(l.Table), far)
	}
	roundTrip(t, l, names)
}
