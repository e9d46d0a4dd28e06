#include "textflag.h"

// ADVANCE is the body of two kernels. It has no vectors: rows are short, and most of the
// time is waiting for them. FIND makes the vertex R8 the parent of the vertex AX and adds
// AX to the output, whose entries have SIZE bytes, 1 << SHIFT, and whose address is at OUT.
#define ADVANCE(FIND, OUT, SIZE, SHIFT) \
	MOVQ a+0(FP), AX;                                                       \
	MOVQ 0(AX), SI;                /* queue */                              \
	MOVQ 8(AX), R13;               /* count, as the end of the queue */     \
	LEAQ (SI)(R13*4), R13;                                                  \
	MOVQ 16(AX), R9;               /* offsets */                            \
	MOVQ 24(AX), R10;              /* neighbors */                          \
	MOVQ 32(AX), R12;              /* visited */                            \
	MOVQ 40(AX), R11;              /* parents */                            \
	MOVQ OUT(AX), DI;              /* out */                                \
	MOVQ 56(AX), BX;               /* room, as the end of out */            \
	LEAQ (DI)(BX*SIZE), BX;                                                 \
	MOVQ BX, end-8(SP);                                                     \
	XORQ R14, R14;                 /* examined */                           \
vertex:                                                                  \
	CMPQ SI, R13;                                                           \
	JAE  stop;                                                              \
	LEAQ 64(SI), AX;               /* prefetch the row of the vertex 16 entries on */ \
	CMPQ AX, R13;                                                           \
	CMOVQCC SI, AX;                                                         \
	MOVL (AX), AX;                                                          \
	MOVQ (R9)(AX*8), AX;                                                    \
	PREFETCHT0 (R10)(AX*4);                                                 \
	MOVL (SI), R8;                                                          \
	MOVQ (R9)(R8*8), DX;                                                    \
	MOVQ 8(R9)(R8*8), CX;                                                   \
	SUBQ DX, CX;                   /* length */                             \
	CMPQ CX, $64;                                                           \
	JGT  stop;                                                              \
	LEAQ (DI)(CX*SIZE), AX;        /* if all of the row is found */         \
	CMPQ AX, end-8(SP);                                                     \
	JHI  stop;                                                              \
	ADDQ $4, SI;                                                            \
	ADDQ CX, R14;                                                           \
	LEAQ (R10)(DX*4), DX;                                                   \
	LEAQ (DX)(CX*4), CX;           /* end of the row */                     \
neighbor:                                                                \
	CMPQ DX, CX;                                                            \
	JAE  vertex;                                                            \
	MOVL (DX), AX;                                                          \
	ADDQ $4, DX;                                                            \
	MOVL AX, R15;                                                           \
	SHRL $6, R15;                                                           \
	MOVQ (R12)(R15*8), BX;                                                  \
	BTSQ AX, BX;                                                            \
	JCS  neighbor;                                                          \
	MOVQ BX, (R12)(R15*8);                                                  \
	FIND;                                                                   \
	ADDQ $SIZE, DI;                                                         \
	PREFETCHT0 (R9)(AX*8);         /* its offsets, which the next level reads */ \
	JMP  neighbor;                                                          \
stop:                                                                    \
	MOVQ a+0(FP), AX;                                                       \
	SUBQ 0(AX), SI;                                                         \
	SHRQ $2, SI;                                                            \
	MOVQ SI, 64(AX);               /* done */                               \
	SUBQ OUT(AX), DI;                                                       \
	SHRQ $SHIFT, DI;                                                        \
	MOVQ DI, 72(AX);               /* found */                              \
	MOVQ R14, 80(AX);              /* examined */                           \
	RET

// The parent belongs to this worker alone.
#define TAKE \
	MOVL R8, (R11)(AX*4);           \
	MOVL AX, (DI)

// Other workers may set the parent too, at the same time. The output is pairs.
#define BID \
	CMPL (R11)(AX*4), $-1;          \
	JNE  neighbor;                  \
	MOVL R8, (R11)(AX*4);           \
	MOVL AX, (DI);                  \
	MOVL R8, 4(DI)

// func advanceAMD64(a *Advance)
TEXT ·advanceAMD64(SB), NOSPLIT, $8-8
	ADVANCE(TAKE, 48, 4, 2)

// func bidAMD64(a *Advance)
TEXT ·bidAMD64(SB), NOSPLIT, $8-8
	ADVANCE(BID, 88, 8, 3)

// func bidRowAMD64(a *RowBid)
TEXT ·bidRowAMD64(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ 0(AX), SI                  // row
	MOVQ 8(AX), R13                 // length, as the end of the row
	LEAQ (SI)(R13*4), R13
	MOVL 16(AX), R8                 // parent
	MOVQ 24(AX), R12                // visited
	MOVQ 32(AX), R11                // parents
	MOVQ 40(AX), DI                 // pairs

entry:
	CMPQ SI, R13
	JAE  read
	MOVL (SI), AX
	ADDQ $4, SI
	MOVL AX, R15
	SHRL $6, R15
	MOVQ (R12)(R15*8), BX
	BTSQ AX, BX
	JCS  entry
	MOVQ BX, (R12)(R15*8)
	CMPL (R11)(AX*4), $-1
	JNE  entry
	MOVL R8, (R11)(AX*4)
	MOVL AX, (DI)
	MOVL R8, 4(DI)
	ADDQ $8, DI
	JMP  entry

read:
	MOVQ a+0(FP), AX
	SUBQ 40(AX), DI
	SHRQ $3, DI
	MOVQ DI, 56(AX)
	RET

// func wonAMD64(pairs *uint64, count int64, parents, out *uint32) int64
TEXT ·wonAMD64(SB), NOSPLIT, $0-40
	MOVQ pairs+0(FP), SI
	MOVQ count+8(FP), R13           // as the end of the pairs
	LEAQ (SI)(R13*8), R13
	MOVQ parents+16(FP), R11
	MOVQ out+24(FP), DI

bid:
	CMPQ SI, R13
	JAE  counted
	MOVL (SI), AX                   // vertex
	MOVL 4(SI), CX                  // parent
	ADDQ $8, SI
	MOVL AX, (DI)
	XORL DX, DX
	CMPL CX, (R11)(AX*4)
	SETEQ DX
	LEAQ (DI)(DX*4), DI
	JMP  bid

counted:
	SUBQ out+24(FP), DI
	SHRQ $2, DI
	MOVQ DI, ret+32(FP)
	RET
