// Macros that the kernels for AVX-512 share: two half groups of eight edges, a and b.
//
//	BX constants   SI lanes

// Streams: the five words of a and of b.
#define a1 Z0
#define a2 Z1
#define a3 Z2
#define a4 Z3
#define a5 Z4
#define b1 Z5
#define b2 Z6
#define b3 Z7
#define b4 Z8
#define b5 Z9

#define newest   Z16
#define oldest   Z17
#define modulus  Z18
#define unit     Z19

#define LOAD(at, z1, z2, z3, z4, z5) \
	VMOVDQU64 (at+0*128)(SI), z1; \
	VMOVDQU64 (at+1*128)(SI), z2; \
	VMOVDQU64 (at+2*128)(SI), z3; \
	VMOVDQU64 (at+3*128)(SI), z4; \
	VMOVDQU64 (at+4*128)(SI), z5

// One word of the next streams: a row of the matrix times the state in Z0 … Z4,
// folded until it is below 2³¹ + 16. The products of the first three and of the
// last two words fit in 64 bits.
#define STRIDE(row, at) \
	VPMULUDQ.BCST (constants_stride+40*row+0)(BX), Z0, Z10; \
	VPMULUDQ.BCST (constants_stride+40*row+8)(BX), Z1, Z11; \
	VPMULUDQ.BCST (constants_stride+40*row+16)(BX), Z2, Z12; \
	VPMULUDQ.BCST (constants_stride+40*row+24)(BX), Z3, Z13; \
	VPMULUDQ.BCST (constants_stride+40*row+32)(BX), Z4, Z14; \
	VPADDQ        Z10, Z11, Z10; \
	VPADDQ        Z13, Z14, Z13; \
	VPADDQ        Z10, Z12, Z10; \
	VPSRLQ        $31, Z13, Z14; \
	VPANDQ        modulus, Z13, Z13; \
	VPSRLQ        $31, Z10, Z11; \
	VPANDQ        modulus, Z10, Z10; \
	VPADDQ        Z13, Z14, Z13; \
	VPADDQ        Z10, Z11, Z10; \
	VPADDQ        Z10, Z13, Z10; \
	VPSRLQ        $31, Z10, Z11; \
	VPANDQ        modulus, Z10, Z10; \
	VPADDQ        Z10, Z11, Z10; \
	VMOVDQU64     Z10, (at+128*row)(SI)

#define ADVANCE(at) \
	LOAD(at, Z0, Z1, Z2, Z3, Z4); \
	STRIDE(0, at); \
	STRIDE(1, at); \
	STRIDE(2, at); \
	STRIDE(3, at); \
	STRIDE(4, at)
