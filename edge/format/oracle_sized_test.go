package format

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// sizedVertices bounds the sizes that oracles and readers need to agree on.
const sizedVertices = 1<<64 - 2

// matrixOracle reads Matrix Market files.
func matrixOracle(data []byte, _ string, _ Options) (fileGraph, error) {
	if isUTF16(data) {
		return fileGraph{}, wrong{1}
	}
	lines := scanned(data)
	if len(lines) == 0 {
		return fileGraph{}, wrong{1}
	}
	banner := strings.Fields(strings.ToLower(lines[0]))
	if len(banner) != 5 || banner[0] != "%%matrixmarket" || banner[1] != "matrix" || banner[2] != "coordinate" {
		return fileGraph{}, wrong{1}
	}
	kinds := map[string]int{"pattern": 2, "integer": 3, "real": 3, "double": 3}
	columns := kinds[banner[3]]
	g := fileGraph{weighted: columns == 3, directed: banner[4] == "general"}
	if columns == 0 || !g.directed && banner[4] != "symmetric" {
		return fileGraph{}, wrong{1}
	}
	sizeLine, entries := 0, uint64(0)
	for i := 1; i < len(lines); i++ {
		fields := fieldsOf(lines[i])
		if len(fields) == 0 || sizeLine == 0 && blank(lines[i])[0] == '%' {
			continue
		}
		if len(fields) != 3 && (sizeLine == 0 || len(fields) != columns) || sizeLine > 0 && len(fields) != columns {
			return fileGraph{}, wrong{int64(i) + 1}
		}
		u, okU := parseName(fields[0])
		v, okV := parseName(fields[1])
		if !okU || !okV {
			return fileGraph{}, wrong{int64(i) + 1}
		}
		if sizeLine == 0 {
			m, ok := parseName(fields[2])
			if !ok || u != v || u > sizedVertices || m > 1<<62 {
				return fileGraph{}, wrong{int64(i) + 1}
			}
			sizeLine, g.vertices, entries = i+1, u, m
			continue
		}
		e := namedEdge{from: decimal(u), to: decimal(v)}
		ok := u >= 1 && u <= g.vertices && v >= 1 && v <= g.vertices && (g.directed || u >= v)
		if ok && columns == 3 {
			e.weight, ok = value(fields[2])
			ok = ok && (banner[3] != "integer" || !strings.ContainsAny(fields[2], ".eE"))
		}
		if !ok {
			return fileGraph{}, wrong{int64(i) + 1}
		}
		g.edges = append(g.edges, e)
	}
	if sizeLine == 0 {
		return fileGraph{}, wrong{int64(len(lines)) + 1}
	}
	if uint64(len(g.edges)) != entries {
		return fileGraph{}, wrong{int64(sizeLine)}
	}
	return g, nil
}

// dimacsOracle reads shortest-path files.
func dimacsOracle(data []byte, _ string, _ Options) (fileGraph, error) {
	if isUTF16(data) {
		return fileGraph{}, wrong{1}
	}
	g := fileGraph{weighted: true, directed: true}
	header, arcs := int64(0), uint64(0)
	lines := scanned(data)
	for i, line := range lines {
		fields := fieldsOf(line)
		if len(fields) == 0 || fields[0] == "c" {
			continue
		}
		fail := wrong{int64(i) + 1}
		if header == 0 {
			if len(fields) != 4 || fields[0] != "p" || fields[1] != "sp" {
				return fileGraph{}, fail
			}
			n, okN := parseName(fields[2])
			m, okM := parseName(fields[3])
			if !okN || !okM || n > sizedVertices || m > 1<<62 {
				return fileGraph{}, fail
			}
			header, g.vertices, arcs = fail.line, n, m
			continue
		}
		if len(fields) != 4 || fields[0] != "a" {
			return fileGraph{}, fail
		}
		u, okU := parseName(fields[1])
		v, okV := parseName(fields[2])
		w, okW := value(fields[3])
		if !okU || !okV || !okW || strings.ContainsAny(fields[3], ".eE") || u < 1 || v < 1 || u > g.vertices || v > g.vertices {
			return fileGraph{}, fail
		}
		g.edges = append(g.edges, namedEdge{decimal(u), decimal(v), w})
	}
	if header == 0 {
		return fileGraph{}, wrong{int64(len(lines)) + 1}
	}
	if uint64(len(g.edges)) != arcs {
		return fileGraph{}, wrong{header}
	}
	return g, nil
}

// metisOracle reads METIS files.
func metisOracle(data []byte, _ string, _ Options) (fileGraph, error) {
	if isUTF16(data) {
		return fileGraph{}, wrong{1}
	}
	o := metisOracleState{}
	lines := scanned(data)
	for i, line := range lines {
		if !o.line(int64(i)+1, line) {
			return fileGraph{}, wrong{int64(i) + 1}
		}
	}
	if o.header == 0 {
		return fileGraph{}, wrong{int64(len(lines)) + 1}
	}
	return o.fileGraph()
}

type metisOracleState struct {
	header          int64
	vertices, edges uint64
	skip            int
	weighted        bool
	rows            uint64
	entries         []metisEntry
}

type metisEntry struct {
	u, v uint64
	w    float32
	line int64
}

func (o *metisOracleState) line(number int64, line string) bool {
	fields := fieldsOf(line)
	if o.header == 0 {
		if len(fields) == 0 || fields[0][0] == '%' {
			return true
		}
		o.header = number
		return o.readHeader(fields)
	}
	if strings.HasPrefix(line, "%") || o.skip > 0 && len(fields) == 0 {
		return true
	}
	o.rows++
	if len(fields) < o.skip {
		return false
	}
	for i, f := range fields {
		x, ok := parseName(f)
		if !ok {
			return false
		}
		switch {
		case i < o.skip:
		case !o.weighted || (i-o.skip)%2 == 0:
			if x < 1 || x > o.vertices {
				return false
			}
			o.entries = append(o.entries, metisEntry{o.rows, x, 0, number})
		case x == 0:
			return false
		default:
			o.entries[len(o.entries)-1].w, _ = value(f)
		}
	}
	return !o.weighted || (len(fields)-o.skip)%2 == 0
}

func (o *metisOracleState) readHeader(fields []string) bool {
	if len(fields) < 2 || len(fields) > 4 {
		return false
	}
	var okN, okM bool
	o.vertices, okN = parseName(fields[0])
	o.edges, okM = parseName(fields[1])
	if !okN || !okM || o.vertices > 1<<32-1 || o.edges > 1<<62 {
		return false
	}
	kind := "000"
	if len(fields) > 2 {
		kind = strings.TrimLeft(fields[2], "0")
		kind = strings.Repeat("0", max(0, 3-len(kind))) + kind
		if len(kind) != 3 || strings.Trim(kind, "01") != "" {
			return false
		}
	}
	o.skip = int(kind[0]-'0') + int(kind[1]-'0')
	o.weighted = kind[2] == '1'
	if len(fields) == 4 {
		weights, ok := parseName(fields[3])
		if !ok || weights == 0 || weights > 1<<20 || kind[1] == '0' {
			return false
		}
		o.skip += int(weights) - 1
	}
	return true
}

func (o *metisOracleState) fileGraph() (fileGraph, error) {
	if o.rows < o.vertices {
		return fileGraph{}, wrong{o.header}
	}
	type key struct {
		u, v uint64
		w    float32
	}
	count := map[key]int{}
	for _, e := range o.entries {
		if e.u > o.vertices || e.u == e.v {
			return fileGraph{}, wrong{e.line}
		}
		count[key{e.u, e.v, e.w}]++
	}
	g := fileGraph{vertices: o.vertices, weighted: o.weighted}
	for _, e := range o.entries {
		if count[key{e.u, e.v, e.w}] > count[key{e.v, e.u, e.w}] {
			return fileGraph{}, wrong{e.line}
		}
		if e.u < e.v {
			g.edges = append(g.edges, namedEdge{decimal(e.u), decimal(e.v), e.w})
		}
	}
	if uint64(len(o.entries)) != 2*o.edges {
		return fileGraph{}, wrong{o.header}
	}
	return g, nil
}

// serializedOracle reads GAPBS files.
func serializedOracle(data []byte, suffix string, _ Options) (fileGraph, error) {
	var header struct {
		Directed          byte
		Entries, Vertices int64
	}
	r := bytes.NewReader(data)
	if binary.Read(r, binary.LittleEndian, &header) != nil || header.Directed > 1 {
		return fileGraph{}, wrong{}
	}
	n, m := header.Vertices, header.Entries
	if n < 0 || m < 0 || n > int64(len(data)) || m > int64(len(data)) {
		return fileGraph{}, wrong{}
	}
	g := fileGraph{vertices: uint64(n), directed: header.Directed == 1, weighted: suffix == ".wsg"}
	rows := func() (list []namedEdge, ok bool) {
		starts := make([]int64, n+1)
		entries := make([]int32, m)
		if g.weighted {
			entries = make([]int32, 2*m)
		}
		if binary.Read(r, binary.LittleEndian, starts) != nil || m > 0 && binary.Read(r, binary.LittleEndian, entries) != nil {
			return nil, false
		}
		if starts[0] != 0 || starts[n] != m {
			return nil, false
		}
		for u := range n {
			if starts[u] > starts[u+1] || starts[u] < 0 || starts[u+1] > m {
				return nil, false
			}
			for i := starts[u]; i < starts[u+1]; i++ {
				v, w := entries[i%int64(max(len(entries), 1))], int32(0)
				if g.weighted {
					v, w = entries[2*i], entries[2*i+1]
				}
				if v < 0 || int64(v) >= n {
					return nil, false
				}
				list = append(list, namedEdge{fmt.Sprint(u), fmt.Sprint(v), float32(w)})
			}
		}
		return list, true
	}
	out, ok := rows()
	if !ok {
		return fileGraph{}, wrong{}
	}
	in := out
	if g.directed {
		if in, ok = rows(); !ok {
			return fileGraph{}, wrong{}
		}
	}
	balance := map[namedEdge]int{}
	for _, e := range out {
		balance[e]++
	}
	for _, e := range in {
		balance[namedEdge{e.to, e.from, e.weight}]--
	}
	for _, b := range balance {
		if b != 0 {
			return fileGraph{}, wrong{}
		}
	}
	if r.Len() > 0 {
		return fileGraph{}, wrong{}
	}
	for _, e := range out {
		u, _ := parseName(e.from)
		v, _ := parseName(e.to)
		if g.directed || u <= v {
			g.edges = append(g.edges, e)
		}
	}
	return g, nil
}

// packedOracle reads Graph500 files.
func packedOracle(data []byte, _ string, _ Options) (fileGraph, error) {
	var g fileGraph
	if len(data)%12 != 0 || len(data) == 0 {
		return g, wrong{}
	}
	for ; len(data) > 0; data = data[12:] {
		u := uint64(binary.LittleEndian.Uint32(data)) | uint64(binary.LittleEndian.Uint16(data[8:]))<<32
		v := uint64(binary.LittleEndian.Uint32(data[4:])) | uint64(binary.LittleEndian.Uint16(data[10:]))<<32
		g.edges = append(g.edges, namedEdge{from: decimal(u), to: decimal(v)})
		g.vertices = max(g.vertices, u+1, v+1)
	}
	if edges := uint64(len(g.edges)); (g.vertices-1)/16 > max(1024, 2*edges) { // only those with an edge
		with := map[string]bool{}
		for _, e := range g.edges {
			with[e.from], with[e.to] = true, true
		}
		g.vertices = uint64(len(with))
	}
	return g, nil
}
