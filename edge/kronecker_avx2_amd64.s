#include "go_asm.h"
#include "textflag.h"

// Quarter groups of four edges, one after the other: there are no registers for
// two at a time.
//
//	BX constants   SI lanes   DI edges   R8 draws or nil
//	R9 groups      R10 groups done       CX levels left   R11 bytes into a row of lanes

// The stream, the last draw, and the lowest of the draws that decided about a
// level.
#define z1     Y0
#define z2     Y1
#define z3     Y2
#define z4     Y3
#define z5     Y4
#define draw   Y7
#define lowest Y8

// One bit a level: the draw fell not into B, not into B or C, into D.
#define notB  Y9
#define notBC Y10
#define inD   Y11

#define newest   Y12
#define modulus  Y13
#define unit     Y14
#define fraction Y15

// Constants on the stack.
#define oldest slot0-32(SP)
#define lastB  slot1-64(SP)
#define lastC  slot2-96(SP)
#define lastA  slot3-128(SP)
#define ones   slot4-160(SP)

// Registers of the second half of the work, when the stream is spent.
#define u       Y0
#define v       Y1
#define revLow  Y4 // reversed nibbles in the upper half of the byte
#define revHigh Y5 // reversed nibbles
#define nibble  Y6 // mask of the lower half of each byte
#define swap    Y8 // shuffle that reverses the bytes of a quadword
#define low     Y9 // half of a factor
#define high    Y10

#define STORE(constant, m) \
	VPBROADCASTQ constant(BX), Y0; \
	VMOVDQU      Y0, m

#define LOAD \
	VMOVDQU 0*128(SI)(R11*1), z1; \
	VMOVDQU 1*128(SI)(R11*1), z2; \
	VMOVDQU 2*128(SI)(R11*1), z3; \
	VMOVDQU 3*128(SI)(R11*1), z4; \
	VMOVDQU 4*128(SI)(R11*1), z5

// One step of the generator: word 5 becomes the newest. It may exceed the
// modulus by less than 2²⁸; the draw is the same number in full reduction.
#define DRAW(z1, z5) \
	VPMULUDQ newest, z1, Y5; \
	VPMULUDQ oldest, z5, Y6; \
	VPADDQ   Y5, Y6, Y5; \
	VPSRLQ   $31, Y5, Y6; \
	VPAND    modulus, Y5, Y5; \
	VPADDQ   Y5, Y6, z5; \
	VPSUBD   modulus, z5, Y6; \
	VPMINUD  Y6, z5, draw

// Let the draw decide about a level, then make the next one. A comparison that
// holds is -1.
#define LEVEL(z1, z5) \
	VPMINUD  draw, lowest, lowest; \
	VPMULUDQ unit, draw, draw; \
	VPAND    fraction, draw, draw; \
	VPADDQ   notB, notB, notB; \
	VPADDQ   notBC, notBC, notBC; \
	VPADDQ   inD, inD, inD; \
	VPCMPGTQ lastB, draw, Y5; \
	VPCMPGTQ lastC, draw, Y6; \
	VPCMPGTQ lastA, draw, draw; \
	VPSUBQ   Y5, notB, notB; \
	VPSUBQ   Y6, notBC, notBC; \
	VPSUBQ   draw, inD, inD; \
	DRAW(z1, z5); \
	DECQ     CX; \
	JZ       join

#define SMEAR(shift, x) \
	VPSRLQ $shift, x, Y3; \
	VPOR   Y3, x, x

// x *= factor, modulo 2⁶⁴
#define MULTIPLY(factor, x) \
	VPBROADCASTD (factor+0)(BX), low; \
	VPBROADCASTD (factor+4)(BX), high; \
	VPSRLQ       $32, x, Y2; \
	VPMULUDQ     low, Y2, Y2; \
	VPMULUDQ     high, x, Y3; \
	VPMULUDQ     low, x, x; \
	VPADDQ       Y2, Y3, Y2; \
	VPSLLQ       $32, Y2, Y2; \
	VPADDQ       Y2, x, x

// x becomes the reversal of its low bits, as many as the scale has.
#define REVERSE(x) \
	VPSRLQ  $4, x, Y3; \
	VPAND   nibble, x, Y2; \
	VPAND   nibble, Y3, Y3; \
	VPSHUFB Y2, revLow, Y2; \
	VPSHUFB Y3, revHigh, Y3; \
	VPOR    Y2, Y3, Y2; \
	VPSHUFB swap, Y2, Y2; \
	VPSRLQ  X11, Y2, x

#define SCRAMBLE(x) \
	VPBROADCASTQ constants_offset(BX), Y2; \
	VPADDQ       Y2, x, x; \
	MULTIPLY(constants_first, x); \
	REVERSE(x); \
	MULTIPLY(constants_second, x); \
	REVERSE(x)

// One word of the next stream: a row of the matrix times the state in Y0 … Y4,
// folded until it is below 2³¹ + 16. The products of the first three and of the
// last two words fit in 64 bits.
#define STRIDE(row) \
	VPBROADCASTQ (constants_stride+40*row+0)(BX), Y5; \
	VPBROADCASTQ (constants_stride+40*row+8)(BX), Y6; \
	VPBROADCASTQ (constants_stride+40*row+16)(BX), Y7; \
	VPBROADCASTQ (constants_stride+40*row+24)(BX), Y8; \
	VPBROADCASTQ (constants_stride+40*row+32)(BX), Y9; \
	VPMULUDQ     Y5, Y0, Y5; \
	VPMULUDQ     Y6, Y1, Y6; \
	VPMULUDQ     Y7, Y2, Y7; \
	VPMULUDQ     Y8, Y3, Y8; \
	VPMULUDQ     Y9, Y4, Y9; \
	VPADDQ       Y5, Y6, Y5; \
	VPADDQ       Y8, Y9, Y8; \
	VPADDQ       Y5, Y7, Y5; \
	VPSRLQ       $31, Y8, Y9; \
	VPAND        modulus, Y8, Y8; \
	VPSRLQ       $31, Y5, Y6; \
	VPAND        modulus, Y5, Y5; \
	VPADDQ       Y8, Y9, Y8; \
	VPADDQ       Y5, Y6, Y5; \
	VPADDQ       Y5, Y8, Y5; \
	VPSRLQ       $31, Y5, Y6; \
	VPAND        modulus, Y5, Y5; \
	VPADDQ       Y5, Y6, Y5; \
	VMOVDQU      Y5, (128*row)(SI)(R11*1)

// func edgesAVX2(c *constants, next *lanes, dst *hops.Edge, draws *uint32, groups int) (done int)
TEXT ·edgesAVX2(SB), NOSPLIT, $160-48
	MOVQ c+0(FP), BX
	MOVQ next+8(FP), SI
	MOVQ dst+16(FP), DI
	MOVQ draws+24(FP), R8
	MOVQ groups+32(FP), R9
	XORQ R10, R10

	VPBROADCASTQ constants_newest(BX), newest
	VPBROADCASTQ constants_modulus(BX), modulus
	VPBROADCASTQ constants_unit(BX), unit
	VPBROADCASTQ constants_fraction(BX), fraction
	STORE(constants_oldest, oldest)
	STORE(constants_lastB, lastB)
	STORE(constants_lastC, lastC)
	STORE(constants_lastA, lastA)
	STORE(constants_ones, ones)

group:
	CMPQ R10, R9
	JGE  done
	XORQ R11, R11

quarter:
	LOAD
	VPCMPEQD lowest, lowest, lowest
	VPXOR notB, notB, notB
	VPXOR notBC, notBC, notBC
	VPXOR inD, inD, inD
	MOVQ constants_scale(BX), CX
	DRAW(z1, z5)

levels: // word 5 of one step is word 1 of the next
	LEVEL(z5, z4)
	LEVEL(z4, z3)
	LEVEL(z3, z2)
	LEVEL(z2, z1)
	LEVEL(z1, z5)
	JMP levels

join:
	VPBROADCASTQ constants_limit(BX), Y5
	VPCMPGTQ lowest, Y5, Y5
	VPTEST Y5, Y5
	JNZ done

	// The labels: u has a bit in C and D, v in B and D.
	VPANDN notB, notBC, u
	VPOR   inD, u, u
	VPXOR  ones, notB, v
	VPOR   inD, v, v

	// Exchange the highest bit in which they differ, if it is set in u.
	VPXOR u, v, Y2
	SMEAR(1, Y2)
	SMEAR(2, Y2)
	SMEAR(4, Y2)
	SMEAR(8, Y2)
	SMEAR(16, Y2)
	SMEAR(32, Y2)
	VPSRLQ   $1, Y2, Y3
	VPXOR    Y3, Y2, Y2
	VPCMPGTQ v, u, Y3
	VPAND    Y3, Y2, Y2
	VPXOR    Y2, u, u
	VPXOR    Y2, v, v

	VBROADCASTI128 reversed<>(SB), revHigh
	VPSLLQ $4, revHigh, revLow
	VBROADCASTI128 nibbles<>(SB), nibble
	VBROADCASTI128 swapBytes<>(SB), swap
	VMOVQ constants_shift(BX), X11
	SCRAMBLE(u)
	SCRAMBLE(v)
	VPUNPCKLQDQ v, u, Y2
	VPUNPCKHQDQ v, u, Y3
	VPERM2I128 $0x20, Y3, Y2, Y4
	VPERM2I128 $0x31, Y3, Y2, Y5
	VMOVDQU Y4, 0(DI)
	VMOVDQU Y5, 32(DI)
	ADDQ $64, DI

	TESTQ R8, R8
	JZ    next
	VEXTRACTI128 $1, draw, X2
	VSHUFPS $0x88, X2, X7, X2
	VMOVDQU X2, (R8)
	ADDQ $16, R8

next:
	ADDQ $32, R11
	CMPQ R11, $128
	JLT  quarter

advance: // only now, so that a rejection leaves the whole group as it was
	SUBQ $32, R11
	LOAD
	STRIDE(0)
	STRIDE(1)
	STRIDE(2)
	STRIDE(3)
	STRIDE(4)
	TESTQ R11, R11
	JNZ  advance
	INCQ R10
	JMP  group

done:
	VZEROUPPER
	MOVQ R10, done+40(FP)
	RET

DATA swapBytes<>+0(SB)/8, $0x0001020304050607
DATA swapBytes<>+8(SB)/8, $0x08090a0b0c0d0e0f
GLOBL swapBytes<>(SB), RODATA|NOPTR, $16

DATA reversed<>+0(SB)/8, $0x0e060a020c040800
DATA reversed<>+8(SB)/8, $0x0f070b030d050901
GLOBL reversed<>(SB), RODATA|NOPTR, $16

DATA nibbles<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibbles<>+8(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibbles<>(SB), RODATA|NOPTR, $16
