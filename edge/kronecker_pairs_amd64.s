#include "go_asm.h"
#include "textflag.h"
#include "kronecker_amd64.h"

// Two half groups of eight edges, a and b, draw in words of 64 bits. What the draws decide is
// done for both in words of 32 bits: those of a are even, those of b odd.
//
//	BX constants   SI lanes   DI pairs
//	R9 groups      R10 groups done       CX levels left   DX bit of the level
//	K7 odd words

#define draw   Z12
#define lowest Z23

// One bit a level: the labels differ, V has a 1.
#define differ Z24
#define ofV    Z25

#define modulus32 Z20
#define belowC    Z21
#define fromD     Z22
#define belowV    Z26

#define top     Z4 // the highest bit
#define swap    Z5 // shuffle that reverses the bytes of a word
#define nibble  Z6 // mask of the lower half of each byte
#define revLow  Z7 // reversed nibbles in the upper half of the byte
#define revHigh Z8 // reversed nibbles

#define CONSTANT(value, z) \
	MOVL         value, AX; \
	VPBROADCASTD AX, z

// One step of both generators: word 5 becomes the newest. It may exceed the
// modulus by less than 2²⁸; the draw is the same number in full reduction.
#define DRAW(a1, a5, b1, b5) \
	VPMULUDQ  newest, a1, Z10; \
	VPMULUDQ  oldest, a5, Z11; \
	VPMULUDQ  newest, b1, Z13; \
	VPMULUDQ  oldest, b5, Z14; \
	VPADDQ    Z10, Z11, Z10; \
	VPADDQ    Z13, Z14, Z13; \
	VPSRLQ    $31, Z10, Z11; \
	VPANDQ    modulus, Z10, Z10; \
	VPSRLQ    $31, Z13, Z14; \
	VPANDQ    modulus, Z13, Z13; \
	VPADDQ    Z10, Z11, a5; \
	VPADDQ    Z13, Z14, b5; \
	VMOVDQA64 a5, draw; \
	VPSHUFD   $0xA0, b5, K7, draw; \
	VPSUBD    modulus32, draw, Z11; \
	VPMINUD   Z11, draw, draw

// Let the draws decide about a level, then make the next ones. The upper 32 of the 45 bits of a
// scaled remainder tell the quadrants apart.
#define LEVEL(a1, a5, b1, b5) \
	VPMINUD    draw, lowest, lowest; \
	VPSRLQ     $32, draw, Z15; \
	VPMULUDQ   unit, draw, Z27; \
	VPMULUDQ   unit, Z15, Z15; \
	VPSRLQ     $13, Z27, Z27; \
	VPSLLQ     $19, Z15, Z15; \
	VMOVDQA32  Z15, K7, Z27; \
	VPSUBD     fromD, Z27, Z15; \
	VPCMPUD    $1, belowC, Z27, K1; \
	VPCMPUD    $1, belowV, Z15, K2; \
	VPORD.BCST (DX), differ, K1, differ; \
	VPORD.BCST (DX), ofV, K2, ofV; \
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
	VPSRLVD.BCST constants_shift32(BX), Z10, x

#define SCRAMBLE(x) \
	VPADDD.BCST  constants_offset(BX), x, x; \
	VPMULLD.BCST constants_first(BX), x, x; \
	REVERSE(x); \
	VPMULLD.BCST constants_second(BX), x, x; \
	REVERSE(x)

// func pairsAVX512(c *constants, next *lanes, dst *uint64, groups int) (done int)
TEXT ·pairsAVX512(SB), NOSPLIT, $0-40
	MOVQ c+0(FP), BX
	MOVQ next+8(FP), SI
	MOVQ dst+16(FP), DI
	MOVQ groups+24(FP), R9
	XORQ R10, R10

	VPBROADCASTQ constants_newest(BX), newest
	VPBROADCASTQ constants_oldest(BX), oldest
	VPBROADCASTQ constants_modulus(BX), modulus
	VPBROADCASTQ constants_unit(BX), unit
	VPBROADCASTD constants_modulus(BX), modulus32
	VPBROADCASTD constants_belowC(BX), belowC
	VPBROADCASTD constants_fromD(BX), fromD
	VPBROADCASTD constants_belowV(BX), belowV
	MOVL $0xAAAA, AX
	KMOVW AX, K7

group:
	CMPQ R10, R9
	JGE  done
	LOAD(0, a1, a2, a3, a4, a5)
	LOAD(64, b1, b2, b3, b4, b5)
	VPTERNLOGQ $0xFF, lowest, lowest, lowest
	VPXORQ differ, differ, differ
	VPXORQ ofV, ofV, ofV
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

join: // where the labels first differ V has the 1
	VPCMPUD.BCST $1, constants_limit(BX), lowest, K1
	KORTESTW K1, K1
	JNZ done
	CONSTANT($1<<31, top)
	CONSTANT($0x0F0F0F0F, nibble)
	VBROADCASTI64X2 swapBytes32<>(SB), swap
	VBROADCASTI64X2 reversed32<>(SB), revHigh
	VPSLLQ   $4, revHigh, revLow
	VPLZCNTD differ, Z2
	VPSRLVD  Z2, top, Z2
	VPORD    Z2, ofV, Z1
	VPXORD   differ, Z1, Z0
	SCRAMBLE(Z0)
	SCRAMBLE(Z1)
	VPSLLQ $32, Z1, Z2
	VPSRLQ $32, Z0, Z3
	VMOVDQA32 Z2, K7, Z0            // both labels of a
	VMOVDQA32 Z1, K7, Z3            // … of b
	VMOVDQU64 Z0, (DI)
	VMOVDQU64 Z3, 64(DI)
	ADDQ $128, DI

	ADVANCE(0)
	ADVANCE(64)
	INCQ R10
	JMP  group

done:
	VZEROUPPER
	MOVQ R10, done+32(FP)
	RET

DATA swapBytes32<>+0(SB)/8, $0x0405060700010203
DATA swapBytes32<>+8(SB)/8, $0x0c0d0e0f08090a0b
GLOBL swapBytes32<>(SB), RODATA|NOPTR, $16

DATA reversed32<>+0(SB)/8, $0x0e060a020c040800
DATA reversed32<>+8(SB)/8, $0x0f070b030d050901
GLOBL reversed32<>(SB), RODATA|NOPTR, $16
