#include "textflag.h"

// Comparisons.
#define EQ $0
#define LT $1

// func pushAVX512(a *vectorPush)
//
// Lanes are entries. Y1 slots, Y2 weights, Y4 the distance, Y5 sums, Y8 distances of the other
// ends: in the low half of a lane each, where the bits of distances are in their order.
TEXT ·pushAVX512(SB), NOSPLIT, $0-8
	MOVQ         a+0(FP), AX
	MOVQ         0(AX), R8                // list
	MOVQ         8(AX), CX                // its length
	MOVQ         16(AX), DI               // states
	MOVQ         24(AX), SI               // segments
	VPBROADCASTQ 32(AX), Y30              // lo
	VPBROADCASTQ 40(AX), Y29              // span
	MOVQ         48(AX), R9               // lowered
	MOVQ         56(AX), R10              // rest
	MOVL         $0xffffffff, BX
	VPBROADCASTQ BX, Y31                  // the low half, and the weight of a link
	MOVL         $0x7f800000, BX
	VPBROADCASTQ BX, Y28                  // infinity
	XORQ         R12, R12                 // found
	XORQ         R13, R13                 // examined
	XORQ         R11, R11
	JMP          fetched

	// The states at the other ends of all entries. A prefetch beyond the array, by a link, does no harm.
fetch:
	MOVL       4(R8)(R11*8), DX
	SHLQ       $5, DX
	MOVL       0(SI)(DX*1), R14
	MOVL       8(SI)(DX*1), R15
	PREFETCHT0 (DI)(R14*8)
	PREFETCHT0 (DI)(R15*8)
	MOVL       16(SI)(DX*1), R14
	MOVL       24(SI)(DX*1), R15
	PREFETCHT0 (DI)(R14*8)
	PREFETCHT0 (DI)(R15*8)
	INCQ       R11

fetched:
	CMPQ R11, CX
	JLT  fetch
	XORQ R11, R11
	JMP  check

loop:
	MOVQ (R8)(R11*8), BX
	MOVQ BX, DX
	SHRQ $32, DX

	// K1 has all lanes if the vertex has this distance still, otherwise none.
	MOVL  (DI)(DX*8), R14
	XORL  BX, R14
	NEGL  R14
	SBBL  R14, R14
	NOTL  R14
	ANDL  $15, R14
	KMOVW R14, K1

	SHLQ         $5, DX
	VMOVDQU64    (SI)(DX*1), Y0
	VPANDQ       Y31, Y0, Y1
	VPSRLQ       $32, Y0, Y2
	VPBROADCASTQ BX, Y3
	VPANDQ       Y31, Y3, Y4
	VADDPS       Y4, Y2, Y5

	// K2 are entries, K3 of these lead to the part, K4 elsewhere or are a link.
	VPCMPUQ LT, Y28, Y2, K1, K2
	VPSUBQ  Y30, Y1, Y6
	VPCMPUQ LT, Y29, Y6, K2, K3
	KANDNW  K2, K3, K4
	VPCMPUQ EQ, Y31, Y2, K1, K5
	KORW    K4, K5, K4
	KMOVW   K2, R14
	POPCNTL R14, R14
	ADDQ    R14, R13

	// K6 make a distance smaller, K7 of these make the first one.
	KMOVW      K3, K5
	VPXORQ     Y7, Y7, Y7
	VPGATHERQQ (DI)(Y1*8), K5, Y7
	VPANDQ     Y31, Y7, Y8
	VPCMPUQ    LT, Y8, Y5, K3, K6
	VPCMPUQ    EQ, Y8, Y28, K6, K7
	KMOVW      K7, R14
	POPCNTL    R14, R14
	ADDQ       R14, R12

	VPSLLQ        $32, Y1, Y10
	VPORQ         Y5, Y10, Y10
	VPCOMPRESSQ.Z Y10, K6, Y11
	VMOVDQU64     Y11, (R9)
	KMOVW         K6, R14
	POPCNTL       R14, R14
	LEAQ          (R9)(R14*8), R9
	VPANDNQ       Y3, Y31, Y9
	VPORQ         Y5, Y9, Y9
	VPSCATTERQQ   Y9, K6, (DI)(Y1*8)

	// Each writes its number, which stays if there is a rest.
	MOVQ  R11, (R10)
	KMOVW K4, R14
	NEGL  R14
	SBBQ  R14, R14
	NEGQ  R14
	LEAQ  (R10)(R14*8), R10
	INCQ  R11

check:
	CMPQ R11, CX
	JLT  loop

	// The rows of the vertices that got a distance.
	MOVQ 48(AX), R11
	JMP  rows

row:
	MOVL       4(R11), DX
	SHLQ       $5, DX
	PREFETCHT0 (SI)(DX*1)
	ADDQ       $8, R11

rows:
	CMPQ R11, R9
	JLT  row
	SUBQ 48(AX), R9
	SHRQ $3, R9
	MOVQ R9, 64(AX)                       // lowerings
	SUBQ 56(AX), R10
	SHRQ $3, R10
	MOVQ R10, 72(AX)                      // rests
	MOVQ R12, 80(AX)
	MOVQ R13, 88(AX)
	VZEROUPPER
	RET
