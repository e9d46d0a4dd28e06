package gpu

// Typed launches of the kernels that search from many roots: kernels/many.cu.

// manyWords are the words of all vertices, a bit for each root.
type manyWords struct {
	seen, front, next buffer
	pieces            buffer // of long rows
	tally             buffer
}

// manySeed lets every root reach itself.
func (k kernels) manySeed(roots buffer, n int, w manyWords) error {
	return k.launch("many_seed", k.covering(int64(n), 256), mem(roots), u32(n), mem(w.seen), mem(w.front))
}

// overLabels is a grid with a thread for every label.
func (g *graph) overLabels() shape { return g.covering(int64(g.words())*lanes, 256) }

// manyDown passes on the roots in down from the front to its neighbours. The graph has
// the rows out of the vertices.
func (g *graph) manyDown(down uint64, w manyWords) error {
	return g.launch("many_down", g.overLabels(), u64(down), mem(w.seen), mem(w.front), mem(w.next), mem(w.pieces), mem(w.tally))
}

// manyDownPieces does so along the pieces that manyDown has listed.
func (g *graph) manyDownPieces(down uint64, w manyWords) error {
	return g.launch("many_down_pieces", g.overLabels(), u64(down), mem(w.seen), mem(w.front), mem(w.next), mem(w.pieces), mem(w.tally))
}

// manyUp looks for the roots in up among the neighbours of vertices that miss them. The
// graph has the rows into the vertices.
func (g *graph) manyUp(up uint64, w manyWords) error {
	return g.launch("many_up", g.overLabels(), u64(up), mem(w.seen), mem(w.next), mem(w.pieces), mem(w.tally))
}

// manyUpPieces does so along the pieces that manyUp has listed.
func (g *graph) manyUpPieces(up uint64, w manyWords) error {
	return g.launch("many_up_pieces", g.overLabels(), u64(up), mem(w.seen), mem(w.next), mem(w.pieces), mem(w.tally))
}

// manyCommit makes what was found the front, and counts it. The graph has the rows out
// of the vertices.
func (g *graph) manyCommit(w manyWords) error {
	return g.launch("many_commit", g.overLabels(), mem(w.seen), mem(w.front), mem(w.next), mem(w.tally))
}

// manyMark sets a binary digit of the levels of the front.
func (k kernels) manyMark(digit buffer, w manyWords, n int64) error {
	return k.launch("many_mark", k.covering(n, 256), mem(digit), mem(w.front), u64(n))
}
