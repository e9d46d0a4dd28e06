package mutants

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const program = `package p

func Least(a []int) (least int) {
	least = a[0]
	for _, v := range a {
		if v < least {
			least = v
		}
	}
	return least
}
`

// All kinds of faults are found, each is Go, and none is in the same place as another of its kind.
func TestFaultsOfGo(t *testing.T) {
	faults, err := faultsOfGo(program)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range faults {
		_, _, is := f.line(program)
		got = append(got, strings.TrimSpace(is))
		if _, err := faultsOfGo(f.apply(program)); err != nil {
			t.Errorf("%q: %v", is, err)
		}
	}
	slices.Sort(got)
	want := []string{
		"func Least(a []int) (least int) { return;", "if !(v < least) {", "if v <= least {",
		"least = a[(0 + 1)]", "{}", "{}",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFaultsOfWords(t *testing.T) {
	for text, want := range map[string][]string{
		"\tCMPQ AX, $64 // at 3\n\tJLT loop\n": {"CMPQ AX, $(64+1) // at 3", "JLE loop"},
		"#define N 3\nTEXT ·f(SB), $0-8\n":     nil,
	} {
		var got []string
		for _, f := range faultsOfWords(text, ".s") {
			_, _, is := f.line(text)
			got = append(got, strings.TrimSpace(is))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := faultsOfWords("if (a <= b) a = 0u;", ".cu"); len(got) != 2 || got[0].is != " < " || got[1].is != "0u + 1" {
		t.Errorf("CUDA: %+v", got)
	}
}

// Tests that notice a fault are named, and a fault that they do not notice survives.
func TestSurvivors(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the go command a dozen times")
	}
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module p\n\ngo 1.26\n", "p.go": program,
		"p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestLeast(t *testing.T) {\n\tif Least([]int{2, 1, 3}) != 1 {\n\t\tt.Fail()\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	*each = 10
	defer func() { *each = 0 }()
	row, survivors := runFolder(t, root, ".", []string{"."})
	if row != "| . | 6 | 2 | . TestLeast |\n" {
		t.Error(row)
	}
	// Neither of two equal ones nor the first of three is the least in the test.
	for _, want := range []string{"v <= least", "a[(0 + 1)]"} {
		if !slices.ContainsFunc(survivors, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("no survivor has %q: %q", want, survivors)
		}
	}
}

// Every folder has mutants, and the seed alone chooses among them.
func TestWatchedFoldersHaveMutants(t *testing.T) {
	*seed = 7
	defer func() { *seed = 0 }()
	for _, folder := range watched {
		all, err := mutantsOf("../../..", folder)
		if err != nil || len(all) < 10 {
			t.Errorf("%s: %d mutants, %v", folder, len(all), err)
			continue
		}
		if again, _ := mutantsOf("../../..", folder); !slices.Equal(all, again) {
			t.Errorf("%s: seed 7 draws others the second time", folder)
		}
	}
}
