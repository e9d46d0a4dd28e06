#include "textflag.h"

// The vector forms of the kernels of records and bids: see advance.go. Sixteen entries
// at a time, as in kernel_amd64.s.

// Lane of the vertex to which each entry of four records belongs.
DATA quarters<>+0(SB)/8, $0x0000000000000000
DATA quarters<>+8(SB)/8, $0x0000000000000000
DATA quarters<>+16(SB)/8, $0x0000000100000001
DATA quarters<>+24(SB)/8, $0x0000000100000001
DATA quarters<>+32(SB)/8, $0x0000000200000002
DATA quarters<>+40(SB)/8, $0x0000000200000002
DATA quarters<>+48(SB)/8, $0x0000000300000003
DATA quarters<>+56(SB)/8, $0x0000000300000003
GLOBL quarters<>(SB), RODATA|NOPTR, $64

// The first eight lanes of one vector, each before the same lane of a second vector.
DATA zip<>+0(SB)/8, $0x0000001000000000
DATA zip<>+8(SB)/8, $0x0000001100000001
DATA zip<>+16(SB)/8, $0x0000001200000002
DATA zip<>+24(SB)/8, $0x0000001300000003
DATA zip<>+32(SB)/8, $0x0000001400000004
DATA zip<>+40(SB)/8, $0x0000001500000005
DATA zip<>+48(SB)/8, $0x0000001600000006
DATA zip<>+56(SB)/8, $0x0000001700000007
GLOBL zip<>(SB), RODATA|NOPTR, $64

// The even lanes of two vectors.
DATA evens<>+0(SB)/8, $0x0000000200000000
DATA evens<>+8(SB)/8, $0x0000000600000004
DATA evens<>+16(SB)/8, $0x0000000a00000008
DATA evens<>+24(SB)/8, $0x0000000e0000000c
DATA evens<>+32(SB)/8, $0x0000001200000010
DATA evens<>+40(SB)/8, $0x0000001600000014
DATA evens<>+48(SB)/8, $0x0000001a00000018
DATA evens<>+56(SB)/8, $0x0000001e0000001c
GLOBL evens<>(SB), RODATA|NOPTR, $64

// BROADCAST fills the vector Z with VALUE. Clobbers AX.
#define BROADCAST(VALUE, Z) \
	MOVL $VALUE, AX;        \
	VPBROADCASTD AX, Z

// RECORD loads the record of the vertex at AT(SI), which is entry LANE of four, into Z0.
#define RECORD(AT, LANE) \
	MOVL AT(SI), AX;         \
	SHLQ $4, AX;             \
	VINSERTI32X4 $LANE, (R9)(AX*1), Z0, Z0

// ENTRY looks at the entry of the record at R10 that is AT bytes behind its begin: R8 is
// the vertex of the record, R11 the same in the high half.
#define ENTRY(AT) \
	MOVL AT(R10), AX;               \
	MOVL AX, CX;                    \
	SHRL $6, CX;                    \
	XORL R15, R15;                  \
	MOVQ (R12)(CX*8), DX;           \
	BTSQ AX, DX;                    \
	SETCC R15;                      \
	MOVQ DX, (R12)(CX*8);           \
	LEAQ (R11)(AX*1), DX;           \
	MOVQ DX, (DI);                  \
	LEAQ (DI)(R15*8), DI;           \
	XORL R8, AX;                    \
	NEGL AX;                        /* carry unless the entry is padding */ \
	ADCQ $0, R14

// func collectAVX512(a *Collection)
//
// In chunks of 128 vertices: vectors list the entries that are not visited before the
// chunk, a loop marks them as visited and notes which of them were not, and vectors keep
// these. The loop stores nothing at an address that depends on what it has loaded:
// processors keep loads back from stores to addresses that they do not know yet.
// One vertex that vectors leave out, for its long row or for lack of room, or because
// fewer than four are left, is done entry by entry.
TEXT ·collectAVX512(SB), NOSPLIT, $520-8
	MOVQ a+0(FP), AX
	MOVQ 0(AX), SI                  // queue
	MOVQ 8(AX), R13                 // count, as the end of the queue
	LEAQ (SI)(R13*4), R13
	MOVQ 16(AX), R9                 // records
	MOVQ 24(AX), R12                // visited
	MOVQ 32(AX), DI                 // pairs
	MOVQ 40(AX), BX                 // room, as the end of the pairs
	LEAQ (DI)(BX*8), BX
	XORQ R14, R14                   // examined
	BROADCAST(1, Z12)
	BROADCAST(8, Z13)
	VMOVDQU32 quarters<>(SB), Z9
	VMOVDQU32 zip<>(SB), Z10
	VPADDD Z13, Z10, Z11            // the other eight lanes

chunk:
	LEAQ 512(SI), R15               // end of the chunk
	CMPQ R15, R13
	CMOVQHI R13, R15
	MOVQ DI, R10                    // begin of its pairs

four:
	LEAQ 16(SI), AX
	CMPQ AX, R15
	JHI  mark
	LEAQ 192(DI), AX                // 128 bytes are written here, and 64 where pairs are kept
	CMPQ AX, BX
	JHI  mark
	VMOVDQU (SI), X1
	VPERMD Z1, Z9, Z1               // vertices, each four times
	MOVL (SI), AX
	SHLQ $4, AX
	VMOVDQU (R9)(AX*1), X0
	RECORD(4, 1)
	RECORD(8, 2)
	RECORD(12, 3)
	VPCMPEQD Z0, Z1, K2             // padding
	KMOVW K2, AX
	TESTL $0x1111, AX               // a record that begins with its vertex is no row
	JNE  mark
	POPCNTL AX, AX
	SUBQ AX, R14
	ADDQ $16, R14
	VPSRLD $5, Z0, Z2
	KXNORW K1, K1, K1
	VPXORD Z3, Z3, Z3
	VPGATHERDD (R12)(Z2*4), K1, Z3
	VPRORVD Z0, Z3, Z3
	VPTESTNMD Z12, Z3, K3           // not visited
	VPCOMPRESSD.Z Z0, K3, Z4
	VPCOMPRESSD.Z Z1, K3, Z5
	VMOVDQA32 Z4, Z6
	VPERMT2D Z5, Z10, Z6
	VPERMT2D Z5, Z11, Z4
	VMOVDQU64 Z6, (DI)
	VMOVDQU64 Z4, 64(DI)
	KMOVW K3, AX
	POPCNTL AX, AX
	LEAQ (DI)(AX*8), DI
	ADDQ $16, SI
	JMP  four

mark:
	CMPQ R10, DI
	JEQ  marked
	MOVQ R10, R11
	LEAQ fresh-520(SP), R8          // a byte for each pair: 1 if it is kept

pair:
	MOVL (R11), AX
	MOVL AX, CX
	SHRL $6, CX
	MOVQ (R12)(CX*8), DX
	BTSQ AX, DX
	SETCC (R8)
	MOVQ DX, (R12)(CX*8)
	INCQ R8
	ADDQ $8, R11
	CMPQ R11, DI
	JNE  pair
	MOVQ $0, (R8)
	LEAQ fresh-520(SP), R8
	MOVQ R10, R11                   // end of the pairs that are kept

eight:
	VMOVQ (R8), X0
	VPTESTMB X0, X0, K1
	VMOVDQU64.Z (R10), K1, Z1
	VPCOMPRESSQ.Z Z1, K1, Z1
	VMOVDQU64 Z1, (R11)
	KMOVW K1, AX
	POPCNTL AX, AX
	LEAQ (R11)(AX*8), R11
	ADDQ $8, R8
	ADDQ $64, R10
	CMPQ R10, DI
	JCS  eight
	MOVQ R11, DI

marked:
	CMPQ SI, R13
	JAE  collected
	CMPQ SI, R15
	JEQ  chunk
	LEAQ 32(DI), AX
	CMPQ AX, BX
	JHI  collected
	MOVL (SI), R8
	MOVQ R8, R10
	SHLQ $4, R10
	ADDQ R9, R10
	CMPL R8, (R10)
	JEQ  collected
	ADDQ $4, SI
	MOVQ R8, R11
	SHLQ $32, R11
	ENTRY(0)
	ENTRY(4)
	ENTRY(8)
	ENTRY(12)
	JMP  chunk

collected:
	MOVQ a+0(FP), AX
	SUBQ 0(AX), SI
	SHRQ $2, SI
	MOVQ SI, 48(AX)                 // done
	SUBQ 32(AX), DI
	SHRQ $3, DI
	MOVQ DI, 56(AX)                 // found
	MOVQ R14, 64(AX)                // examined
	VZEROUPPER
	RET

// PARENTS loads sixteen pairs: their vertices to Z2 and their parents to Z3, and gathers
// the parents that the vertices have into Z5. Z4 has the indexes: a gather takes 32 bits
// for signed, so that the base R11 lies 2³¹ entries further on and they are lower by as
// much. Clobbers Z0, Z1, K1.
#define PARENTS \
	VMOVDQU32 (SI), Z0;             \
	VMOVDQU32 64(SI), Z1;           \
	VMOVDQA32 Z0, Z2;               \
	VPERMT2D Z1, Z10, Z2;           \
	VPERMT2D Z1, Z11, Z0;           \
	VMOVDQA32 Z0, Z3;               \
	VPXORD Z13, Z2, Z4;             \
	KXNORW K1, K1, K1;              \
	VPXORD Z5, Z5, Z5;              \
	VPGATHERDD (R11)(Z4*4), K1, Z5

// SIXTEEN prepares the constants of PARENTS.
#define SIXTEEN \
	BROADCAST(1, Z12);              \
	BROADCAST(0x80000000, Z13);     \
	VMOVDQU32 evens<>(SB), Z10;     \
	VPADDD Z12, Z10, Z11;           \
	MOVQ $0x200000000, AX;          \
	ADDQ AX, R11

// AHEAD prefetches the parents of four pairs from AT(SI) on.
#define AHEAD(AT) \
	MOVL AT(SI), AX;                \
	PREFETCHT0 (BX)(AX*4);          \
	MOVL AT+8(SI), AX;              \
	PREFETCHT0 (BX)(AX*4);          \
	MOVL AT+16(SI), AX;             \
	PREFETCHT0 (BX)(AX*4);          \
	MOVL AT+24(SI), AX;             \
	PREFETCHT0 (BX)(AX*4)

// COMING prefetches the record of the pair at AT(SI), which the next level reads.
#define COMING(AT) \
	MOVL AT(SI), AX;                \
	SHLQ $4, AX;                    \
	PREFETCHT0 (R9)(AX*1)

// func offerAVX512(pairs *uint64, count int64, parents, records *uint32)
TEXT ·offerAVX512(SB), NOSPLIT, $0-32
	MOVQ pairs+0(FP), SI
	MOVQ count+8(FP), R13           // as the end of the pairs
	LEAQ (SI)(R13*8), R13
	MOVQ parents+16(FP), R11
	MOVQ R11, BX
	MOVQ records+24(FP), R9
	SIXTEEN
	VPTERNLOGD $0xff, Z14, Z14, Z14 // no parent

offers:
	LEAQ 128(SI), AX
	CMPQ AX, R13
	JHI  offer
	LEAQ 256(SI), AX
	CMPQ AX, R13
	JHI  records
	AHEAD(128)
	AHEAD(160)
	AHEAD(192)
	AHEAD(224)

records:
	COMING(0)
	COMING(8)
	COMING(16)
	COMING(24)
	COMING(32)
	COMING(40)
	COMING(48)
	COMING(56)
	COMING(64)
	COMING(72)
	COMING(80)
	COMING(88)
	COMING(96)
	COMING(104)
	COMING(112)
	COMING(120)
	PARENTS
	VPCMPEQD Z14, Z5, K2
	VPSCATTERDD Z3, K2, (R11)(Z4*4)
	ADDQ $128, SI
	JMP  offers

offer:
	CMPQ SI, R13
	JAE  offered
	MOVL (SI), AX                   // vertex
	MOVL 4(SI), CX                  // parent
	ADDQ $8, SI
	MOVQ AX, DX
	SHLQ $4, DX
	PREFETCHT0 (R9)(DX*1)
	CMPL (BX)(AX*4), $-1
	JNE  offer
	MOVL CX, (BX)(AX*4)
	JMP  offer

offered:
	VZEROUPPER
	RET

// func wonAVX512(pairs *uint64, count int64, parents, out *uint32) int64
TEXT ·wonAVX512(SB), NOSPLIT, $0-40
	MOVQ pairs+0(FP), SI
	MOVQ count+8(FP), R13           // as the end of the pairs
	LEAQ (SI)(R13*8), R13
	MOVQ parents+16(FP), R11
	MOVQ R11, BX
	MOVQ out+24(FP), DI
	SIXTEEN

bids:
	LEAQ 128(SI), AX
	CMPQ AX, R13
	JHI  bid
	PARENTS
	VPCMPEQD Z3, Z5, K2
	VPCOMPRESSD.Z Z2, K2, Z2
	VMOVDQU32 Z2, (DI)
	KMOVW K2, AX
	POPCNTL AX, AX
	LEAQ (DI)(AX*4), DI
	ADDQ $128, SI
	JMP  bids

bid:
	CMPQ SI, R13
	JAE  counted
	MOVL (SI), AX                   // vertex
	MOVL 4(SI), CX                  // parent
	ADDQ $8, SI
	MOVL AX, (DI)
	XORL DX, DX
	CMPL CX, (BX)(AX*4)
	SETEQ DX
	LEAQ (DI)(DX*4), DI
	JMP  bid

counted:
	SUBQ out+24(FP), DI
	SHRQ $2, DI
	MOVQ DI, ret+32(FP)
	VZEROUPPER
	RET
