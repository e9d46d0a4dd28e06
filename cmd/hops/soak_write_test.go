//go:build unix

package main

import (
	"cmp"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
)

// write writes the lines in the format.
func (f *soakFile) write(r *rand.Rand, lines []line) {
	var b strings.Builder
	n := len(f.names)
	switch f.form {
	case "mtx":
		f.writeMatrix(&b, lines)
	case "gr":
		fmt.Fprintf(&b, "c drawn\np sp %d %d\n", n, len(lines))
		for _, l := range lines {
			fmt.Fprintf(&b, "a %s %s %s\n", l.u, l.v, l.weight)
		}
	case "metis":
		f.writeMetis(&b)
	default:
		f.writeList(r, &b, lines)
	}
	must(os.WriteFile(f.path, []byte(b.String()), 0o666))
}

// writeList writes an edge list. Names with blanks need a tab or a comma between them, names with
// quotes or commas stand in quotes; what begins a comment is said.
func (f *soakFile) writeList(r *rand.Rand, b *strings.Builder, lines []line) {
	between := map[string]string{"txt": pick(r, " ", "  ", "\t"), "csv": pick(r, ",", ","), "tsv": "\t"}[f.form]
	if f.text {
		f.flags = append(f.flags, "--ids=string", "--comment=none")
		if f.form == "txt" {
			between = "\t"
		}
	}
	if f.g.Directed {
		f.flags = append(f.flags, "--directed")
	}
	f.flags = append(f.flags, "--header=no")
	if f.form != "txt" && chance(r, 2) {
		f.flags[len(f.flags)-1] = "--header=yes"
		fields := []string{"source", "target", "weight"}
		fmt.Fprintln(b, strings.Join(fields[:map[bool]int{false: 2, true: 3}[f.weighted]], between))
	}
	for _, l := range lines {
		fields := []string{quoted(l.u, between), quoted(l.v, between)}
		if f.weighted {
			fields = append(fields, l.weight)
		}
		fmt.Fprintln(b, strings.Join(fields, between))
	}
}

// quoted puts a name into quotes where it could be misread without.
func quoted(name, between string) string {
	if between != " " && strings.ContainsAny(name, `",`) {
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return name
}

// writeMatrix writes entries (i, j), below the diagonal where edges are undirected.
func (f *soakFile) writeMatrix(b *strings.Builder, lines []line) {
	field := map[bool]string{false: "pattern", true: "real"}[f.weighted]
	symmetry := map[bool]string{false: "symmetric", true: "general"}[f.g.Directed]
	fmt.Fprintf(b, "%%%%MatrixMarket matrix coordinate %s %s\n%d %d %d\n", field, symmetry, len(f.names), len(f.names), len(lines))
	for _, l := range lines {
		u, _ := strconv.Atoi(l.u)
		v, _ := strconv.Atoi(l.v)
		if !f.g.Directed {
			u, v = max(u, v), min(u, v)
		}
		fmt.Fprintf(b, "%d %d %s\n", u, v, l.weight)
	}
}

// writeMetis writes a row for each vertex.
func (f *soakFile) writeMetis(b *strings.Builder) {
	fmt.Fprintf(b, "%d %d %s\n", f.g.Vertices(), len(f.g.Edges()), map[bool]string{false: "", true: "001"}[f.weighted])
	for _, row := range f.g.Out {
		for _, a := range row {
			fmt.Fprintf(b, "%d ", a.To+1)
			if f.weighted {
				fmt.Fprintf(b, "%.0f ", a.Weight)
			}
		}
		fmt.Fprintln(b)
	}
}

// pack packs the file.
func (f *soakFile) pack() {
	text, err := os.ReadFile(f.path)
	must(err)
	f.path += ".gz"
	out, err := os.Create(f.path)
	must(err)
	w := gzip.NewWriter(out)
	_, err = w.Write(text)
	must(cmp.Or(err, w.Close(), out.Close()))
}
