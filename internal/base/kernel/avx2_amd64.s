#include "textflag.h"

// The kernels of kernel_amd64.s for processors that have AVX2 and no AVX-512. Eight
// vertices at a time, as there, but masks are vectors whose lanes are all ones or all
// zeros, and lists are compressed by a table of permutations.

DATA bit8<>+0(SB)/8, $0x0000000200000001
DATA bit8<>+8(SB)/8, $0x0000000800000004
DATA bit8<>+16(SB)/8, $0x0000002000000010
DATA bit8<>+24(SB)/8, $0x0000008000000040
GLOBL bit8<>(SB), RODATA|NOPTR, $32

DATA lane8<>+0(SB)/8, $0x0000000100000000
DATA lane8<>+8(SB)/8, $0x0000000300000002
DATA lane8<>+16(SB)/8, $0x0000000500000004
DATA lane8<>+24(SB)/8, $0x0000000700000006
GLOBL lane8<>(SB), RODATA|NOPTR, $32

// PROBE8 tests the vertices Y0 under mask Y1 against the bitmap at BITMAP; the bits wanted
// end up in the signs of Y2, 0 where the mask is 0. Y1 is kept. Clobbers Y3, Y4.
#define PROBE8(BITMAP) \
	VPSRLD     $5, Y0, Y3;             \
	VMOVDQA    Y1, Y4;                 \
	VPXOR      Y2, Y2, Y2;             \
	VPGATHERDD Y4, (BITMAP)(Y3*4), Y2; \
	VPAND      Y12, Y0, Y3;            \
	VPSRLVD    Y3, Y2, Y2;             \
	VPSLLD     $31, Y2, Y2

// MASK8 makes a vector mask in Y1 of the low eight bits of BITS. Y13 has a bit for each lane.
#define MASK8(BITS) \
	VMOVD        BITS, X1;     \
	VPBROADCASTD X1, Y1;       \
	VPAND        Y13, Y1, Y1;  \
	VPCMPEQD     Y13, Y1, Y1

// HEADS8 handles eight of the 64 vertices of a word. AX has their open bits in its low
// end and those of the vertices after them, DX the same of more, Y10 their numbers.
#define HEADS8(AT, BIT, SLOTAT, NEXT) \
	MOVBLZX    AX, BX;               \
	TESTL      BX, BX;               \
	JEQ        NEXT;                 \
	PREFETCHT0 AT+1024(R11);         \
	MASK8(BX);                       \
	VMOVDQU    AT(R11), Y0;          \
	PROBE8(R12);                     \
	VPMASKMOVD Y0, Y2, AT(R13);      \
	VMOVMSKPS  Y2, DI;               \
	ANDNL      BX, DI, BX;           \
	SHLQ       $BIT, DI;             \
	ORQ        DI, R15;              \
	ANDL       DX, BX;               \
	MOVQ       slots-16(SP), DI;     \
	VPMOVZXWD  SLOTAT(DI), Y4;       \
	VPSLLD     $16, Y4, Y4;          \
	VPOR       Y10, Y4, Y4;          \
	VPMOVZXBD  (R14)(BX*8), Y3;      \
	VPERMD     Y4, Y3, Y3;           \
	VMOVDQU    Y3, (SI);             \
	POPCNTL    BX, BX;               \
	LEAQ       (SI)(BX*4), SI

// NEXT8 goes on to the next eight.
#define NEXT8 \
	SHRQ   $8, AX;      \
	SHRQ   $8, DX;      \
	VPADDD Y11, Y10, Y10

// func probeHeadsAVX2(a *HeadProbe)
TEXT ·probeHeadsAVX2(SB), NOSPLIT, $16-8
	MOVQ a+0(FP), DI
	MOVQ 0(DI), R8                  // visited
	MOVQ 8(DI), R9                  // next
	MOVQ 16(DI), R10                // more
	MOVQ 24(DI), R11                // head
	MOVQ 32(DI), AX
	MOVQ AX, slots-16(SP)
	MOVQ 40(DI), R12                // front
	MOVQ 48(DI), R13                // parents
	MOVQ 56(DI), SI                 // misses
	MOVQ 64(DI), CX                 // words
	VPBROADCASTD 72(DI), Y10
	VPADDD lane8<>(SB), Y10, Y10    // numbers of the current eight
	LEAQ ·compress8(SB), R14
	MOVL $8, AX
	VMOVD AX, X11
	VPBROADCASTD X11, Y11
	MOVL $64, AX
	VMOVD AX, X14
	VPBROADCASTD X14, Y14
	MOVL $31, AX
	VMOVD AX, X12
	VPBROADCASTD X12, Y12
	VMOVDQU bit8<>(SB), Y13
	MOVQ $0, examined-8(SP)

word:
	MOVQ (R8), AX
	XORQ R15, R15
	NOTQ AX
	TESTQ AX, AX
	JEQ  full
	POPCNTQ AX, DX
	ADDQ DX, examined-8(SP)
	MOVQ (R10), DX
	HEADS8(0, 0, 0, h1)
h1:
	NEXT8
	HEADS8(32, 8, 16, h2)
h2:
	NEXT8
	HEADS8(64, 16, 32, h3)
h3:
	NEXT8
	HEADS8(96, 24, 48, h4)
h4:
	NEXT8
	HEADS8(128, 32, 64, h5)
h5:
	NEXT8
	HEADS8(160, 40, 80, h6)
h6:
	NEXT8
	HEADS8(192, 48, 96, h7)
h7:
	NEXT8
	HEADS8(224, 56, 112, h8)
h8:
	VPADDD Y11, Y10, Y10
advance:
	MOVQ R15, (R9)
following:
	ADDQ $8, R8
	ADDQ $8, R9
	ADDQ $8, R10
	ADDQ $256, R11
	ADDQ $256, R13
	MOVQ a+0(FP), DI
	MOVQ 96(DI), DI                 // slot step
	ADDQ DI, slots-16(SP)
	DECQ CX
	JNE  word

	MOVQ a+0(FP), DI
	SUBQ 56(DI), SI
	SHRQ $2, SI
	MOVQ SI, 80(DI)                 // missed
	MOVQ examined-8(SP), BX
	MOVQ BX, 88(DI)                 // examined
	VZEROUPPER
	RET

full:
	VPADDD Y14, Y10, Y10
	CMPQ (R9), $0                   // leave a zero unwritten: a write takes the cache line
	JEQ  following
	JMP  advance

// func probeColumnAVX2(a *ColumnProbe)
TEXT ·probeColumnAVX2(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ 0(AX), R9                  // column
	MOVQ 8(AX), R10                 // front
	MOVQ 16(AX), R8                 // list
	MOVQ 24(AX), R12                // hits
	MOVQ 32(AX), R11                // parents
	MOVQ 40(AX), CX                 // count
	VPBROADCASTD 48(AX), Y6         // longer: as a signed number too, as all rows are
	VPBROADCASTD 64(AX), Y8         // mask
	MOVQ 72(AX), SI                 // ahead
	MOVQ 80(AX), R13                // length ahead
	ADDQ SI, R13                    // its end
	MOVL $31, DX
	VMOVD DX, X12
	VPBROADCASTD X12, Y12
	VMOVDQU bit8<>(SB), Y13
	LEAQ ·compress8(SB), R14
	XORQ BX, BX                     // rows read
	XORQ DX, DX                     // rows kept

rows:
	MOVQ CX, AX
	SUBQ BX, AX
	JLE  out
	MOVQ $8, R15
	CMPQ AX, R15
	CMOVQLT AX, R15
	MOVL $0xff, DI
	BZHIL R15, DI, R15
	MASK8(R15)
	VPMASKMOVD (R8)(BX*4), Y1, Y7
	VPCMPGTD Y7, Y6, Y5             // slot below longer
	VMOVDQA Y1, Y4
	VPXOR Y0, Y0, Y0
	VPSRLD $16, Y7, Y3              // slots
	VPGATHERDD Y4, (R9)(Y3*1), Y0
	VPAND Y8, Y0, Y0
	MOVQ a+0(FP), AX
	MOVQ 88(AX), DI                 // lines

line:
	CMPQ SI, R13
	JAE  fetched
	PREFETCHT1 (SI)
	ADDQ $64, SI
	DECQ DI
	JNE  line

fetched:
	PROBE8(R10)
	VMOVMSKPS Y2, AX                // found
	VMOVMSKPS Y5, DI
	ANDNL DI, AX, DI
	ANDL R15, DI                    // kept
	VPMOVZXBD (R14)(AX*8), Y3
	VPERMD Y7, Y3, Y4
	VMOVDQU Y4, (R12)
	VPERMD Y0, Y3, Y0
	VMOVDQU Y0, (R11)
	POPCNTL AX, AX
	LEAQ (R12)(AX*4), R12
	LEAQ (R11)(AX*4), R11
	VPMOVZXBD (R14)(DI*8), Y3
	VPERMD Y7, Y3, Y7
	VMOVDQU Y7, (R8)(DX*4)
	POPCNTL DI, DI
	ADDQ DI, DX
	ADDQ $8, BX
	JMP  rows

out:
	MOVQ a+0(FP), AX
	SUBQ 24(AX), R12
	SHRQ $2, R12
	MOVQ R12, 56(AX)                // found
	MOVQ DX, 40(AX)                 // count
	VZEROUPPER
	RET

// func scanRowAVX2(row *uint32, n int64, front *uint64) int64
TEXT ·scanRowAVX2(SB), NOSPLIT, $0-32
	MOVQ row+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ front+16(FP), R12
	MOVL $31, DX
	VMOVD DX, X12
	VPBROADCASTD X12, Y12
	VMOVDQU bit8<>(SB), Y13
	MOVL $0xff, R8
	XORQ BX, BX

next8:
	CMPQ BX, CX
	JGE  none
	MOVQ CX, DX
	SUBQ BX, DX
	MOVQ $8, AX
	CMPQ DX, AX
	CMOVQLT DX, AX
	BZHIL AX, R8, AX
	MASK8(AX)
	VPMASKMOVD (SI)(BX*4), Y1, Y0
	PROBE8(R12)
	VMOVMSKPS Y2, AX
	TESTL AX, AX
	JNE  hit
	ADDQ $8, BX
	JMP  next8

hit:
	TZCNTL AX, AX
	ADDQ AX, BX
	MOVQ BX, ret+24(FP)
	VZEROUPPER
	RET

none:
	MOVQ $-1, ret+24(FP)
	VZEROUPPER
	RET

// func expandAVX2(a *Expansion)
TEXT ·expandAVX2(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ 0(AX), SI                  // row
	MOVQ 8(AX), CX                  // length
	MOVQ 16(AX), R12                // visited
	MOVQ 24(AX), DI                 // out
	VPBROADCASTD 32(AX), Y6         // first
	VPBROADCASTD 36(AX), Y7         // last
	MOVL $31, AX
	VMOVD AX, X12
	VPBROADCASTD X12, Y12
	VMOVDQU bit8<>(SB), Y13
	LEAQ ·compress8(SB), R14
	MOVL $0xff, R8

again:
	CMPQ CX, $256                   // what lies behind the row is of no use
	JLT  near
	PREFETCHT0 1024(SI)

near:
	CMPQ CX, $0
	JLE  end
	MOVQ $8, AX
	CMPQ CX, AX
	CMOVQLT CX, AX
	BZHIL AX, R8, AX
	MASK8(AX)
	VPMASKMOVD (SI), Y1, Y0
	VPMAXUD Y6, Y0, Y3              // not below first
	VPCMPEQD Y3, Y0, Y3
	VPAND Y3, Y1, Y1
	VPMINUD Y7, Y0, Y3              // not above last
	VPCMPEQD Y3, Y0, Y3
	VPAND Y3, Y1, Y1
	PROBE8(R12)
	VMOVMSKPS Y2, BX
	VMOVMSKPS Y1, AX
	ANDNL AX, BX, AX
	VPMOVZXBD (R14)(AX*8), Y3
	VPERMD Y0, Y3, Y3
	VMOVDQU Y3, (DI)
	POPCNTL AX, AX
	LEAQ (DI)(AX*4), DI
	ADDQ $32, SI
	SUBQ $8, CX
	JMP  again

end:
	MOVQ a+0(FP), AX
	SUBQ 24(AX), DI
	SHRQ $2, DI
	MOVQ DI, 40(AX)                 // kept
	VZEROUPPER
	RET
