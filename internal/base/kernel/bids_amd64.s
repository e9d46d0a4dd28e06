#include "textflag.h"

// The vector form of Won: see advance.go. Sixteen bids at a time.

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
