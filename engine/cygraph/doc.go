// Package cygraph is the CyGraph architecture (Attia et al., 2014) as a model
// that counts cycles: a search on FPGAs, without the FPGAs.
//
// The model runs real searches on real graphs and agrees, cycle for cycle and
// bit for bit, with the hardware description in hdl/; package rtl holds the
// test of that. What it returns is a tree like that of any engine, and a Trace
// on the model's clock.
//
// # Words
//
// Memory is an array of 64-bit words. A row word is one of
//
//	first entry [63:32]  count [31:1]  0     not visited
//	origin      [63:32]  level [31:1]  1     visited; the root has level 1
//
// so that one read answers both "visited?" and "where is the list?", and a visit
// is one write. The origin is an index into the entries: one that lies in the
// row of the parent, or, where a bottom-up level found the vertex, the index in
// the vertex's own row at which the parent stands. Rows do not overlap and have
// no self-loops, so the two cannot be confused. Entries are 32-bit labels, two
// to a word. The two queues carry row words, not labels.
//
// # The path of one edge
//
//  1. P1 reads a row word from the current queue, at kernel + i·kernels.
//  2. P2 walks the list of that word and reads its entries.
//  3. P3 reads the row word of each entry.
//  4. P4 looks at bit 0 of it. If clear, P4 writes the visited word in its place
//     and sets the old word aside for the next queue.
//  5. The token comes round the ring with the number of slots reserved so far;
//     the kernel adds what it has set aside and may then write these words to
//     the slots that it passed.
//
// One port per kernel carries all of this, a request a cycle at most; P4 goes
// first and P1 last. A process issues a read only if the FIFO behind it will have
// room for the response, so that responses never wait.
//
// # The end of a level
//
// The token also carries a flag that the master sets and that every busy kernel
// clears. A kernel is idle when it has no slot left to read, nothing in flight
// in any process, no word set aside, and no unacknowledged write. Idle kernels
// stay idle for the rest of the level, so a token that comes home with the flag
// still set has seen all kernels idle after their last reservation, and its count is the
// length of the next queue. The start of a level travels ahead of the token on
// the same ring. No other wire joins the kernels.
//
// # Settled where the paper is silent or contradicts itself
//
// Bit 0 set means visited. The second field is a count, not an end. Line 16 of
// Algorithm 2 writes the neighbour's row. A vertex may be pushed twice, when it
// is read again before the first write has landed: this costs time, not
// correctness. An entry is read with a request of its own (Burst 1).
package cygraph
