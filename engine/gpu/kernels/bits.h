// bits.h: floating-point numbers as bits, and atomics on them, for shortest paths only: a
// device without numbers of 64 bits still searches breadth first.

#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define float_of(bits) as_float(bits)
#define float_bits(x) as_uint(x)
#define double_of(bits) as_double(bits)
#define double_bits(x) as_ulong(x)
#define swap64(p, old, next) atom_cmpxchg((p), (ulong)(old), (ulong)(next))
#define swap_if(p, old, next, yes) ((yes) ? swap64(p, old, next) : (old))
#define atomic_max32(p, v) atomic_max((p), (uint)(v))
#else
#define float_of(bits) __builtin_bit_cast(float, bits)
#define float_bits(x) __builtin_bit_cast(uint, x)
#define double_of(bits) __builtin_bit_cast(double, bits)
#define double_bits(x) __builtin_bit_cast(ulong, x)
INLINE ulong swap64(ulong *p, ulong old, ulong next) { return (ulong)__nvvm_atom_cas_gen_ll((long long *)p, (long long)old, (long long)next); }
// swap_if is swap64 where yes, and returns old elsewhere. As a branch, those of several
// vertices would not be in flight together.
INLINE ulong swap_if(ulong *p, ulong old, ulong next, uint yes) {
	ulong seen;
	asm volatile("{ .reg .pred yes; setp.ne.u32 yes, %4, 0; mov.u64 %0, %2; @yes atom.global.cas.b64 %0, [%1], %2, %3; }"
	             : "=&l"(seen) : "l"(p), "l"(old), "l"(next), "r"(yes) : "memory");
	return seen;
}
INLINE uint atomic_max32(uint *p, uint v) { return __nvvm_atom_max_gen_ui(p, v); }
#endif

// LIVE reads what others write meanwhile.
#define LIVE(p) (*(GLOBAL volatile ulong *)(p))
#define LIVE32(p) (*(GLOBAL volatile uint *)(p))

// lower64 makes the word at p the lesser of itself and bits.
INLINE void lower64(GLOBAL ulong *p, ulong bits) {
	for (ulong old = LIVE(p); bits < old;) {
		ulong seen = swap64(p, old, bits);
		if (seen == old) return;
		old = seen;
	}
}
