#include "textflag.h"

// Comparisons.
#define LT $1

// FETCH asks for the distance of the other end of a first entry, 32 candidates ahead.
#define FETCH(AT) \
	MOVL       AT(R8), BX;    \
	PREFETCHT0 (DI)(BX*8)

// func pullFirstOnlyAVX512(a *vectorPull)
//
// Z0 Z1 first entries, Z2 Z3 their slots and weights; Z8 own slots, which follow each other;
// Z11 distances of the other ends, Z13 sums.
TEXT ·pullFirstOnlyAVX512(SB), NOSPLIT, $0-8
	MOVQ         a+0(FP), AX
	MOVQ         0(AX), R8                // firsts
	MOVQ         8(AX), R9                // seconds
	MOVQ         16(AX), R10              // slots
	MOVQ         24(AX), R11              // thirds
	MOVQ         32(AX), CX               // candidates left
	MOVQ         40(AX), DI               // states
	MOVQ         48(AX), DX               // labels of their other ends
	VBROADCASTSS 60(AX), Z30              // bound
	VMOVDQU32    ·even(SB), Z28
	MOVL         $1, BX
	VPBROADCASTD BX, Z27
	VPORD        Z27, Z28, Z27            // odd
	VMOVDQU32    ·pairs(SB), Z26
	MOVL         $8, BX
	VPBROADCASTD BX, Z25
	VPADDD       Z25, Z26, Z25            // pairs of the high half
	MOVL         (R10), BX
	LEAQ         (DI)(BX*8), R10          // own states
	VPBROADCASTD BX, Z8
	VPADDD       ·lanes(SB), Z8, Z8
	MOVL         $16, BX
	VPBROADCASTD BX, Z23
	MOVL         $0x7f800000, BX
	VPBROADCASTD BX, Z22                  // infinity
	MOVQ         104(AX), R12             // carried
	XORQ         R13, R13                 // examined
	XORQ         R14, R14                 // found

loop:
	CMPQ CX, $0
	JLE  done
	CMPQ CX, $48
	JLT  fetched
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

fetched:
	PREFETCHT0 1024(R8)
	PREFETCHT0 1088(R8)
	PREFETCHT0 1024(R10)
	PREFETCHT0 1088(R10)
	PREFETCHT0 512(DX)
	MOVL       $0xffff, BX
	CMPQ       CX, $16
	JGE        full
	BZHIL      CX, BX, BX

full:
	KMOVW       BX, K1
	KSHIFTRW    $8, K1, K2
	VMOVDQU64.Z (R8), K1, Z0
	VMOVDQU64.Z 64(R8), K2, Z1
	VMOVDQU64.Z (R10), K1, Z4
	VMOVDQU64.Z 64(R10), K2, Z5
	VMOVDQA32   Z28, Z2
	VPERMI2D    Z1, Z0, Z2
	VMOVDQA32   Z27, Z3
	VPERMI2D    Z1, Z0, Z3
	VPERMT2D    Z5, Z28, Z4               // own distances
	VPCMPEQD    Z22, Z4, K1, K4           // K4 pulls
	KMOVW       K4, BX
	POPCNTL     BX, BX
	ADDQ        BX, R13

	KMOVW      K4, K3
	VMOVAPS    Z22, Z11
	VGATHERDPS (DI)(Z2*8), K3, Z11
	VADDPS     Z3, Z11, Z13
	VCMPPS     LT, Z22, Z13, K4, K5       // has a distance
	KMOVW      K5, BX
	POPCNTL    BX, BX
	ADDQ       BX, 152(AX)                // lowerings

	// Distances and labels of parents.
	VMOVDQU32.Z (DX), K1, Z20
	VMOVDQA32  Z26, Z21
	VPERMI2D   Z20, Z13, Z21
	VMOVDQA32  Z25, Z19
	VPERMI2D   Z20, Z13, Z19
	KSHIFTRW   $8, K5, K3
	VMOVDQU64  Z21, K5, (R10)
	VMOVDQU64  Z19, K3, 64(R10)

	// K3 is below the bound, the others are carried: what their candidates have beside the lightest
	// entry is fetched now, and copied by the caller.
	VCMPPS        LT, Z30, Z13, K4, K3
	KMOVW         K3, BX
	POPCNTL       BX, BX
	ADDQ          BX, R14
	KANDNW        K4, K3, K3
	KORTESTW      K3, K3
	JZ            next
	PREFETCHT0    (R9)
	PREFETCHT0    64(R9)
	PREFETCHT0    (R11)
	KSHIFTRW      $8, K3, K5
	KMOVW         K3, BX
	MOVBLZX       BX, SI
	POPCNTL       BX, BX
	POPCNTL       SI, SI
	ADDQ          R12, SI                 // behind the low half
	MOVQ          72(AX), R15
	VPCOMPRESSQ.Z Z0, K3, Z15
	VPCOMPRESSQ.Z Z1, K5, Z16
	VMOVDQU64     Z15, (R15)(R12*8)
	VMOVDQU64     Z16, (R15)(SI*8)
	MOVQ          88(AX), R15
	VPCOMPRESSD.Z Z8, K3, Z15
	VMOVDQU32     Z15, (R15)(R12*4)
	ADDQ          BX, R12

next:
	ADDQ   $128, R8
	ADDQ   $128, R9
	ADDQ   $128, R10
	ADDQ   $64, R11
	ADDQ   $64, DX
	VPADDD Z23, Z8, Z8
	SUBQ   $16, CX
	JMP    loop

done:
	MOVQ R12, 104(AX)
	MOVQ R13, 136(AX)
	MOVQ R14, 144(AX)
	VZEROUPPER
	RET
