// Package sssp finds shortest paths by weight from one vertex to all others, on the
// cores of one host or on ranks (group.go).
//
// On most graphs it is delta-stepping in both directions. A search is a sequence of levels, and a level
// is a bucket: it finds all vertices nearer than a bound. Slots number the vertices, those
// with the longest rows first. Rows are ordered by rising weight, so that the entries that
// matter to a bucket are the front of a row.
//
//  1. top-down. A vertex that was found pushes the entries whose sums are below the bound.
//     A record keeps its position in the row and the sum of the next entry. The next
//     bucket begins at the least of these sums and has the width Δ. Entries beyond the bound,
//     the heavy ones, wait in the row, and most of them are never read.
//  2. bottom-up. A vertex that was not found pulls. Let D₀ be a distance such that all
//     vertices nearer than D₀ have pushed their whole rows. Then an entry of weight w
//     matters to a vertex only if D₀+w is below the bound and below the distance that
//     the vertex has already. A vertex is woken when its lightest entry can matter:
//     wake lists have the vertices in the order of that weight, by octaves. Bounds lie
//     D₀ + 1, 2, 4, … apart: on a Kronecker graph most vertices read one entry. These
//     buckets make no records: if the search turns top-down again, all are made anew.
//  3. In both, vertices that got a distance below the bound push their entries below the
//     bound in phases, until no distance changes. Then all distances below it are final.
//
// Sums are compared, never differences, and all are rounded the same way, so the
// distances are those of Dijkstra's algorithm in every bit. Parents change only
// when a distance becomes smaller, so that edges of weight zero make no cycles. If several
// parents give the same distance, the first worker decides.
//
// Graphs of short rows and many levels, such as grids and roads, are searched by queues of
// vertices instead (queues.go): they do not pull, and relax most entries once. On road maps they
// visit crossings only (chains.go).
//
// Rejected: relaxing whole rows, as delta-stepping is usually written. At scale 20 that
// examines 31 million entries where this examines about one million.
package sssp
