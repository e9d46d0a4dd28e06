// generate.cu: the edges of a Graph500 graph, bit by bit those of the reference.
//
// Edge i has its own random stream: the seed advanced by i·2⁶⁴ steps of the
// recurrence x ← (107374182·x₁ + 104480·x₅) mod 2³¹-1, that is multiplied by the
// matrix J⁽ⁱ⁾ with J = A^(2⁶⁴). jumps[k] is J^(2^k), 25 words, row by row. A lane
// jumps once to its first edge, then 32 edges at a time, so that the lanes of a
// warp always hold neighbouring edges.

#define MODULUS 0x7fffffffu
#define EDGES_PER_LANE 32

typedef struct {
	uint z[5]; // the last five outputs, the newest first
} stream_t;

INLINE ulong fold(ulong x) { return (x & MODULUS) + (x >> 31); }

INLINE uint reduce(ulong x) {
	uint y = (uint)fold(fold(x));
	return y >= MODULUS ? y - MODULUS : y;
}

INLINE stream_t jump(GLOBAL const uint *matrix, stream_t s) {
	stream_t next;
	UNROLL for (int row = 0; row < 5; row++) {
		ulong sum = 0;
		UNROLL for (int col = 0; col < 5; col++) sum += fold((ulong)matrix[5 * row + col] * s.z[col]);
		next.z[row] = reduce(sum);
	}
	return next;
}

INLINE uint draw(stream_t *s) {
	uint x = reduce(107374182ul * s->z[0] + 104480ul * s->z[4]);
	s->z[4] = s->z[3];
	s->z[3] = s->z[2];
	s->z[2] = s->z[1];
	s->z[1] = s->z[0];
	s->z[0] = x;
	return x;
}

// scramble renames the vertices; keys are the offset and the two multipliers.
INLINE uint scramble(ulong v, GLOBAL const ulong *keys, uint scale) {
	v = reverse64((v + keys[0]) * keys[1]) >> (64 - scale);
	return (uint)(reverse64(v * keys[2]) >> (64 - scale));
}

// edge draws an edge from its stream.
INLINE uint2 edge(stream_t *s, GLOBAL const ulong *keys, uint scale, uint limit) {
	ulong u = 0, v = 0;
	for (uint level = 0; level < scale;) {
		uint r = draw(s);
		if (r < limit) continue;
		r %= 10000;
		uint square_b = r < 1900, square_c = r >= 1900 && r < 3800, square_d = r >= 9500;
		uint bit_u = square_c | square_d, bit_v = square_b | square_d;
		if (u == v && bit_u > bit_v) { // keep to the upper triangle
			bit_u = 0;
			bit_v = 1;
		}
		u = u << 1 | bit_u;
		v = v << 1 | bit_v;
		level++;
	}
	uint2 e;
	e.x = scramble(u, keys, scale);
	e.y = scramble(v, keys, scale);
	return e;
}

// stream_at is the stream of edge n.
INLINE stream_t stream_at(GLOBAL const uint *jumps, ulong n, uint z0, uint z1, uint z2, uint z3, uint z4) {
	stream_t s;
	s.z[0] = z0;
	s.z[1] = z1;
	s.z[2] = z2;
	s.z[3] = z3;
	s.z[4] = z4;
	for (ulong k = 0; n != 0; n >>= 1, k++) {
		if (n & 1) s = jump(jumps + 25 * k, s);
	}
	return s;
}

// edges[i] = edge(first + i), i < count
KERNEL(256) generate(GLOBAL uint2 *edges, GLOBAL const uint *jumps, GLOBAL const ulong *keys, ulong first, ulong count,
                     uint scale, uint limit, uint z0, uint z1, uint z2, uint z3, uint z4) {
	ulong i = (ulong)GRID_WARP * 32 * EDGES_PER_LANE + LANE;
	if (i >= count) return;
	stream_t s = stream_at(jumps, first + i, z0, z1, z2, z3, z4);
	for (int j = 0; j < EDGES_PER_LANE && i < count; j++, i += 32) {
		stream_t of_edge = s;
		edges[i] = edge(&of_edge, keys, scale, limit);
		s = jump(jumps + 25 * 5, s);
	}
}
