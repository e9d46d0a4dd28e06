#include "textflag.h"

// Permutations of the dwords of two registers: the even ones, the odd ones, and the low or the high half
// of one in turn with the half of the other.
DATA ·even+0(SB)/8, $0x0000000200000000
DATA ·even+8(SB)/8, $0x0000000600000004
DATA ·even+16(SB)/8, $0x0000000a00000008
DATA ·even+24(SB)/8, $0x0000000e0000000c
DATA ·even+32(SB)/8, $0x0000001200000010
DATA ·even+40(SB)/8, $0x0000001600000014
DATA ·even+48(SB)/8, $0x0000001a00000018
DATA ·even+56(SB)/8, $0x0000001e0000001c
GLOBL ·even(SB), RODATA|NOPTR, $64

DATA ·pairs+0(SB)/8, $0x0000001000000000
DATA ·pairs+8(SB)/8, $0x0000001100000001
DATA ·pairs+16(SB)/8, $0x0000001200000002
DATA ·pairs+24(SB)/8, $0x0000001300000003
DATA ·pairs+32(SB)/8, $0x0000001400000004
DATA ·pairs+40(SB)/8, $0x0000001500000005
DATA ·pairs+48(SB)/8, $0x0000001600000006
DATA ·pairs+56(SB)/8, $0x0000001700000007
GLOBL ·pairs(SB), RODATA|NOPTR, $64

DATA ·lanes+0(SB)/8, $0x0000000100000000
DATA ·lanes+8(SB)/8, $0x0000000300000002
DATA ·lanes+16(SB)/8, $0x0000000500000004
DATA ·lanes+24(SB)/8, $0x0000000700000006
DATA ·lanes+32(SB)/8, $0x0000000900000008
DATA ·lanes+40(SB)/8, $0x0000000b0000000a
DATA ·lanes+48(SB)/8, $0x0000000d0000000c
DATA ·lanes+56(SB)/8, $0x0000000f0000000e
GLOBL ·lanes(SB), RODATA|NOPTR, $64

// Comparisons.
#define LT $1
#define GE $13

// Offsets of the columns of pullLists behind the first.
#define ROWS 2112
#define BEFORES 4224
#define BEST 6336
#define PARENTS 8448
#define FARS 10560

// FETCH asks for the distance and the label of the other end of a first entry, 32 candidates ahead.
#define FETCH(AT) \
	MOVL       AT(R8), BX;    \
	PREFETCHT0 (DI)(BX*8);    \
	PREFETCHT0 (DX)(BX*4)

// OWN asks for the state of a vertex.
#define OWN(AT) \
	MOVL       AT(R10), BX;   \
	PREFETCHT0 (DI)(BX*8)

// SETTLE takes what the vertices under K7 have pulled, and goes to NEXT if none of them is carried. Those of K5 first
// get a nearer distance and the label of their parent, 8 states at a time. K3 then is below the bound, and K5 of these
// pushes: the first entry, the second or the third. The others of K7 are carried, the high half behind the low one.
//
// Z0 Z1 first entries, Z3 their weights; Z4 Z5, Z7 likewise the second; Z8 slots, Z9 third weights; Z10
// before, Z11 distances of first ends, Z18 of second, Z13 best, Z14 parent; Z30 bound; Z26 Z25 pairs. SI
// pullLists, R12 carried so far, R14 that push.
#define SETTLE(NEXT) \
	VCMPPS        LT, Z10, Z13, K7, K5;             \
	KMOVW         K5, BX;                           \
	POPCNTL       BX, BX;                           \
	ADDQ          BX, 152(AX);                      \
	KMOVW         K5, K3;                           \
	VPGATHERDD    (DX)(Z14*4), K3, Z20;             \
	VMOVDQA32     Z26, Z21;                         \
	VPERMI2D      Z20, Z13, Z21;                    \
	VMOVDQA32     Z25, Z19;                         \
	VPERMI2D      Z20, Z13, Z19;                    \
	VEXTRACTI64X4 $1, Z8, Y17;                      \
	KSHIFTRW      $8, K5, K3;                       \
	VPSCATTERDQ   Z21, K5, (DI)(Y8*8);              \
	VPSCATTERDQ   Z19, K3, (DI)(Y17*8);             \
	VCMPPS        LT, Z30, Z13, K7, K3;             \
	VADDPS        Z13, Z3, Z15;                     \
	VMINPS        Z30, Z11, Z16;                    \
	VCMPPS        LT, Z16, Z15, K3, K5;             \
	VADDPS        Z13, Z7, Z15;                     \
	VMINPS        Z30, Z18, Z16;                    \
	VCMPPS        LT, Z16, Z15, K3, K6;             \
	KORW          K5, K6, K5;                       \
	VADDPS        Z13, Z9, Z15;                     \
	VCMPPS        LT, Z30, Z15, K3, K6;             \
	KORW          K5, K6, K5;                       \
	KMOVW         K5, BX;                           \
	VPCOMPRESSD.Z Z8, K5, Z16;                      \
	VMOVDQU32     Z16, (SI)(R14*4);                 \
	VPCOMPRESSD.Z Z13, K5, Z16;                     \
	VMOVDQU32     Z16, FARS(SI)(R14*4);             \
	POPCNTL       BX, BX;                           \
	ADDQ          BX, R14;                          \
	KANDNW        K3, K5, K5;                       \
	KMOVW         K5, BX;                           \
	POPCNTL       BX, BX;                           \
	ADDQ          BX, 144(AX);                      \
	KANDNW        K7, K3, K3;                       \
	KORTESTW      K3, K3;                           \
	JZ            NEXT;                             \
	KSHIFTRW      $8, K3, K5;                       \
	KMOVW         K3, BX;                           \
	MOVBLZX       BX, SI;                           \
	POPCNTL       BX, BX;                           \
	POPCNTL       SI, SI;                           \
	ADDQ          R12, SI;                          \
	MOVQ          72(AX), R15;                      \
	VPCOMPRESSQ.Z Z0, K3, Z15;                      \
	VPCOMPRESSQ.Z Z1, K5, Z16;                      \
	VMOVDQU64     Z15, (R15)(R12*8);                \
	VMOVDQU64     Z16, (R15)(SI*8);                 \
	MOVQ          80(AX), R15;                      \
	VPCOMPRESSQ.Z Z4, K3, Z15;                      \
	VPCOMPRESSQ.Z Z5, K5, Z16;                      \
	VMOVDQU64     Z15, (R15)(R12*8);                \
	VMOVDQU64     Z16, (R15)(SI*8);                 \
	MOVQ          88(AX), R15;                      \
	VPCOMPRESSD.Z Z8, K3, Z15;                      \
	VMOVDQU32     Z15, (R15)(R12*4);                \
	MOVQ          96(AX), R15;                      \
	VPCOMPRESSD.Z Z9, K3, Z15;                      \
	VMOVDQU32     Z15, (R15)(R12*4);                \
	ADDQ          BX, R12

// func pullAVX512(a *vectorPull)
//
// Z0 Z1 first entries, Z2 Z3 their slots and weights; Z4 Z5, Z6 Z7 likewise the second; Z8
// slots, Z9 third weights; Z10 before, Z11 first, Z18 second, Z13 best, Z14 parent.
TEXT ·pullAVX512(SB), NOSPLIT, $0-8
	MOVQ         a+0(FP), AX
	MOVQ         0(AX), R8                // firsts
	MOVQ         8(AX), R9                // seconds
	MOVQ         16(AX), R10              // slots
	MOVQ         24(AX), R11              // thirds
	MOVQ         32(AX), CX               // candidates left
	MOVQ         40(AX), DI               // states
	MOVQ         48(AX), DX               // labels
	VBROADCASTSS 56(AX), Z31              // near
	VBROADCASTSS 60(AX), Z30              // bound
	VBROADCASTSS 64(AX), Z29              // least
	VMOVDQU32    ·even(SB), Z28
	MOVL         $1, BX
	VPBROADCASTD BX, Z27
	VPORD        Z27, Z28, Z27            // odd
	VMOVDQU32    ·pairs(SB), Z26
	MOVL         $8, BX
	VPBROADCASTD BX, Z25
	VPADDD       Z25, Z26, Z25            // pairs of the high half
	VMOVDQU32    ·lanes(SB), Z24         // numbers of the candidates
	MOVL         $16, BX
	VPBROADCASTD BX, Z23
	MOVL         $0x7f800000, BX
	VPBROADCASTD BX, Z22                  // infinity
	MOVQ         104(AX), R12             // carried
	XORQ         R13, R13                 // that need their rows
	XORQ         R14, R14                 // that push

loop:
	CMPQ  CX, $0
	JLE   done
	MOVQ  160(AX), BX              // candidates behind these
	ADDQ  CX, BX
	CMPQ  BX, $48
	JLT   fetched
	FETCH(256)
	FETCH(264)
	FETCH(272)
	FETCH(280)
	FETCH(288)
	FETCH(296)
	FETCH(304)
	FETCH(312)
	FETCH(320)
	FETCH(328)
	FETCH(336)
	FETCH(344)
	FETCH(352)
	FETCH(360)
	FETCH(368)
	FETCH(376)

	// The columns 128 candidates ahead, and the states 32 candidates ahead: states of hubs and of carried
	// vertices do not lie one after the other.
	PREFETCHT0 1024(R8)
	PREFETCHT0 1088(R8)
	PREFETCHT0 1024(R9)
	PREFETCHT0 1088(R9)
	PREFETCHT0 512(R10)
	PREFETCHT0 512(R11)
	OWN(128)
	OWN(132)
	OWN(136)
	OWN(140)
	OWN(144)
	OWN(148)
	OWN(152)
	OWN(156)
	OWN(160)
	OWN(164)
	OWN(168)
	OWN(172)
	OWN(176)
	OWN(180)
	OWN(184)
	OWN(188)

	// The distances of the other ends of second entries, 32 candidates ahead, that may lead below
	// the bound.
	VMOVDQU64 256(R9), Z0
	VMOVDQU64 320(R9), Z1
	VMOVDQA32 Z27, Z3
	VPERMI2D  Z1, Z0, Z3
	VADDPS    Z31, Z3, Z3
	VCMPPS    LT, Z30, Z3, K3
	KMOVW     K3, BX
	TESTL     BX, BX
	JEQ       fetched

second:
	TZCNTL     BX, SI
	MOVL       256(R9)(SI*8), R15
	PREFETCHT0 (DI)(R15*8)
	BLSRL      BX, BX
	JNE        second

fetched:
	MOVL  $0xffff, BX
	CMPQ  CX, $16
	JGE   full
	BZHIL CX, BX, BX

full:
	KMOVW       BX, K1
	KSHIFTRW    $8, K1, K2
	VMOVDQU64.Z (R8), K1, Z0
	VMOVDQU64.Z 64(R8), K2, Z1
	VMOVDQU64.Z (R9), K1, Z4
	VMOVDQU64.Z 64(R9), K2, Z5
	VMOVDQU32.Z (R10), K1, Z8
	VMOVDQU32.Z (R11), K1, Z9
	VMOVDQA32   Z28, Z2
	VPERMI2D    Z1, Z0, Z2
	VMOVDQA32   Z27, Z3
	VPERMI2D    Z1, Z0, Z3
	VMOVDQA32   Z28, Z6
	VPERMI2D    Z5, Z4, Z6
	VMOVDQA32   Z27, Z7
	VPERMI2D    Z5, Z4, Z7

	// A vertex whose distance is below the least does not pull.
	KMOVW      K1, K3
	VPXORD     Z10, Z10, Z10
	VGATHERDPS (DI)(Z8*8), K3, Z10
	VCMPPS     GE, Z29, Z10, K1, K4
	KMOVW      K4, BX
	POPCNTL    BX, BX
	ADDQ       BX, 136(AX)                // examined

	// By the lightest entry.
	KMOVW      K4, K3
	VMOVAPS    Z22, Z11
	VGATHERDPS (DI)(Z2*8), K3, Z11
	VADDPS     Z3, Z11, Z12
	VMINPS     Z10, Z12, Z13
	VMOVDQA32  Z2, Z14

	// By the second, if it matters to the vertex or the vertex to its other end.
	VMINPS     Z30, Z13, Z15
	VADDPS     Z31, Z7, Z16
	VADDPS     Z13, Z7, Z17
	VCMPPS     LT, Z15, Z16, K4, K6
	VCMPPS     LT, Z30, Z17, K4, K7
	KORW       K6, K7, K7
	VMOVAPS    Z22, Z18
	VGATHERDPS (DI)(Z6*8), K7, Z18
	VADDPS     Z7, Z18, Z19
	VCMPPS     LT, Z13, Z19, K4, K7
	VMOVDQA32  Z6, K7, Z14
	VMINPS     Z19, Z13, Z13

	// K6 needs its row, K7 does not.
	VMINPS        Z30, Z13, Z15
	VADDPS        Z31, Z9, Z16
	VCMPPS        LT, Z15, Z16, K4, K6
	KANDNW        K4, K6, K7
	KMOVW         K6, BX
	MOVQ          112(AX), SI
	VPCOMPRESSD.Z Z24, K6, Z16
	VMOVDQU32     Z16, ROWS(SI)(R13*4)
	VPCOMPRESSD.Z Z10, K6, Z16
	VMOVDQU32     Z16, BEFORES(SI)(R13*4)
	VPCOMPRESSD.Z Z13, K6, Z16
	VMOVDQU32     Z16, BEST(SI)(R13*4)
	VPCOMPRESSD.Z Z14, K6, Z16
	VMOVDQU32     Z16, PARENTS(SI)(R13*4)
	POPCNTL       BX, BX
	ADDQ          BX, R13
	SETTLE(next)

next:
	ADDQ   $128, R8
	ADDQ   $128, R9
	ADDQ   $64, R10
	ADDQ   $64, R11
	VPADDD Z23, Z24, Z24
	SUBQ   $16, CX
	JMP    loop

done:
	MOVQ R12, 104(AX)
	MOVQ R13, 120(AX)
	MOVQ R14, 128(AX)
	VZEROUPPER
	RET

// func settleAVX512(a *vectorPull)
//
// Z12 numbers of the candidates of pullers; otherwise as SETTLE has it.
TEXT ·settleAVX512(SB), NOSPLIT, $0-8
	MOVQ         a+0(FP), AX
	MOVQ         0(AX), R8                // firsts
	MOVQ         8(AX), R9                // seconds
	MOVQ         16(AX), R10              // slots
	MOVQ         24(AX), R11              // thirds
	MOVQ         40(AX), DI               // states
	MOVQ         48(AX), DX               // labels
	VBROADCASTSS 60(AX), Z30              // bound
	VMOVDQU32    ·even(SB), Z28
	MOVL         $1, BX
	VPBROADCASTD BX, Z27
	VPORD        Z27, Z28, Z27            // odd
	VMOVDQU32    ·pairs(SB), Z26
	MOVL         $8, BX
	VPBROADCASTD BX, Z25
	VPADDD       Z25, Z26, Z25            // pairs of the high half
	MOVQ         104(AX), R12             // carried
	MOVQ         128(AX), R14             // that push
	XORQ         R13, R13                 // pullers taken

loop:
	MOVQ  120(AX), CX
	SUBQ  R13, CX
	JLE   done
	MOVQ  112(AX), SI
	MOVL  $0xffff, BX
	CMPQ CX, $16
	JGE   full
	BZHIL CX, BX, BX

full:
	KMOVW         BX, K1
	KSHIFTRW      $8, K1, K2
	VMOVDQU32.Z   ROWS(SI)(R13*4), K1, Z12
	VMOVDQU32.Z   BEFORES(SI)(R13*4), K1, Z10
	VMOVDQU32.Z   BEST(SI)(R13*4), K1, Z13
	VMOVDQU32.Z   PARENTS(SI)(R13*4), K1, Z14
	VEXTRACTI64X4 $1, Z12, Y15
	KMOVW         K1, K3
	VPXORD        Z8, Z8, Z8
	VPGATHERDD    (R10)(Z12*4), K3, Z8
	KMOVW         K1, K3
	VPXORD        Z9, Z9, Z9
	VPGATHERDD    (R11)(Z12*4), K3, Z9
	KMOVW         K1, K3
	VPXORD        Z0, Z0, Z0
	VPGATHERDQ    (R8)(Y12*8), K3, Z0
	KMOVW         K2, K3
	VPXORD        Z1, Z1, Z1
	VPGATHERDQ    (R8)(Y15*8), K3, Z1
	KMOVW         K1, K3
	VPXORD        Z4, Z4, Z4
	VPGATHERDQ    (R9)(Y12*8), K3, Z4
	KMOVW         K2, K3
	VPXORD        Z5, Z5, Z5
	VPGATHERDQ    (R9)(Y15*8), K3, Z5
	VMOVDQA32     Z28, Z2
	VPERMI2D      Z1, Z0, Z2
	VMOVDQA32     Z27, Z3
	VPERMI2D      Z1, Z0, Z3
	VMOVDQA32     Z28, Z6
	VPERMI2D      Z5, Z4, Z6
	VMOVDQA32     Z27, Z7
	VPERMI2D      Z5, Z4, Z7
	KMOVW         K1, K3
	VPXORD        Z11, Z11, Z11
	VGATHERDPS    (DI)(Z2*8), K3, Z11
	KMOVW         K1, K3
	VPXORD        Z18, Z18, Z18
	VGATHERDPS    (DI)(Z6*8), K3, Z18
	KMOVW         K1, K7
	SETTLE(next)

next:
	ADDQ $16, R13
	JMP  loop

done:
	MOVQ R12, 104(AX)
	MOVQ R14, 128(AX)
	VZEROUPPER
	RET
