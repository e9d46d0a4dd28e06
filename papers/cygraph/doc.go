// Package cygraph is the CyGraph architecture (Attia et al., 2014) as a model
// that counts cycles: a search on FPGAs, without the FPGAs.
//
// The model runs real searches on real graphs and agrees, cycle for cycle and
// bit for bit, with the hardware description in package hdl; rtl_test.go compares
// the two. A search fills a tree like that of any engine, and returns a Trace on
// the model's clock.
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
// no self-loops, so the two cases cannot be confused. Entries are 32-bit labels, two
// to a word. The two queues carry row words, not labels.
//
// # The path of one edge
//
//  1. P1 reads a row word from the current queue, at kernel + i·kernels.
//  2. P2 walks the list of that word and reads its entries.
//  3. P3 reads the row word of each entry.
//  4. P4 looks at bit 0 of it. If clear, P4 writes the visited word in its place
//     and puts the old word into a FIFO of words for the next queue.
//  5. The token arrives on the ring with the number of slots of the next queue
//     that are reserved so far. The kernel adds the number of its words, which
//     reserves slots for them, and may then write the words to these slots.
//
// One memory port per kernel carries all of this, at most one request a cycle; P4
// has the highest priority and P1 the lowest. A process issues a read only if the
// FIFO for the response will have room, so that responses never wait.
//
// # The end of a level
//
// A process is done when the one before it is and it has processed as many items as
// that one left to it. When all are done and the FIFOs are empty, the kernel sends a
// flush to its memory port, which answers when all writes are acknowledged: then the
// kernel is idle, and stays so for the rest of the level.
//
// Every FPGA has a master. That of the first leads: it sends the start of a level and,
// behind it, the token round the ring. The token carries a flag that the leading master
// sets and every busy kernel clears. A token that returns with the flag still set has
// seen all kernels idle after their last reservation, and its count is the length of the
// next queue. The other masters pass on what comes to their kernels; after the last level
// they get a stop, and the search is over when the last of them has it. No other wire
// connects the kernels.
//
// # Decisions where the paper is silent or contradicts itself
//
// Bit 0 set means visited. The second field is a count, not an end. Line 16 of
// Algorithm 2 writes the neighbour's row. A vertex may be pushed twice, when it
// is read again before the first write has landed: this costs time, not
// correctness. An entry is read with a request of its own (Burst 1).
package cygraph
