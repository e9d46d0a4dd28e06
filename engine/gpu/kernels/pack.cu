// pack.cu: the short form in which parts of bitmaps go from device to device.
//
// A head of four words: two in which chunks are allotted room, the length of the whole form in
// words, and one spare. Then, for every chunk of the bitmap, where its data begin behind the
// table, in words, and the length of its list, NONE where it has its words instead. Then the
// data. Lists are in no order. internal/ranks/block says how much room a form takes.

#define CHUNK 2048 // words of 32 bits, so that places take 16 bits
#define PACK_HEAD 4
#define CHUNKS(words) (((words) + CHUNK - 1) / CHUNK)
#define CHUNK_WORDS(words, c) ((words) - (c) * CHUNK < CHUNK ? (words) - (c) * CHUNK : CHUNK)

INLINE uint list_words(uint members) { return members / 2 + (members & 1); }

// allot finds room for the data of a chunk. The chunk that comes last knows the length of all,
// and leaves the head as the next packing must find it.
INLINE uint allot(GLOBAL uint *packed, uint chunks, uint size) {
	ulong before = atomic_add64((GLOBAL ulong *)packed, 1ul << 32 | size);
	if (before >> 32 == chunks - 1) {
		packed[2] = PACK_HEAD + 2 * chunks + (uint)before + size;
		*(GLOBAL ulong *)packed = 0;
	}
	return (uint)before;
}

// bits_pack: packed = the words of bits from place on, without the bits of except. If answer_words
// is not 0, the last block gives these counts to the host and clears them.
KERNEL(256) bits_pack(GLOBAL const uint *bits, ulong place, uint words, GLOBAL const uint *except, uint excepts, GLOBAL uint *packed,
                      GLOBAL control_t *control, GLOBAL uint *answer, uint answer_words, uint ticket) {
	WARP_OPEN(warp);
	__local uint members, filled, room, is_last;
	uint chunks = CHUNKS(words);
	for (uint c = BLOCK; UNIFORM(c < chunks); c += BLOCKS) {
		ulong first = (ulong)c * CHUNK;
		uint size = CHUNK_WORDS(words, c), count = 0;
		GLOBAL const uint *from = bits + place + first, *without = except + (excepts ? first : 0);
		block_sync();
		if (THREAD == 0) members = filled = 0;
		block_sync();
		for (uint w = THREAD; w < size; w += THREADS) count += popcount32(from[w] & ~(excepts ? without[w] : 0));
		count = warp_sum32(warp, count);
		if (LANE == 0 && count) local_add32(&members, count);
		block_sync();
		uint listed = list_words(members) < size;
		if (THREAD == 0) {
			room = allot(packed, chunks, listed ? list_words(members) : size);
			packed[PACK_HEAD + 2 * c] = room;
			packed[PACK_HEAD + 2 * c + 1] = listed ? members : NONE;
		}
		block_sync();
		GLOBAL uint *to = packed + PACK_HEAD + 2 * chunks + room;
		GLOBAL ushort *list = (GLOBAL ushort *)to;
		for (uint w = THREAD; !listed && w < size; w += THREADS) to[w] = from[w] & ~(excepts ? without[w] : 0);
		for (uint begin = WARP * 32; UNIFORM(listed && members && begin < size); begin += THREADS) {
			uint w = begin + LANE, n, at = 0, left = w < size ? from[w] & ~(excepts ? without[w] : 0) : 0;
			uint before = warp_prefix(warp, popcount32(left), &n);
			if (LANE == 0 && n) at = local_add32(&filled, n);
			at = warp_get(warp, at, 0) + before;
			for (; left; left &= left - 1) list[at++] = (ushort)(w * 32 + lowest_bit(left));
		}
	}
	if (THREAD == 0) is_last = 0;
	if (!answer_words) return;
	grid_exit(&control->arrivals, &is_last, answer, answer_words, ticket);
	for (uint i = THREAD; is_last && i < answer_words; i += THREADS) (&control->arrivals)[i] = 0;
}

// bits_unpack: the words of bits from place on = what was packed, which begins at word start. If
// counts, it counts the bytes that it reads, in a word of the control that the steps do not use.
KERNEL(256) bits_unpack(GLOBAL const uint *packed, ulong start, GLOBAL uint *bits, ulong place, uint words, GLOBAL control_t *control, uint counts) {
	__local uint chunk[CHUNK];
	uint chunks = CHUNKS(words);
	for (uint c = BLOCK; UNIFORM(c < chunks); c += BLOCKS) {
		uint size = CHUNK_WORDS(words, c);
		GLOBAL const uint *entry = packed + start + PACK_HEAD + 2 * c, *from = packed + start + PACK_HEAD + 2 * chunks + entry[0];
		GLOBAL const ushort *list = (GLOBAL const ushort *)from;
		GLOBAL uint *to = bits + place + (ulong)c * CHUNK;
		uint listed = entry[1] != NONE, members = listed ? entry[1] : 0;
		for (uint w = THREAD; w < size; w += THREADS) chunk[w] = listed ? 0 : from[w];
		block_sync();
		for (uint i = THREAD; i < members; i += THREADS) local_or32(chunk + (list[i] >> 5), 1u << (list[i] & 31));
		block_sync();
		for (uint w = THREAD; w < size; w += THREADS) to[w] = chunk[w];
		if (THREAD == 0 && counts) atomic_add64((GLOBAL ulong *)control + 4, 8 + 4 * (ulong)(listed ? list_words(members) : size));
		block_sync();
	}
}
