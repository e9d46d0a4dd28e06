package gpu

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Sizes of the parameters of a kernel, in bytes.
type parameters []uint8

// kernelsInSource reads the parameters of every kernel from the kernels' source.
func kernelsInSource(t *testing.T) map[string]parameters {
	t.Helper()
	text, err := source()
	if err != nil {
		t.Fatal(err)
	}
	paths, err := textOf(pathFiles)
	if err != nil {
		t.Fatal(err)
	}
	text += paths
	macros := sharedParameters(t)
	expand := strings.NewReplacer("SEARCH_PARAMS", macros["GRAPH_PARAMS"]+", "+macros["STATE_PARAMS"], "GRAPH_PARAMS", macros["GRAPH_PARAMS"],
		"OUT_PARAMS", macros["OUT_PARAMS"], "WEIGHTED_PARAMS", macros["WEIGHTED_PARAMS"], "PATHS_PARAMS", macros["PATHS_PARAMS"])
	all := make(map[string]parameters)
	for _, m := range regexp.MustCompile(`(?m)^KERNEL\(\d+\) (\w+)\(([^)]*)\)`).FindAllStringSubmatch(text, -1) {
		if all[m[1]] != nil {
			t.Errorf("kernel %s is there twice", m[1])
		}
		all[m[1]] = sizesOf(t, expand.Replace(m[2]))
	}
	return all
}

// sharedParameters reads the parameters that make a graph and a search.
func sharedParameters(t *testing.T) map[string]string {
	t.Helper()
	macros := make(map[string]string)
	for macro, file := range map[string]string{"GRAPH_PARAMS": "graph.h", "STATE_PARAMS": "state.h", "OUT_PARAMS": "directed.cu", "WEIGHTED_PARAMS": "weights.cu", "PATHS_PARAMS": "paths.h"} {
		text, err := kernelFiles.ReadFile("kernels/" + file)
		if err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(`#define ` + macro + ` ((?:.*\\\n)*.*)\n`).FindStringSubmatch(string(text))
		if m == nil {
			t.Fatalf("%s does not define %s", file, macro)
		}
		macros[macro] = strings.ReplaceAll(m[1], "\\\n", " ")
	}
	return macros
}

func sizesOf(t *testing.T, list string) (sizes parameters) {
	t.Helper()
	for _, parameter := range strings.Split(list, ",") {
		words := strings.Fields(parameter)
		switch {
		case strings.Contains(parameter, "*"), words[0] == "ulong":
			sizes = append(sizes, 8)
		case words[0] == "uint":
			sizes = append(sizes, 4)
		default:
			t.Fatalf("parameter %q: unknown size", parameter)
		}
	}
	return sizes
}

// A typedLaunch is a function that launches a kernel.
type typedLaunch struct {
	function, receiver, kernel string
	own                        parameters // beside those of a graph or a search
}

// typedLaunches reads all launches with a kernel's name from the package's own source.
func typedLaunches(t *testing.T) (all []typedLaunch) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				ast.Inspect(f.Body, func(n ast.Node) bool {
					if l, ok := launchIn(t, f, n); ok {
						all = append(all, l)
					}
					return true
				})
			}
		}
	}
	return all
}

// argumentSizes are the sizes of arguments by the functions that make them.
var argumentSizes = map[string]uint8{"mem": 8, "u64": 8, "u32": 4, "boolean": 4}

// launchIn recognises x.launch("kernel", shape, arguments…) in a function.
func launchIn(t *testing.T, f *ast.FuncDecl, n ast.Node) (l typedLaunch, ok bool) {
	t.Helper()
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return l, false
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || method.Sel.Name != "launch" || len(call.Args) < 2 {
		return l, false
	}
	name, ok := call.Args[0].(*ast.BasicLit)
	if !ok { // the methods named launch pass a name on
		return l, false
	}
	l = typedLaunch{function: f.Name.Name, receiver: receiverOf(f)}
	l.kernel, _ = strconv.Unquote(name.Value)
	for _, a := range call.Args[2:] {
		made, ok := a.(*ast.CallExpr)
		if !ok {
			t.Fatalf("%s: an argument is not made by mem, u32, u64 or boolean", l.function)
		}
		size, ok := argumentSizes[fmt.Sprint(made.Fun)]
		if !ok {
			t.Fatalf("%s: unknown argument %v", l.function, made.Fun)
		}
		l.own = append(l.own, size)
	}
	return l, true
}

func receiverOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	kind := f.Recv.List[0].Type
	if p, ok := kind.(*ast.StarExpr); ok {
		kind = p.X
	}
	return fmt.Sprint(kind)
}

// camel is the name of a kernel as that of a Go function.
func camel(kernel string) string {
	return regexp.MustCompile(`_[a-z]`).ReplaceAllStringFunc(kernel, func(s string) string { return strings.ToUpper(s[1:]) })
}

func sizesOfArguments(args []arg) (sizes parameters) {
	for _, a := range args {
		sizes = append(sizes, a.size)
	}
	return sizes
}

// Every kernel has one typed launch, which has its name and passes as many arguments as
// the kernel has parameters, of the same sizes; and there is no other launch.
func TestLaunchesMatchKernels(t *testing.T) {
	g := &graph{}
	s := &state{graph: g}
	w := &weightedRows{graph: g}
	p := &pathState{weightedGraph: &weightedGraph{in: w, out: w}, kernels: kernels{&openclDevice{}}}
	kernels := kernelsInSource(t)
	launched := make(map[string]bool)
	for _, l := range typedLaunches(t) {
		want, ok := kernels[l.kernel]
		if !ok {
			t.Errorf("%s launches %s: there is no such kernel", l.function, l.kernel)
		}
		if launched[l.kernel] {
			t.Errorf("%s is launched in several places, also in %s", l.kernel, l.function)
		}
		launched[l.kernel] = true
		if l.function != camel(l.kernel) {
			t.Errorf("%s launches %s", l.function, l.kernel)
		}
		var got parameters
		switch l.receiver {
		case "kernels":
			got = l.own
		case "graph":
			got = append(l.own, sizesOfArguments(g.args())...)
		case "state":
			got = append(sizesOfArguments(s.args()), l.own...)
		case "weightedRows":
			got = append(l.own, sizesOfArguments(w.args())...)
		case "pathState":
			got = append(sizesOfArguments(p.args()), l.own...)
		default:
			t.Errorf("%s is no method of kernels, graph or state", l.function)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s passes arguments of %d bytes, the kernel has parameters of %d", l.function, got, want)
		}
	}
	for _, kernel := range slices.Sorted(maps.Keys(kernels)) {
		if !launched[kernel] {
			t.Errorf("kernel %s has no typed launch", kernel)
		}
	}
}

// The PTX has the same kernels, with as many parameters.
func TestPTXHasTheKernels(t *testing.T) {
	want := kernelsInSource(t)
	ptx, err := modulePTX()
	if err != nil {
		t.Fatal(err)
	}
	entries := regexp.MustCompile(`\.visible \.entry (\w+)\(([^)]*)\)`).FindAllStringSubmatch(ptx, -1)
	if len(entries) != len(want) {
		t.Errorf("%d kernels in the PTX, %d in the source", len(entries), len(want))
	}
	for _, e := range entries {
		if got := strings.Count(e[2], ".param"); got != len(want[e[1]]) {
			t.Errorf("%s has %d parameters in the PTX, %d in the source", e[1], got, len(want[e[1]]))
		}
	}
}
