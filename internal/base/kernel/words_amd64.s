#include "textflag.h"

// The vector kernels of words_amd64.go; words.go has the same in Go and says what
// each computes. Eight vertices at a time, a word of 64 bits for each. Labels are
// widened before they index an array: a gather takes 32 bits for signed.

DATA eight<>+0(SB)/8, $0x0000000100000000
DATA eight<>+8(SB)/8, $0x0000000300000002
DATA eight<>+16(SB)/8, $0x0000000500000004
DATA eight<>+24(SB)/8, $0x0000000700000006
GLOBL eight<>(SB), RODATA|NOPTR, $32

// func askHeadsAVX512(a *HeadAsk)
TEXT ·askHeadsAVX512(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), DI
	MOVQ 0(DI), R8                  // closed
	MOVQ 8(DI), R9                  // more
	MOVQ 16(DI), R10                // head
	MOVQ 24(DI), R11                // seen, all of it
	MOVQ 32(DI), R12                // now
	MOVQ 40(DI), SI                 // misses
	MOVQ 48(DI), R13                // missing
	VPBROADCASTQ 56(DI), Z10        // wanted
	VPBROADCASTQ 64(DI), Z11        // keep
	MOVQ 72(DI), CX                 // words
	MOVQ 80(DI), AX                 // first
	LEAQ (R11)(AX*8), R15           // seen, of this range
	VPBROADCASTD AX, Y12
	VPADDD eight<>(SB), Y12, Y12    // labels of the current 8
	MOVL $8, AX
	VPBROADCASTD AX, Y13
	XORQ BX, BX                     // heads asked

word:
	MOVQ (R8), AX
	NOTQ AX
	MOVQ (R9), DX
	MOVQ $8, R14

byte:
	TESTB AX, AX
	JEQ  following
	KMOVW AX, K1                    // open
	VMOVDQU64.Z (R15), K1, Z0       // seen
	VPANDQ.Z (R12), Z11, K1, Z1
	VPORQ Z0, Z1, Z1                // now
	VPANDNQ Z10, Z1, Z2             // missing
	VPTESTMQ Z2, Z2, K1, K2         // who asks
	VMOVDQU32.Z (R10), K2, Y3
	VPMOVZXDQ Y3, Z3
	KMOVW K2, K3
	VPXORQ Z4, Z4, Z4
	VPGATHERQQ (R11)(Z3*8), K3, Z4
	VPANDQ Z2, Z4, Z4               // got
	VPORQ Z4, Z1, Z1
	VPANDNQ Z2, Z4, Z2              // still missing
	KMOVW DX, K4
	KANDW K2, K4, K4
	VPTESTMQ Z2, Z2, K4, K3         // and the row goes on
	VPORQ Z2, Z1, K3, Z1
	VMOVDQU64 Z1, K1, (R12)
	VPCOMPRESSD.Z Y12, K3, Y5
	VMOVDQU32 Y5, (SI)
	VPCOMPRESSQ.Z Z2, K3, Z5
	VMOVDQU64 Z5, (R13)
	KMOVW K3, DI
	POPCNTL DI, DI
	LEAQ (SI)(DI*4), SI
	LEAQ (R13)(DI*8), R13
	KMOVW K2, DI
	POPCNTL DI, DI
	ADDQ DI, BX

following:
	SHRQ $8, AX
	SHRQ $8, DX
	VPADDD Y13, Y12, Y12
	ADDQ $32, R10
	ADDQ $64, R12
	ADDQ $64, R15
	DECQ R14
	JNE  byte

	ADDQ $8, R8
	ADDQ $8, R9
	DECQ CX
	JNE  word

	MOVQ a+0(FP), DI
	SUBQ 40(DI), SI
	SHRQ $2, SI
	MOVQ SI, 88(DI)                 // missed
	MOVQ BX, 96(DI)                 // examined
	VZEROUPPER
	RET

// func askRowsAVX512(a *RowAsk)
TEXT ·askRowsAVX512(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ 0(AX), R8                  // vertices
	MOVQ 8(AX), R9                  // missing
	MOVQ 16(AX), CX                 // count
	MOVQ 24(AX), R10                // offsets
	MOVQ 32(AX), SI                 // neighbors
	MOVQ 40(AX), R11                // seen
	MOVQ 48(AX), R12                // now
	XORQ BX, BX                     // examined
	XORQ R13, R13                   // vertex of the list
	MOVL $0xffff, R14

vertex:
	CMPQ R13, CX
	JGE  out
	LEAQ 16(R13), AX                // prefetch a row
	CMPQ AX, CX
	CMOVQGE R13, AX
	MOVL (R8)(AX*4), AX
	MOVQ (R10)(AX*8), AX
	PREFETCHT0 4(SI)(AX*4)
	MOVL (R8)(R13*4), R15
	MOVQ (R9)(R13*8), DX            // missing
	MOVQ (R10)(R15*8), DI           // where the row starts
	LEAQ 4(SI)(DI*4), AX            // and what follows its head
	NOTQ DI
	ADDQ 8(R10)(R15*8), DI          // entries to go
	INCQ R13

part:
	TESTQ DI, DI
	JLE  ended
	MOVQ $16, R15
	CMPQ DI, R15
	CMOVQLT DI, R15
	ADDQ R15, BX
	BZHIL R15, R14, R15
	KMOVW R15, K1
	SHRL $8, R15
	KMOVW R15, K2
	VMOVDQU32.Z (AX), K1, Z0
	VEXTRACTI64X4 $1, Z0, Y1
	VPMOVZXDQ Y0, Z0
	VPXORQ Z2, Z2, Z2
	VPGATHERQQ (R11)(Z0*8), K1, Z2
	TESTL R15, R15
	JEQ  united                     // most rows are short, and come together
	VPMOVZXDQ Y1, Z1
	VPXORQ Z3, Z3, Z3
	VPGATHERQQ (R11)(Z1*8), K2, Z3
	VPORQ Z2, Z3, Z2

united:
	VEXTRACTI64X4 $1, Z2, Y3
	VPOR Y2, Y3, Y2
	VEXTRACTI128 $1, Y2, X3
	VPOR X2, X3, X2
	VPSRLDQ $8, X2, X3
	VPOR X2, X3, X2
	VMOVQ X2, R15
	ADDQ $64, AX
	SUBQ $16, DI
	ANDNQ DX, R15, DX
	JNE  part
	JMP  vertex

ended:
	MOVL -4(R8)(R13*4), R15
	NOTQ DX
	ANDQ DX, (R12)(R15*8)
	JMP  vertex

out:
	MOVQ a+0(FP), AX
	MOVQ BX, 56(AX)                 // examined
	VZEROUPPER
	RET

// func compareAVX512(a *Comparison)
TEXT ·compareAVX512(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), DI
	MOVQ 0(DI), R8                  // seen
	MOVQ 8(DI), R9                  // now
	MOVQ 16(DI), R10                // closed
	MOVQ 24(DI), R11                // fresh
	MOVQ 32(DI), CX                 // words
	VPBROADCASTQ 40(DI), Z10        // active
	VPXORQ Z11, Z11, Z11            // reached

bitmap:
	XORQ AX, AX                     // fresh
	XORQ BX, BX                     // lacking: fresh, or without some of active
	MOVQ $8, DX

words:
	VMOVDQU64 (R8), Z0
	VPANDNQ (R9), Z0, Z1            // got
	VPORQ Z1, Z11, Z11
	VPANDNQ Z10, Z0, Z2
	VPORQ Z1, Z2, Z2
	VPTESTMQ Z1, Z1, K1
	VPTESTMQ Z2, Z2, K2
	KMOVW K1, R12
	KMOVW K2, R13
	SHLQ $56, R12
	SHLQ $56, R13
	SHRQ $8, AX
	SHRQ $8, BX
	ORQ  R12, AX
	ORQ  R13, BX
	ADDQ $64, R8
	ADDQ $64, R9
	DECQ DX
	JNE  words

	MOVQ AX, (R11)
	NOTQ BX
	ORQ  BX, (R10)
	ADDQ $8, R10
	ADDQ $8, R11
	DECQ CX
	JNE  bitmap

	VEXTRACTI64X4 $1, Z11, Y3
	VPOR Y11, Y3, Y2
	VEXTRACTI128 $1, Y2, X3
	VPOR X2, X3, X2
	VPSRLDQ $8, X2, X3
	VPOR X2, X3, X2
	VMOVQ X2, 48(DI)                // reached
	VZEROUPPER
	RET

// func markAVX512(dst, now, seen *uint64, n int64)
TEXT ·markAVX512(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ now+8(FP), SI
	MOVQ seen+16(FP), DX
	MOVQ n+24(FP), CX
	SHRQ $3, CX
	JEQ  end

again:
	VMOVDQU64 (DX), Z0
	VPANDNQ (SI), Z0, Z0
	VPORQ (DI), Z0, Z0
	VMOVDQU64 Z0, (DI)
	ADDQ $64, DI
	ADDQ $64, SI
	ADDQ $64, DX
	DECQ CX
	JNE  again

end:
	VZEROUPPER
	RET

// func pickAVX512(dst, src *uint64, at *uint32, n int64)
//
// Stores bypass the caches: no word is read before all are written.
TEXT ·pickAVX512(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ at+16(FP), DX
	MOVQ n+24(FP), CX

again:
	VPMOVZXDQ (DX), Z0
	KXNORW K1, K1, K1
	VPXORQ Z1, Z1, Z1
	VPGATHERQQ (SI)(Z0*8), K1, Z1
	VMOVNTDQ Z1, (DI)
	ADDQ $32, DX
	ADDQ $64, DI
	SUBQ $8, CX
	JNE  again

	SFENCE
	VZEROUPPER
	RET
