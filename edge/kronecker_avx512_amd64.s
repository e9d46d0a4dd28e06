#include "go_asm.h"
#include "textflag.h"
#include "kronecker_amd64.h"

// Two half groups of eight edges, a and b, share the constants and run in turn.
//
//	BX constants   SI lanes   DI edges   R8 draws or nil
//	R9 groups      R10 groups done       CX levels left   DX bit of the level

// The last draws, and the lowest of those that decided about a level.
#define drawA  Z12
#define drawB  Z15
#define lowest Z23

// One bit a level: the draw fell into B, into B or C, into D.
#define inBa  Z24
#define inBCa Z25
#define inDa  Z26
#define inBb  Z27
#define inBCb Z28
#define inDb  Z29

#define fraction Z20
#define lastB    Z21
#define lastC    Z22
#define lastA    Z30

// Constants of the second half of the work, when the streams are spent.
#define top     Z4 // the highest bit
#define swap    Z5 // shuffle that reverses the bytes of a quadword
#define nibble  Z6 // mask of the lower half of each byte
#define revLow  Z7 // reversed nibbles in the upper half of the byte
#define revHigh Z8 // reversed nibbles

#define CONSTANT(value, z) \
	MOVQ         value, AX; \
	VPBROADCASTQ AX, z

// One step of both generators: word 5 becomes the newest. It may exceed the
// modulus by less than 2²⁸; the draw is the same number in full reduction.
#define DRAW(a1, a5, b1, b5) \
	VPMULUDQ newest, a1, Z10; \
	VPMULUDQ oldest, a5, Z11; \
	VPMULUDQ newest, b1, Z13; \
	VPMULUDQ oldest, b5, Z14; \
	VPADDQ   Z10, Z11, Z10; \
	VPADDQ   Z13, Z14, Z13; \
	VPSRLQ   $31, Z10, Z11; \
	VPANDQ   modulus, Z10, Z10; \
	VPSRLQ   $31, Z13, Z14; \
	VPANDQ   modulus, Z13, Z13; \
	VPADDQ   Z10, Z11, a5; \
	VPADDQ   Z13, Z14, b5; \
	VPSUBD   modulus, a5, Z11; \
	VPMINUD  Z11, a5, drawA; \
	VPSUBD   modulus, b5, Z14; \
	VPMINUD  Z14, b5, drawB

// Let the draws decide about a level, then make the next ones.
#define LEVEL(a1, a5, b1, b5) \
	VPMINUD    drawA, lowest, lowest; \
	VPMINUD    drawB, lowest, lowest; \
	VPMULUDQ   unit, drawA, drawA; \
	VPMULUDQ   unit, drawB, drawB; \
	VPANDQ     fraction, drawA, drawA; \
	VPANDQ     fraction, drawB, drawB; \
	VPCMPUQ    $2, lastB, drawA, K1; \
	VPCMPUQ    $2, lastC, drawA, K2; \
	VPCMPUQ    $6, lastA, drawA, K3; \
	VPCMPUQ    $2, lastB, drawB, K4; \
	VPCMPUQ    $2, lastC, drawB, K5; \
	VPCMPUQ    $6, lastA, drawB, K6; \
	VPORQ.BCST (DX), inBa, K1, inBa; \
	VPORQ.BCST (DX), inBCa, K2, inBCa; \
	VPORQ.BCST (DX), inDa, K3, inDa; \
	VPORQ.BCST (DX), inBb, K4, inBb; \
	VPORQ.BCST (DX), inBCb, K5, inBCb; \
	VPORQ.BCST (DX), inDb, K6, inDb; \
	DRAW(a1, a5, b1, b5); \
	ADDQ       $8, DX; \
	DECQ       CX; \
	JZ         join

// x becomes the reversal of its low bits, as many as the scale has.
#define REVERSE(x) \
	VPSRLQ       $4, x, Z11; \
	VPANDQ       nibble, x, Z10; \
	VPANDQ       nibble, Z11, Z11; \
	VPSHUFB      Z10, revLow, Z10; \
	VPSHUFB      Z11, revHigh, Z11; \
	VPORQ        Z10, Z11, Z10; \
	VPSHUFB      swap, Z10, Z10; \
	VPSRLVQ.BCST constants_shift(BX), Z10, x

#define SCRAMBLE(x) \
	VPADDQ.BCST  constants_offset(BX), x, x; \
	VPMULLQ.BCST constants_first(BX), x, x; \
	REVERSE(x); \
	VPMULLQ.BCST constants_second(BX), x, x; \
	REVERSE(x)

// Make the labels u (Z0) and v (Z1), exchange the highest bit in which they
// differ if it is set in u, scramble them and store the pairs.
#define JOIN(inB, inBC, inD, at) \
	VPANDNQ   inBC, inB, Z0; \
	VPORQ     inD, Z0, Z0; \
	VPORQ     inD, inB, Z1; \
	VPXORQ    Z0, Z1, Z2; \
	VPLZCNTQ  Z2, Z2; \
	VPSRLVQ   Z2, top, Z2; \
	VPCMPUQ   $1, Z0, Z1, K1; \
	VPXORQ    Z2, Z0, K1, Z0; \
	VPXORQ    Z2, Z1, K1, Z1; \
	SCRAMBLE(Z0); \
	SCRAMBLE(Z1); \
	VMOVDQU64 zip<>+0(SB), Z2; \
	VMOVDQU64 zip<>+64(SB), Z3; \
	VPERMI2Q  Z1, Z0, Z2; \
	VPERMI2Q  Z1, Z0, Z3; \
	VMOVDQU64 Z2, (at+0)(DI); \
	VMOVDQU64 Z3, (at+64)(DI)

// func edgesAVX512(c *constants, next *lanes, dst *hops.Edge, draws *uint32, groups int) (done int)
TEXT ·edgesAVX512(SB), NOSPLIT, $0-48
	MOVQ c+0(FP), BX
	MOVQ next+8(FP), SI
	MOVQ dst+16(FP), DI
	MOVQ draws+24(FP), R8
	MOVQ groups+32(FP), R9
	XORQ R10, R10

	VPBROADCASTQ constants_newest(BX), newest
	VPBROADCASTQ constants_oldest(BX), oldest
	VPBROADCASTQ constants_modulus(BX), modulus
	VPBROADCASTQ constants_unit(BX), unit
	VPBROADCASTQ constants_fraction(BX), fraction
	VPBROADCASTQ constants_lastB(BX), lastB
	VPBROADCASTQ constants_lastC(BX), lastC
	VPBROADCASTQ constants_lastA(BX), lastA

group:
	CMPQ R10, R9
	JGE  done
	LOAD(0, a1, a2, a3, a4, a5)
	LOAD(64, b1, b2, b3, b4, b5)
	VPTERNLOGQ $0xFF, lowest, lowest, lowest
	VPXORQ inBa, inBa, inBa
	VPXORQ inBCa, inBCa, inBCa
	VPXORQ inDa, inDa, inDa
	VPXORQ inBb, inBb, inBb
	VPXORQ inBCb, inBCb, inBCb
	VPXORQ inDb, inDb, inDb
	MOVQ constants_scale(BX), CX
	MOVQ constants_topBit(BX), DX
	DRAW(a1, a5, b1, b5)

levels: // word 5 of one step is word 1 of the next
	LEVEL(a5, a4, b5, b4)
	LEVEL(a4, a3, b4, b3)
	LEVEL(a3, a2, b3, b2)
	LEVEL(a2, a1, b2, b1)
	LEVEL(a1, a5, b1, b5)
	JMP levels

join:
	VPCMPUQ.BCST $1, constants_limit(BX), lowest, K1
	KORTESTB K1, K1
	JNZ done

	CONSTANT($1<<63, top)
	CONSTANT($0x0F0F0F0F0F0F0F0F, nibble)
	VBROADCASTI64X2 swapBytes<>(SB), swap
	VBROADCASTI64X2 reversed<>(SB), revHigh
	VPSLLQ $4, revHigh, revLow
	JOIN(inBa, inBCa, inDa, 0)
	JOIN(inBb, inBCb, inDb, 128)
	ADDQ $256, DI

	TESTQ R8, R8
	JZ    advance
	VPMOVQD drawA, 0(R8)
	VPMOVQD drawB, 32(R8)
	ADDQ $64, R8

advance:
	ADVANCE(0)
	ADVANCE(64)
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

// The quadwords of two registers in turn: the first four of each, the last four.
DATA zip<>+0(SB)/8, $0
DATA zip<>+8(SB)/8, $8
DATA zip<>+16(SB)/8, $1
DATA zip<>+24(SB)/8, $9
DATA zip<>+32(SB)/8, $2
DATA zip<>+40(SB)/8, $10
DATA zip<>+48(SB)/8, $3
DATA zip<>+56(SB)/8, $11
DATA zip<>+64(SB)/8, $4
DATA zip<>+72(SB)/8, $12
DATA zip<>+80(SB)/8, $5
DATA zip<>+88(SB)/8, $13
DATA zip<>+96(SB)/8, $6
DATA zip<>+104(SB)/8, $14
DATA zip<>+112(SB)/8, $7
DATA zip<>+120(SB)/8, $15
GLOBL zip<>(SB), RODATA|NOPTR, $128
