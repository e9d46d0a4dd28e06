// state.h: what a search holds besides the graph.
//
// Visited vertices are a bitmap over labels, vertices without a row counted as
// visited. A bottom-up level asks whether a neighbour was visited before the
// level began: since every vertex next to an older level is visited already, that
// neighbour can only be in the frontier, and no bitmap of the frontier is needed.
// Top-down levels set bits in place; a full bottom-up pass reads one bitmap and
// writes the other.
//
// The frontier has one of three forms. After a top-down level it is a queue of
// vertices. After a full bottom-up pass it is the difference of the two bitmaps.
// After a pass over the rest it is a list in every block. Before a level goes
// top-down the queue is cut into records, each a piece of a row of at most PIECE
// entries, so that hubs are spread over the grid.
//
// The rest are the vertices that no bottom-up level has found so far. Every block
// keeps its own part of them, in its own segment of the list, and no counter of
// the grid is touched; what it finds grows from the other end of the segment.
//
// The first full pass collects the parents of a half of a strip in LOCAL memory, and
// then stores them together with the NONE of all others, in whole lines: memory takes
// these far better than words here and there.

#define PIECE 128
#define TILE 8       // words of the bitmap that a warp takes at least
#define LONG 128     // entries of a row that must be cut
#define LARGE 128    // edges for each warp that make a large level, at least,
#define LARGE_PART 400 // and the part of the unvisited's edges that they must be
#ifndef EXTREME
#define EXTREME 65536  // entries of a row that are looked at before the grid helps
#endif
#define HOT_WORDS 2048
#ifdef __OPENCL_VERSION__
#define BIT_WORDS HOT_WORDS
#else
#define BIT_WORDS 8192 // 129 KB for a block in all, which an A100 has
#endif
#ifndef SUMMARY_WORDS
#define SUMMARY_WORDS BIT_WORDS
#endif
#ifndef SPARSE
#define SPARSE 512     // labels for each vertex of a frontier that gets a summary, at least
#endif
#define FEW 64         // vertices and entries of a small frontier: SmallFront in package level
#define WAITING 512    // vertices that a warp looks for at a time

enum { TOP_DOWN = 1, BOTTOM_UP, BOTTOM_UP_HOT, BOTTOM_UP_REST };
enum { FORM_QUEUE, FORM_BITMAP, FORM_LIST };

// A level is where one frontier is counted, and what the step from it did. What
// decides about a level lies in one sector of memory.
typedef struct {
	uint vertices;  // in the frontier
	uint records;   // that its rows are cut into
	ulong edges;    // row entries of the frontier, once it is measured or cut
	uint measured;  // edges and longs are those of all its vertices
	uint longs;     // rows of more than LONG entries
	uint open;      // after a pass over the rest: rows with another entry than the parent
	uint extreme;   // rows that the step left to the whole grid
	ulong examined; // row entries that the step looked at
	ulong start;    // ticks
	uint step;
	uint queued;    // vertices that were put back into a queue
	uint spare;
	uint lonely;    // small frontiers in a row up to here, where somebody waits for many
} level_t;

// A control is what outlives a launch of search_all. The levels follow it.
typedef struct {
	uint arrivals, exits; // of the grid's barrier
	uint depth;           // levels done in this launch
	uint done;
	uint side, queue_side, list_side; // which of the pairs holds the current one
	uint form, listed, filled;
	uint unvisited;
	uint rising; // the last level went top-down
	ulong remaining; // row entries of the unvisited
	ulong end;       // ticks
} control_t;

// A warp's part of its block's LOCAL memory. With 1 KB more for a block, an H200 would
// take 32 KB from its L1.
typedef struct {
	ushort waiting[WAITING]; // list of vertices
	uint stage[WAITING];     // parents, or bits that were missed; or, top-down, the ends of pieces and a table of rows
} desk_t;

typedef struct {
	GLOBAL uint *visited0, *visited1;
	GLOBAL uint *parent;
	GLOBAL uint *queue0, *queue1;
	GLOBAL uint4 *records;
	GLOBAL uint *list0, *list1;
	GLOBAL uint *lengths; // of every block's rest, then of what it found
	GLOBAL uint2 *extreme;
	GLOBAL uint *hot;
	GLOBAL level_t *levels;
	GLOBAL control_t *control;
	uint capacity; // of a block's segment of a list
	uint root;
	uint own_first, own_end; // words of the labels whose rows are searched
	uint block, blocks;      // of the grid
} state_t;

// The blocks of the grid search together.
#define GRID_WARP(s) ((s)->block * WARPS + WARP)
#define GRID_WARPS(s) ((s)->blocks * WARPS)
#define GRID_SPREAD(s) (WARP * (s)->blocks + (s)->block) // a little work, in this order, is shared by all multiprocessors
#define GRID_THREAD(s) ((s)->block * THREADS + THREAD)
#define GRID_THREADS(s) ((ulong)(s)->blocks * THREADS)

#define STATE_PARAMS \
	GLOBAL uint *visited0, GLOBAL uint *visited1, GLOBAL uint *parent, GLOBAL uint *queue0, GLOBAL uint *queue1, \
	GLOBAL uint4 *records, GLOBAL uint *list0, GLOBAL uint *list1, GLOBAL uint *lengths, GLOBAL uint2 *extreme, GLOBAL uint *hot_bits, \
	GLOBAL control_t *control, uint capacity, uint root

#define STATE_OPEN(s) \
	state_t s; \
	s.visited0 = visited0; s.visited1 = visited1; s.parent = parent; s.queue0 = queue0; s.queue1 = queue1; \
	s.records = records; s.list0 = list0; s.list1 = list1; s.lengths = lengths; s.extreme = extreme; s.hot = hot_bits; \
	s.control = control; s.levels = (GLOBAL level_t *)(control + 1); s.capacity = capacity; s.root = root; \
	s.own_first = 0; s.own_end = words; s.block = BLOCK; s.blocks = BLOCKS

#define VISITED(s, side) ((side) ? (s)->visited1 : (s)->visited0)
#define QUEUE(s, side) ((side) ? (s)->queue1 : (s)->queue0)
#define LIST(s, side) ((side) ? (s)->list1 : (s)->list0)

// A block's LOCAL memory. As CUDA, the launch brings a desk for every warp.
typedef struct {
	ulong examined, edges;
	uint vertices, rest, found, longs, open;
	uint is_last; // of the grid's blocks, to end a launch
	uint spare[2];
	uint bits[BIT_WORDS]; // of the hubs; or the summary of a full pass
	desk_t desk[BLOCK_WARPS];
} block_t;

#define BLOCK_OPEN(b) LOCAL_OPEN(block_t, b)

INLINE uint bit_of(GLOBAL const uint *bitmap, uint v) { return load_often(bitmap + (v >> 5)) >> (v & 31) & 1; }

INLINE void block_open(LOCAL block_t *b) {
	block_sync();
	if (THREAD == 0) {
		b->examined = b->edges = 0;
		b->longs = b->open = 0;
		b->vertices = b->rest = b->found = 0;
	}
	block_sync();
}

// block_close adds what the threads counted to the level and the next one.
INLINE void block_close(LOCAL block_t *b, GLOBAL level_t *level, uint vertices, uint examined, warp_t warp) {
	vertices = warp_sum32(warp, vertices);
	examined = warp_sum32(warp, examined); // a warp looks at fewer than 2³² entries
	if (LANE == 0) {
		local_add32(&b->vertices, vertices);
		atomic_add64(&b->examined, examined);
	}
	block_sync();
	if (THREAD != 0) return;
	if (b->vertices) atomic_add32(&level[1].vertices, b->vertices);
	if (b->examined) atomic_add64(&level->examined, b->examined);
}
