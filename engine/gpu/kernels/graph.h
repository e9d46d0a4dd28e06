// graph.h: the graph as the search reads it, and how to find a row.
//
// Labels are those of the source. Vertices without edges have no row; rows are
// numbered in the order of their labels, so that one word of a bitmap over labels
// belongs to a contiguous run of rows, and parents are stored where they stay.
//
//   index[w]   which of the labels 32w … 32w+31 have a row, and how many rows
//              lie before them
//   place[r]   where row r starts, counted from base[r / GROUP], and its length.
//              In a group the rows of up to SMALL entries come first: most looks
//              along a row are at these, and they then share lines of memory
//   entries    the rows: neighbours in falling order of degree, each once
//   head[r]    the first entry of row r, again: most searches look no further.
//              The bit LEAF says that there is no second one
//   hot[r]     the number of that neighbour among the hubs, or NO_HUB
//   hub[h]     the label of hub h

#define GROUP 1024
#define SMALL 8
#define NO_HUB 0xffffu
#define LEAF 0x80000000u
#define PARTS 4
#define LEAVING (1 << 19) // words of the bitmap from which on the graph is no longer in the L2 after a search

typedef struct {
	GLOBAL const uint2 *index;
	GLOBAL uint2 *place;
	GLOBAL const ulong *base;
	GLOBAL const uint *head;
	GLOBAL const ushort *hot;
	GLOBAL const uint *hub;
	GLOBAL uint *entries[PARTS]; // cut where a device limits one allocation
	uint shift;                  // log₂ of the entries in a part
	uint words, rows, hubs;
	ulong once; // policy for what is read or written once
} graph_t;

#define GRAPH_PARAMS \
	GLOBAL const uint2 *index, GLOBAL uint2 *place, GLOBAL const ulong *base, GLOBAL const uint *head, \
	GLOBAL const ushort *hot, GLOBAL const uint *hub, GLOBAL uint *part0, GLOBAL uint *part1, GLOBAL uint *part2, \
	GLOBAL uint *part3, uint shift, uint words, uint rows, uint hubs

#define GRAPH_OPEN(g) \
	graph_t g; \
	g.index = index; g.place = place; g.base = base; g.head = head; g.hot = hot; g.hub = hub; \
	g.entries[0] = part0; g.entries[1] = part1; g.entries[2] = part2; g.entries[3] = part3; \
	g.shift = shift; g.words = words; g.rows = rows; g.hubs = hubs; g.once = policy_of_once(words >= LEAVING)

#ifdef __OPENCL_VERSION__
INLINE GLOBAL uint *entry_at(const graph_t *g, ulong i) {
	ulong part = i >> g->shift;
	ulong at = i & (((ulong)1 << g->shift) - 1);
	return part < 2 ? (part == 0 ? g->entries[0] + at : g->entries[1] + at)
	                : (part == 2 ? g->entries[2] + at : g->entries[3] + at);
}
#else
INLINE uint *entry_at(const graph_t *g, ulong i) { return g->entries[0] + i; }
#endif
#define ENTRY(g, i) (*entry_at(g, i))

// A row_t is where a row lies among the entries.
typedef struct {
	ulong start;
	uint length;
} row_t;

INLINE row_t row_at(const graph_t *g, uint row) {
	uint2 place = load_once2(g->place + row, g->once);
	row_t r;
	r.start = g->base[row / GROUP] + place.x;
	r.length = place.y;
	return r;
}

// row_of is the row of a vertex that has one.
INLINE uint row_of(const graph_t *g, uint v) {
	uint2 word = g->index[v >> 5];
	return word.y + popcount32(word.x & ((1u << (v & 31)) - 1));
}

INLINE int has_row(const graph_t *g, uint v) { return g->index[v >> 5].x >> (v & 31) & 1; }
