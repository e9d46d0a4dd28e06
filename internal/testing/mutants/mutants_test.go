package mutants

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"go/build"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	each = flag.Int("mutants", 0, "how many mutants to draw in each folder")
	seed = flag.Uint64("mutants.seed", 0, "draws the mutants; 0 is drawn")
	only = flag.String("mutants.only", "", "a pattern of folders")
	out  = flag.String("mutants.out", "", "file for the table of results, in Markdown")
)

// watched are the folders that faults are made in. The tests of the folder's package are to notice them,
// and those of others that use it.
var (
	watched = strings.Fields(`. check csr edge edge/format engine/cluster engine/cpu engine/gpu engine/gpu/kernels
		engine/grid engine/many graph internal/base/bitset internal/base/bottomup internal/base/bucket
		internal/base/kernel internal/page/explore internal/page/explore/view
		internal/ranks/gather internal/ranks/packet papers/cygraph papers/hdl query sssp`)
	users = map[string]string{
		"engine/gpu/kernels":         "engine/gpu internal/device/adaptive",
		"internal/base/bottomup":     "internal/base/bottomup engine/cpu",
		"internal/base/bucket":       "internal/base/bucket sssp",
		"internal/base/kernel":       "internal/base/kernel engine/cpu engine/many",
		"internal/page/explore/view": "internal/page/explore/view internal/page/explore",
		"internal/ranks/gather":      "internal/ranks/gather engine/cluster",
		"internal/ranks/packet":      "internal/ranks/packet engine/cluster",
		"papers/hdl":                 "papers/cygraph",
	}
)

// A mutant is a fault in a file.
type mutant struct {
	fault
	file, text string
}

// mutantsOf draws an order of the mutants of all files of a folder that are compiled here.
func mutantsOf(root, folder string) (all []mutant, err error) {
	files, err := os.ReadDir(filepath.Join(root, folder))
	for _, f := range files {
		name, suffix := f.Name(), filepath.Ext(f.Name())
		if strings.HasSuffix(name, "_test.go") || (suffix != ".go" && other[suffix] == nil) {
			continue
		}
		if here, _ := build.Default.MatchFile(filepath.Join(root, folder), name); !here && (suffix == ".go" || suffix == ".s") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, folder, name))
		if err != nil {
			return nil, err
		}
		faults := faultsOfWords(string(text), suffix)
		if suffix == ".go" {
			if faults, err = faultsOfGo(string(text)); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		for _, fault := range faults {
			all = append(all, mutant{fault, filepath.Join(folder, name), string(text)})
		}
	}
	r := rand.New(rand.NewPCG(*seed, uint64(len(all))))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all, err
}

// TestMutants reports the mutants that no test notices. It fails only if tests fail without a mutant.
func TestMutants(t *testing.T) {
	if *each == 0 {
		t.Skip("make mutants runs them")
	}
	*seed = cmp.Or(*seed, rand.Uint64()%1_000_000)
	pattern := regexp.MustCompile(*only)
	var rows, survivors []string
	for _, folder := range watched {
		if pattern.MatchString(folder) {
			row, survived := runFolder(t, "../../..", folder, strings.Fields(cmp.Or(users[folder], folder)))
			rows, survivors = append(rows, row), append(survivors, survived...)
		}
	}
	text := fmt.Sprintf("Seed %d, %d mutants a folder, %s.\n\n| folder | mutants | survived | noticed by, among others |\n|---|---|---|---|\n%s",
		*seed, *each, time.Now().UTC().Format(time.DateOnly), strings.Join(rows, ""))
	if len(survivors) > 0 {
		text += "\n| survivor | line | mutant |\n|---|---|---|\n" + strings.Join(survivors, "")
	}
	fmt.Print(text)
	if *out != "" {
		if err := os.WriteFile(*out, []byte(text), 0o666); err != nil {
			t.Error(err)
		}
	}
}

// runFolder runs tests on mutants of a folder, and returns rows of the tables.
func runFolder(t *testing.T, root, folder string, packages []string) (row string, survivors []string) {
	t.Helper()
	r := runner{root: root, dir: t.TempDir()}
	for _, p := range packages {
		if by, ok := r.test("", p); !ok || by != "" {
			t.Errorf("%s: %s fails without a mutant", p, cmp.Or(by, "the compiler"))
			return "", nil
		}
	}
	all, err := mutantsOf(root, folder)
	if err != nil {
		t.Fatal(err)
	}
	noticed, count := map[string]int{}, 0
	for _, m := range all {
		if count == *each {
			break
		}
		by, ok := r.noticed(t, m, packages)
		if !ok {
			continue // no program
		}
		count++
		line, was, is := m.line(m.text)
		fmt.Printf("%s:%d: %q → %q: %s\n", m.file, line, strings.TrimSpace(was), strings.TrimSpace(is), cmp.Or(by, "NO TEST NOTICES"))
		if noticed[by]++; by == "" {
			survivors = append(survivors, fmt.Sprintf("| %s:%d | `%s` | `%s` |\n", m.file, line, cell(was), cell(is)))
		}
	}
	delete(noticed, "")
	most := slices.SortedFunc(maps.Keys(noticed), func(a, b string) int { return cmp.Or(noticed[b]-noticed[a], cmp.Compare(a, b)) })
	return fmt.Sprintf("| %s | %d | %d | %s |\n", folder, count, len(survivors), strings.Join(most[:min(3, len(most))], ", ")), survivors
}

// cell is a text that does not end a cell of a table.
func cell(text string) string { return strings.ReplaceAll(strings.TrimSpace(text), "|", `\|`) }

// A runner runs tests in the module at root.
type runner struct{ root, dir string }

// noticed returns the test that fails with the mutant, or "", and whether the mutant is a program.
// Short tests come first.
func (r runner) noticed(t *testing.T, m mutant, packages []string) (by string, ok bool) {
	t.Helper()
	file, err := filepath.Abs(filepath.Join(r.root, m.file))
	if err != nil {
		t.Fatal(err)
	}
	changed, overlay := filepath.Join(r.dir, filepath.Base(m.file)), filepath.Join(r.dir, "overlay.json")
	list, _ := json.Marshal(map[string]map[string]string{"Replace": {file: changed}})
	for path, text := range map[string][]byte{changed: []byte(m.apply(m.text)), overlay: list} {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, flags := range [][]string{{"-short"}, nil} {
		for _, p := range packages {
			if by, ok := r.test(overlay, p, flags...); by != "" || !ok {
				return by, ok
			}
		}
	}
	return "", true
}

var (
	failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\w+)`)
	// broken matches compilers: the mutant is no program.
	broken = regexp.MustCompile(`\[build failed\]|clBuildProgram|%Error: Exiting due to|\[setup failed\]`)
)

// test runs the tests of a package, with an overlay unless that is empty. The sum of the kernels'
// sources is not tested: it notices any change.
func (r runner) test(overlay, pkg string, flags ...string) (by string, ok bool) {
	args := slices.Concat([]string{"test", "-overlay=" + overlay, "-vet=off", "-failfast", "-timeout", "10m", "-skip", "TestPTX"}, flags, []string{"./" + pkg})
	cmd := exec.Command("go", args...)
	cmd.Dir = r.root
	text, err := cmd.CombinedOutput()
	if err == nil || broken.Match(text) {
		return "", err == nil
	}
	_ = os.RemoveAll(filepath.Join(r.root, pkg, "testdata", "rapid")) // what rapid found wrong with the mutant
	name := "a crash"
	if f := failed.FindSubmatch(text); f != nil {
		name = string(f[1])
	}
	return pkg + " " + name, true
}
