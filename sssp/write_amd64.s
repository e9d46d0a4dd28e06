#include "textflag.h"

// FETCH asks for the state of a vertex, 64 labels ahead.
#define FETCH(AT) \
	MOVL       AT(SI), BX; \
	PREFETCHT0 (DI)(BX*8)

// func writeAVX512(a *vectorWrite)
TEXT ·writeAVX512(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ 0(AX), SI                 // slots
	MOVQ 8(AX), CX                 // how many are left, a multiple of 16
	MOVQ 16(AX), DI                // states
	MOVQ 24(AX), R8                // parents
	MOVQ 32(AX), R9                // distances

loop:
	CMPQ CX, $0
	JLE  done
	CMPQ CX, $80
	JLT  fetched
	FETCH(256)
	FETCH(260)
	FETCH(264)
	FETCH(268)
	FETCH(272)
	FETCH(276)
	FETCH(280)
	FETCH(284)
	FETCH(288)
	FETCH(292)
	FETCH(296)
	FETCH(300)
	FETCH(304)
	FETCH(308)
	FETCH(312)
	FETCH(316)

fetched:
	VMOVDQU32  (SI), Y0
	VMOVDQU32  32(SI), Y1
	KXNORW     K1, K1, K1
	KXNORW     K2, K2, K2
	VPGATHERDQ (DI)(Y0*8), K1, Z2
	VPGATHERDQ (DI)(Y1*8), K2, Z3
	VPMOVQD    Z2, Y4
	VPMOVQD    Z3, Y5
	VPSRLQ     $32, Z2, Z2
	VPSRLQ     $32, Z3, Z3
	VPMOVQD    Z2, Y2
	VPMOVQD    Z3, Y3
	VMOVDQU32  Y4, (R9)
	VMOVDQU32  Y5, 32(R9)
	VMOVDQU32  Y2, (R8)
	VMOVDQU32  Y3, 32(R8)
	ADDQ       $64, SI
	ADDQ       $64, R8
	ADDQ       $64, R9
	SUBQ       $16, CX
	JMP        loop

done:
	VZEROUPPER
	RET
