// dialect.h: one set of kernel bodies, compiled as CUDA and as OpenCL C 1.2.
//
// A warp is 32 lanes that meet at every warp_ function, all of them, with the
// same path to it. A block is a number of warps with common LOCAL memory. As
// OpenCL a block is one warp, since version 1.2 knows no subgroups: ballots and
// shuffles go through LOCAL memory, and what is uniform in a warp is uniform in
// the work-group, as its barriers require.
//
// Kernels that wait for the whole grid (grid_sync) must have all of their blocks
// resident: as CUDA by a cooperative launch, as OpenCL by having one block only.

#define NONE 0xffffffffu

#ifdef __OPENCL_VERSION__

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define KERNEL(threads) __kernel void
#define GLOBAL __global
#define LOCAL __local
#define INLINE static
#define BLOCK_WARPS 1
#define UNROLL _Pragma("nounroll")

// A warp is handed around as the LOCAL memory through which its lanes talk. Its lanes
// write to it at once: LOCAL memory that a kernel does not use ends PoCL 5.
typedef __local ulong *warp_t;
#define WARP_OPEN(name) \
	__local ulong name##_words[32]; \
	warp_t name = name##_words; \
	name[LANE] = 0

// LOCAL_OPEN is LOCAL memory for an object. As CUDA it is what the launch brings,
// since a kernel can only declare 48 KB.
#define LOCAL_OPEN(type, name) \
	__local type __attribute__((aligned(16))) name##_memory; \
	LOCAL type *name = &name##_memory

// UNIFORM is the condition of a loop with warp functions inside. PoCL copies what
// follows a branch with barriers, again and again, and its optimiser would make a
// branch of the first test of a loop; a barrier in the test keeps it where it is.
// WARP_IF, an if with warp functions inside, is such a loop, which runs once.
INLINE int lanes_agree(int yes) {
	barrier(CLK_LOCAL_MEM_FENCE);
	return yes;
}
#define UNIFORM(condition) lanes_agree((condition) != 0)
#define WARP_IF(condition) for (int once = (condition) ? 1 : 0; UNIFORM(once); once = 0)

#define LANE ((uint)get_local_id(0))
#define THREAD ((uint)get_local_id(0))
#define BLOCK ((uint)get_group_id(0))
#define BLOCKS ((uint)get_num_groups(0))
#define THREADS ((uint)get_local_size(0))

#define MEET barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

// After a barrier that is alone with a branch, PoCL 6 lets the first lane decide for all:
// so it is not alone.
INLINE void block_sync(void) {
	MEET;
	volatile int passed = 1;
}

INLINE void warp_sync(warp_t w) { block_sync(); }

INLINE void warp_put(warp_t w, ulong value) {
	MEET; // all have read what was there before
	w[LANE] = value;
	MEET;
}

INLINE uint warp_ballot(warp_t w, int yes) {
	uint all = 0;
	warp_put(w, yes ? 1u << LANE : 0);
	for (int i = 0; i < 32; i++) all |= (uint)w[i];
	return all;
}

INLINE ulong warp_get64(warp_t w, ulong value, uint lane) {
	warp_put(w, value);
	return w[lane & 31];
}

INLINE uint warp_get(warp_t w, uint value, uint lane) { return (uint)warp_get64(w, value, lane); }

INLINE uint warp_prefix(warp_t w, uint value, uint *total) {
	uint below = 0, all = 0;
	warp_put(w, value);
	for (uint i = 0; i < 32; i++) {
		if (i < LANE) below += (uint)w[i];
		all += (uint)w[i];
	}
	*total = all;
	return below;
}

INLINE uint warp_sum32(warp_t w, uint value) {
	uint all = 0;
	warp_put(w, value);
	for (uint i = 0; i < 32; i++) all += (uint)w[i];
	return all;
}

INLINE ulong warp_sum(warp_t w, ulong value) {
	ulong all = 0;
	warp_put(w, value);
	for (uint i = 0; i < 32; i++) all += w[i];
	return all;
}

INLINE ulong warp_or(warp_t w, ulong value) {
	ulong all = 0;
	warp_put(w, value);
	for (uint i = 0; i < 32; i++) all |= w[i];
	return all;
}

#define popcount32(x) popcount((uint)(x))
#define lowest_bit(x) (31 - clz((x) & (0u - (x))))
INLINE ulong reverse64(ulong x) {
	x = ((x >> 1) & 0x5555555555555555ul) | ((x & 0x5555555555555555ul) << 1);
	x = ((x >> 2) & 0x3333333333333333ul) | ((x & 0x3333333333333333ul) << 2);
	x = ((x >> 4) & 0x0f0f0f0f0f0f0f0ful) | ((x & 0x0f0f0f0f0f0f0f0ful) << 4);
	x = ((x >> 8) & 0x00ff00ff00ff00fful) | ((x & 0x00ff00ff00ff00fful) << 8);
	x = ((x >> 16) & 0x0000ffff0000fffful) | ((x & 0x0000ffff0000fffful) << 16);
	return (x >> 32) | (x << 32);
}

#define fetch_ahead(p) prefetch((p), 1)
#define load_often(p) (*(p))
#define load_once(p, policy) (*(p))
#define load_once2(p, policy) (*(p))
#define load_once4(p, policy) (*(p))
#define store_once(p, v, policy) (*(p) = (v))
#define store_once4(p, v, policy) (*(p) = (v))
#define policy_of_once(leaves) 0
#define or_if(p, bits, yes) ((yes) ? atomic_or((p), (uint)(bits)) : NONE)
#define atomic_add32(p, v) atomic_add((p), (uint)(v))
#define atomic_or32(p, v) atomic_or((p), (uint)(v))
#define atomic_add64(p, v) atom_add((p), (ulong)(v))
#define local_add32(p, v) atomic_add((p), (uint)(v))
#define local_or32(p, v) atomic_or((p), (uint)(v))

// grid_sync: the grid is one block.
INLINE void grid_sync(GLOBAL uint *arrivals, uint *target) { block_sync(); }
INLINE void grid_exit(GLOBAL uint *arrivals, LOCAL uint *is_last, GLOBAL uint *answer, uint words, uint ticket) { block_sync(); }
INLINE ulong ticks(void) { return 0; } // there is no clock

#else // CUDA, without its headers

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef struct __attribute__((aligned(8))) { uint x, y; } uint2;
typedef struct __attribute__((aligned(16))) { uint x, y, z, w; } uint4;

#define DEVICE __attribute__((device))
#define KERNEL(threads) extern "C" __attribute__((global)) __attribute__((launch_bounds(threads))) void
#define GLOBAL
#define LOCAL
#define INLINE static DEVICE inline __attribute__((always_inline))
#define BLOCK_WARPS 32
#define UNROLL _Pragma("unroll")
#define __local __attribute__((shared))

typedef int warp_t;
#define WARP_OPEN(name) warp_t name = 0
extern __attribute__((shared)) __attribute__((aligned(16))) uint launch_local[];
#define LOCAL_OPEN(type, name) type *name = (type *)launch_local
#define UNIFORM(condition) (condition)
#define WARP_IF(condition) if (condition)

#define THREAD ((uint)__nvvm_read_ptx_sreg_tid_x())
#define BLOCK ((uint)__nvvm_read_ptx_sreg_ctaid_x())
#define BLOCKS ((uint)__nvvm_read_ptx_sreg_nctaid_x())
#define THREADS ((uint)__nvvm_read_ptx_sreg_ntid_x())
#define LANE (THREAD & 31)

INLINE void block_sync(void) { __syncthreads(); }
INLINE void warp_sync(warp_t) { __nvvm_bar_warp_sync(~0u); }
INLINE uint warp_ballot(warp_t, int yes) { return __nvvm_vote_ballot_sync(~0u, yes); }
INLINE uint warp_get(warp_t, uint value, uint lane) {
	return (uint)__nvvm_shfl_sync_idx_i32(~0u, (int)value, (int)lane, 31);
}

// warp_prefix returns the sum over the lanes below this one.
INLINE uint warp_prefix(warp_t w, uint value, uint *total) {
	uint sum = value;
	UNROLL for (uint step = 1; step < 32; step <<= 1) {
		uint below = warp_get(w, sum, LANE - step);
		if (LANE >= step) sum += below;
	}
	*total = warp_get(w, sum, 31);
	return sum - value;
}

// warp_sum32 returns the sum over all lanes, modulo 2³².
INLINE uint warp_sum32(warp_t, uint value) { return (uint)__nvvm_redux_sync_add((int)value, ~0); }

INLINE ulong warp_get64(warp_t w, ulong value, uint lane) {
	uint low = warp_get(w, (uint)value, lane);
	uint high = warp_get(w, (uint)(value >> 32), lane);
	return (ulong)high << 32 | low;
}

// warp_sum returns the sum over all lanes.
INLINE ulong warp_sum(warp_t w, ulong value) {
	UNROLL for (uint step = 16; step > 0; step >>= 1) value += warp_get64(w, value, LANE ^ step);
	return value;
}

// warp_or returns the bits that any lane has.
INLINE ulong warp_or(warp_t, ulong value) {
	uint low = (uint)__nvvm_redux_sync_or((int)(uint)value, ~0), high = (uint)__nvvm_redux_sync_or((int)(uint)(value >> 32), ~0);
	return (ulong)high << 32 | low;
}

#define popcount32(x) ((uint)__builtin_popcount(x))
#define lowest_bit(x) ((uint)__builtin_ctz(x))
INLINE ulong reverse64(ulong x) { return __builtin_bitreverse64(x); }

INLINE uint atomic_add32(uint *p, uint v) { return (uint)__nvvm_atom_add_gen_i((int *)p, (int)v); }
INLINE uint atomic_or32(uint *p, uint v) { return (uint)__nvvm_atom_or_gen_i((int *)p, (int)v); }
INLINE ulong atomic_add64(ulong *p, ulong v) { return (ulong)__nvvm_atom_add_gen_ll((long long *)p, (long long)v); }
#define local_add32 atomic_add32
#define local_or32 atomic_or32

// or_if sets bits in the word at p where yes and returns what was there, NONE
// elsewhere. As a branch, the compiler would bring it together with the use of the
// outcome: those of several vertices would not be in flight together. For the same
// reason loads are not made conditional; lanes without a use for one read word 0.
INLINE uint or_if(uint *p, uint bits, uint yes) {
	uint old;
	asm volatile("{ .reg .pred yes; setp.ne.u32 yes, %3, 0; mov.u32 %0, -1; @yes atom.global.or.b32 %0, [%1], %2; }"
	             : "=r"(old) : "l"(p), "r"(bits), "r"(yes) : "memory");
	return old;
}

// fetch_ahead asks for the line of memory at p.
INLINE void fetch_ahead(const void *p) { asm volatile("prefetch.global.L2 [%0];" : : "l"(p)); }

// Memory that a search looks up at random should stay in the L2; memory that it reads or
// writes once should leave it first, unless the L2 could hold it until the next search.
INLINE ulong policy_of_once(int leaves) {
	ulong first, normal;
	asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first));
	asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(normal));
	return leaves ? first : normal;
}
INLINE ulong last_to_leave(void) {
	ulong policy;
	asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
	return policy;
}

INLINE uint load_often(const uint *p) {
	uint v;
	asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(v) : "l"(p), "l"(last_to_leave()));
	return v;
}

// Once is for what nobody writes meanwhile.
INLINE uint load_once(const uint *p, ulong policy) {
	uint v;
	asm("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(v) : "l"(p), "l"(policy));
	return v;
}
INLINE uint2 load_once2(const uint2 *p, ulong policy) {
	uint2 v;
	asm("ld.global.L2::cache_hint.v2.u32 {%0, %1}, [%2], %3;" : "=r"(v.x), "=r"(v.y) : "l"(p), "l"(policy));
	return v;
}
INLINE uint4 load_once4(const uint4 *p, ulong policy) {
	uint4 v;
	asm("ld.global.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
	    : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p), "l"(policy));
	return v;
}
INLINE void store_once(uint *p, uint v, ulong policy) {
	asm volatile("st.global.L2::cache_hint.u32 [%0], %1, %2;" : : "l"(p), "r"(v), "l"(policy) : "memory");
}
INLINE void store_once4(uint4 *p, uint4 v, ulong policy) {
	asm volatile("st.global.L2::cache_hint.v4.u32 [%0], {%1, %2, %3, %4}, %5;"
	             : : "l"(p), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), "l"(policy) : "memory");
}

// grid_sync waits until all blocks have arrived; what any of them wrote before
// is visible to all of them after. Arrivals only grow during a launch.
INLINE void grid_sync(uint *arrivals, uint *target) {
	*target += BLOCKS;
	__syncthreads();
	if (THREAD == 0) {
		asm volatile("red.release.gpu.global.add.u32 [%0], 1;" : : "l"(arrivals) : "memory");
		uint seen;
		do {
			asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(arrivals) : "memory");
		} while (seen < *target);
	}
	__syncthreads();
}

// grid_exit leaves the barrier as the next launch must find it: the last block
// to leave resets both of its words. By then all that the grid wrote is in the memory of
// the device. So that block copies words from the arrivals on to the answer, in pinned
// memory of the host, and the ticket behind them, for which the host waits.
INLINE void grid_exit(uint *arrivals, uint *is_last, uint *answer, uint words, uint ticket) {
	__syncthreads();
	if (THREAD == 0) {
		uint before;
		asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(arrivals + 1) : "memory");
		*is_last = before == BLOCKS - 1;
	}
	__syncthreads();
	if (!*is_last) return;
	for (uint i = THREAD; i < words; i += THREADS) {
		uint word;
		asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(arrivals + i) : "memory");
		answer[i] = word;
	}
	asm volatile("fence.acq_rel.sys;" : : : "memory");
	__syncthreads();
	if (THREAD != 0) return;
	arrivals[0] = 0;
	arrivals[1] = 0;
	asm volatile("st.release.sys.global.u32 [%0], %1;" : : "l"(answer + words), "r"(ticket) : "memory");
}

// ticks are nanoseconds of a clock that all multiprocessors share.
INLINE ulong ticks(void) {
	ulong t;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
	return t;
}

#endif

#define WARP (THREAD >> 5)
#define WARPS (THREADS >> 5)
#define GRID_WARP (BLOCK * WARPS + WARP)
#define GRID_WARPS (BLOCKS * WARPS)
#define SPREAD_WARP (WARP * BLOCKS + BLOCK) // a little work, in this order, is shared by all multiprocessors
#define GRID_THREAD (BLOCK * THREADS + THREAD)
#define GRID_THREADS ((ulong)BLOCKS * THREADS)
#define BELOW_LANE ((1u << LANE) - 1)
