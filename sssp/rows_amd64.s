#include "textflag.h"

// Comparisons.
#define EQ $0
#define LT $1

// Offsets of columns of pullLists.
#define ROWS 2112
#define BEST 6336
#define PARENTS 8448

// WINDOW loads up to R11 entries of a row at R10, of which CX are left, under K1: slots to Y2, weights
// to Y3.
#define WINDOW \
	MOVL        $0xff, BX;     \
	CMPQ        CX, R11;       \
	CMOVQLT     CX, R11;       \
	BZHIL       R11, BX, BX;   \
	KMOVW       BX, K1;        \
	VMOVDQU64.Z (R10), K1, Z0; \
	VPMOVQD     Z0, Y2;        \
	VPSRLQ      $32, Z0, Z1;   \
	VPMOVQD     Z1, Y3

// HEADAT loads the offset of the head of a puller's row, that many bytes behind number R15 of the list, to BX.
#define HEADAT(BEHIND) \
	MOVL ROWS+BEHIND(SI)(R15*4), BX; \
	MOVL (DX)(BX*4), BX;             \
	SHLQ $4, BX

// FETCHROW asks for the entries of a row that its candidate does not have.
#define FETCHROW(BEHIND) \
	HEADAT(BEHIND);                \
	MOVQ       (R12)(BX*1), BX;    \
	PREFETCHT0 16(R13)(BX*8);      \
	PREFETCHT0 80(R13)(BX*8)

// func pullRowsAVX512(a *vectorPull)
//
// Y31 near, Y30 bound, X13 best, R9 parent. A row has more than two entries. Heads are fetched first, rows
// 32 pullers ahead, and the states that third entries lead to 8 pullers ahead.
TEXT ·pullRowsAVX512(SB), NOSPLIT, $0-8
	MOVQ         a+0(FP), AX
	MOVQ         16(AX), DX               // slots of the candidates
	MOVQ         40(AX), DI               // states
	MOVQ         112(AX), SI              // lists
	MOVQ         168(AX), R12             // heads
	MOVQ         176(AX), R13             // entries
	VBROADCASTSS 56(AX), Y31
	VBROADCASTSS 60(AX), Y30
	MOVL         $0x7f800000, BX
	VPBROADCASTD BX, Y22                  // infinity
	MOVQ         120(AX), R14             // entries examined, with second ones
	XORQ         R15, R15
	JMP          heads

head:
	HEADAT(0)
	PREFETCHT0 (R12)(BX*1)
	INCQ       R15

heads:
	CMPQ R15, 120(AX)
	JLT  head
	MOVQ 120(AX), CX
	MOVL $32, BX
	CMPQ CX, BX
	CMOVQGT BX, CX
	XORQ R15, R15
	JMP  rows

row:
	FETCHROW(0)
	INCQ R15

rows:
	CMPQ R15, CX
	JLT  row
	XORQ R15, R15

vertex:
	MOVQ 120(AX), CX
	SUBQ R15, CX
	JLE  done
	CMPQ CX, $32
	JLE  near
	FETCHROW(128)

near:
	CMPQ CX, $8
	JLE  fetched
	HEADAT(32)
	MOVQ (R12)(BX*1), BX
	MOVL 16(R13)(BX*8), BX
	PREFETCHT0 (DI)(BX*8)

fetched:
	HEADAT(0)
	MOVQ   (R12)(BX*1), R10
	MOVL   8(R12)(BX*1), CX
	SUBQ   $2, CX                         // behind the entries of the candidate
	LEAQ   16(R13)(R10*8), R10
	VMOVSS BEST(SI)(R15*4), X13
	MOVL   PARENTS(SI)(R15*4), R9

window:
	MOVL         $8, R11
	WINDOW
	VBROADCASTSS X13, Y15
	VMINPS       Y30, Y15, Y15
	VADDPS       Y31, Y3, Y16
	VCMPPS       LT, Y15, Y16, K1, K4     // those that can matter
	KMOVW        K4, R8
	POPCNTL      R8, BX
	ADDQ         BX, R14
	KMOVW        K4, K3
	VMOVAPS      Y22, Y14
	VGATHERDPS   (DI)(Y2*8), K3, Y14
	VADDPS       Y3, Y14, Y14             // infinite where nothing was gathered

	// The least sum, and the first entry that has it.
	VEXTRACTF32X4 $1, Y14, X18
	VMINPS        X18, X14, X17
	VPERMILPS     $0x4e, X17, X18
	VMINPS        X18, X17, X17
	VPERMILPS     $0xb1, X17, X18
	VMINPS        X18, X17, X17
	VBROADCASTSS  X17, Y18
	VCMPPS        EQ, Y18, Y14, K4, K5
	VPCOMPRESSD.Z Y2, K5, Y19
	VMOVD         X19, BX
	VUCOMISS      X13, X17
	CMOVLCS       BX, R9
	VMINSS        X13, X17, X13
	ADDQ          $64, R10
	SUBQ          $8, CX
	JLE           pulled
	CMPL          R8, $0xff
	JEQ           window

pulled:
	VMOVSS     X13, BEST(SI)(R15*4)
	MOVL       R9, PARENTS(SI)(R15*4)
	MOVQ       48(AX), BX
	PREFETCHT0 (BX)(R9*4)                 // the label of the parent
	INCQ       R15
	JMP        vertex

done:
	ADDQ R14, 136(AX)
	VZEROUPPER
	RET

// func pushRowsAVX512(a *vectorRows)
//
// Y30 bound, Y13 distance of the vertex, Y14 its label.
TEXT ·pushRowsAVX512(SB), NOSPLIT, $0-8
	MOVQ         a+0(FP), AX
	MOVQ         0(AX), SI                // records, 16 bytes each
	MOVQ         16(AX), DI               // states
	MOVQ         24(AX), R12              // heads
	MOVQ         32(AX), R13              // entries
	VBROADCASTSS 44(AX), Y30
	MOVQ         56(AX), R8               // offers
	MOVL         $0x7f800000, BX
	VPBROADCASTD BX, Y22                  // infinity
	XORQ         R14, R14                 // number of offers
	XORQ         R15, R15                 // entries examined
	XORQ         R9, R9                   // number of the record

record:
	CMPQ         R9, 8(AX)
	JGE          pushed
	MOVL         8(SI), BX                // slot
	MOVL         12(SI), R10              // cursor
	SHLQ         $4, BX
	MOVL         8(R12)(BX*1), CX
	VPBROADCASTD 12(R12)(BX*1), Y14
	SUBQ         R10, CX
	ADDQ         (R12)(BX*1), R10
	MOVL         R10, R11
	NOTL         R11
	ANDL         $7, R11
	INCL         R11                      // entries up to the end of the cache line
	LEAQ         (R13)(R10*8), R10
	VBROADCASTSS (SI), Y13
	WINDOW
	VADDPS       Y3, Y13, Y12
	VCMPPS       LT, Y30, Y12, K1, K4     // those below the bound, the first of the row
	KMOVW        K4, BX
	POPCNTL      BX, BX
	ADDL         BX, 12(SI)
	ADDQ         BX, R15
	KMOVW        K4, K3
	VMOVAPS      Y22, Y11
	VGATHERDPS   (DI)(Y2*8), K3, Y11
	VCMPPS       LT, Y11, Y12, K4, K5     // those that lower a distance
	KMOVW        K5, BX
	POPCNTL      BX, BX
	VPCOMPRESSD.Z Y12, K5, Y15
	VPCOMPRESSD.Z Y2, K5, Y16
	VMOVDQU32    Y15, (R8)(R14*4)         // sums
	VMOVDQU32    Y16, 1024(R8)(R14*4)     // slots
	VMOVDQU32    Y14, 2048(R8)(R14*4)     // parents
	ADDQ         BX, R14
	ADDQ         $16, SI
	INCQ         R9
	JMP          record

pushed:
	MOVQ R14, 64(AX)
	MOVQ R15, 48(AX)
	VZEROUPPER
	RET
