#include "textflag.h"

// The vector kernels of kernel_amd64.go; kernel.go has the same in Go and says
// what each computes. Sixteen vertices at a time:
//
//	index  = vertex / 32          which word of the bitmap
//	gather words at index         masked: lanes that do not matter load nothing
//	rotate right by vertex mod 32 the bit wanted is now bit 0
//	test bit 0 under the mask     one bit per lane

DATA lanes<>+0(SB)/8, $0x0000000100000000
DATA lanes<>+8(SB)/8, $0x0000000300000002
DATA lanes<>+16(SB)/8, $0x0000000500000004
DATA lanes<>+24(SB)/8, $0x0000000700000006
DATA lanes<>+32(SB)/8, $0x0000000900000008
DATA lanes<>+40(SB)/8, $0x0000000b0000000a
DATA lanes<>+48(SB)/8, $0x0000000d0000000c
DATA lanes<>+56(SB)/8, $0x0000000f0000000e
GLOBL lanes<>(SB), RODATA|NOPTR, $64

// PROBE tests the vertices Z0 under mask K1 against the bitmap at BITMAP; the
// words end up in Z2, bit 0. Clobbers Z1, K2.
#define PROBE(BITMAP) \
	VPSRLD     $5, Z0, Z1;             \
	KMOVW      K1, K2;                 \
	VPXORD     Z2, Z2, Z2;             \
	VPGATHERDD (BITMAP)(Z1*4), K2, Z2; \
	VPRORVD    Z0, Z2, Z2

// HEADS handles 16 of the 64 vertices of a word. AX holds their open bits in its
// low end, Z10 their numbers, R15 collects the bits found. It prefetches the heads a
// kilobyte ahead: the prefetcher of the hardware begins again on every page.
#define HEADS(AT, BIT, SLOTAT, TAILAT, NEXT) \
	TESTL       $0xffff, AX;           \
	JEQ         NEXT;                  \
	PREFETCHT0  AT+1024(R11);          \
	KMOVW       AX, K1;                \
	VMOVDQU32.Z AT(R11), K1, Z0;       \
	PROBE(R12);                        \
	VPTESTMD    Z12, Z2, K1, K3;       \
	VMOVDQU32   Z0, K3, AT(R13);       \
	KMOVW       K3, DX;                \
	SHLQ        $BIT, DX;              \
	ORQ         DX, R15;               \
	KANDNW      K1, K3, K4;            \
	KMOVW       TAILAT(R10), K5;       \
	KANDW       K5, K4, K4;            \
	VPMOVZXWD   SLOTAT(R14), Z3;       \
	VPSLLD      $16, Z3, Z3;           \
	VPORD       Z10, Z3, Z3;           \
	VPCOMPRESSD.Z Z3, K4, Z3;          \
	VMOVDQU32   Z3, (SI);              \
	KMOVW       K4, DX;                \
	POPCNTL     DX, DX;                \
	LEAQ        (SI)(DX*4), SI

// func probeHeadsAVX512(a *HeadProbe)
TEXT ·probeHeadsAVX512(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), DI
	MOVQ 0(DI), R8                  // visited
	MOVQ 8(DI), R9                  // next
	MOVQ 16(DI), R10                // more
	MOVQ 24(DI), R11                // head
	MOVQ 32(DI), R14                // slots
	MOVQ 40(DI), R12                // front
	MOVQ 48(DI), R13                // parents
	MOVQ 56(DI), SI                 // misses
	MOVQ 64(DI), CX                 // words
	VPBROADCASTD 72(DI), Z10
	VPADDD lanes<>(SB), Z10, Z10    // numbers of the current 16
	MOVL $16, AX
	VPBROADCASTD AX, Z11
	MOVL $64, AX
	VPBROADCASTD AX, Z13
	MOVL $1, AX
	VPBROADCASTD AX, Z12
	XORQ BX, BX                     // open vertices seen

word:
	MOVQ (R8), AX
	XORQ R15, R15
	NOTQ AX
	TESTQ AX, AX
	JEQ  full
	POPCNTQ AX, DX
	ADDQ DX, BX
	HEADS(0, 0, 0, 0, second)
second:
	SHRQ $16, AX
	VPADDD Z11, Z10, Z10
	HEADS(64, 16, 32, 2, third)
third:
	SHRQ $16, AX
	VPADDD Z11, Z10, Z10
	HEADS(128, 32, 64, 4, fourth)
fourth:
	SHRQ $16, AX
	VPADDD Z11, Z10, Z10
	HEADS(192, 48, 96, 6, done)
done:
	VPADDD Z11, Z10, Z10
advance:
	MOVQ R15, (R9)
following:
	ADDQ $8, R8
	ADDQ $8, R9
	ADDQ $8, R10
	ADDQ $256, R11
	ADDQ $256, R13
	ADDQ 96(DI), R14                // slot step
	DECQ CX
	JNE  word

	SUBQ 56(DI), SI
	SHRQ $2, SI
	MOVQ SI, 80(DI)                 // missed
	MOVQ BX, 88(DI)                 // examined
	VZEROUPPER
	RET

full:
	VPADDD Z13, Z10, Z10
	CMPQ (R9), $0                   // leave a zero unwritten: a write takes the cache line
	JEQ  following
	JMP  advance

// func probeColumnAVX512(a *ColumnProbe)
//
// It handles sixteen rows at a time, whose loads do not wait for each other. The rows
// kept overwrite entries of the list that have been read.
TEXT ·probeColumnAVX512(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ 0(AX), R9                  // column
	MOVQ 8(AX), R10                 // front
	MOVQ 16(AX), R8                 // list
	MOVQ 24(AX), R12                // hits
	MOVQ 32(AX), R11                // parents
	MOVQ 40(AX), CX                 // count
	VPBROADCASTD 48(AX), Z6         // longer
	VPBROADCASTD 64(AX), Z8         // mask
	MOVQ 72(AX), SI                 // ahead
	MOVQ 80(AX), R14                // length ahead
	ADDQ SI, R14                    // its end
	MOVQ 88(AX), DI                 // lines
	XORQ BX, BX                     // rows read
	XORQ DX, DX                     // rows kept
	MOVL $1, AX
	VPBROADCASTD AX, Z12
	MOVL $0xffff, R13

rows:
	MOVQ CX, AX
	SUBQ BX, AX
	JLE  out
	MOVQ $16, R15
	CMPQ AX, R15
	CMOVQLT AX, R15
	BZHIL R15, R13, R15
	KMOVW R15, K1
	VMOVDQU32.Z (R8)(BX*4), K1, Z5
	ADDQ $16, BX
	KMOVW K1, K2
	VPXORD Z0, Z0, Z0
	VPSRLD $16, Z5, Z7              // slots
	VPGATHERDD (R9)(Z7*1), K2, Z0
	VPANDD Z8, Z0, Z0
	MOVQ DI, R15

line:
	CMPQ SI, R14
	JAE  fetched
	PREFETCHT1 (SI)
	ADDQ $64, SI
	DECQ R15
	JNE  line

fetched:
	PROBE(R10)
	VPTESTMD Z12, Z2, K1, K3        // found
	VPCOMPRESSD.Z Z5, K3, Z3
	VPCOMPRESSD.Z Z0, K3, Z4
	VMOVDQU32 Z3, (R12)
	VMOVDQU32 Z4, (R11)
	KMOVW K3, AX
	POPCNTL AX, AX
	LEAQ (R12)(AX*4), R12
	LEAQ (R11)(AX*4), R11
	VPCMPUD $1, Z6, Z5, K1, K4      // slot below longer
	KANDNW K4, K3, K4               // and not found
	VPCOMPRESSD.Z Z5, K4, Z5
	VMOVDQU32 Z5, (R8)(DX*4)
	KMOVW K4, AX
	POPCNTL AX, AX
	ADDQ AX, DX
	JMP  rows

out:
	MOVQ a+0(FP), AX
	SUBQ 24(AX), R12
	SHRQ $2, R12
	MOVQ R12, 56(AX)                // found
	MOVQ DX, 40(AX)                 // count
	VZEROUPPER
	RET

// func prefetchAMD64(memory *byte, n int64)
TEXT ·prefetchAMD64(SB), NOSPLIT, $0-16
	MOVQ memory+0(FP), SI
	MOVQ n+8(FP), CX
	ADDQ SI, CX

line:
	CMPQ SI, CX
	JAE  fetched
	PREFETCHT0 (SI)
	ADDQ $64, SI
	JMP  line

fetched:
	RET

// func scanRowAVX512(row *uint32, n int64, front *uint64) int64
TEXT ·scanRowAVX512(SB), NOSPLIT, $0-32
	MOVQ row+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ front+16(FP), R12
	MOVL $1, AX
	VPBROADCASTD AX, Z12
	MOVL $0xffff, R8
	XORQ BX, BX

next16:
	CMPQ BX, CX
	JGE  none
	MOVQ CX, DX
	SUBQ BX, DX
	MOVQ $16, AX
	CMPQ DX, AX
	CMOVQLT DX, AX
	BZHIL AX, R8, AX
	KMOVW AX, K1
	VMOVDQU32.Z (SI)(BX*4), K1, Z0
	PROBE(R12)
	VPTESTMD Z12, Z2, K1, K3
	KMOVW K3, AX
	TESTL AX, AX
	JNE  hit
	ADDQ $16, BX
	JMP  next16

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

// func expandAVX512(a *Expansion)
TEXT ·expandAVX512(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ 0(AX), SI                  // row
	MOVQ 8(AX), CX                  // length
	MOVQ 16(AX), R12                // visited
	MOVQ 24(AX), DI                 // out
	VPBROADCASTD 32(AX), Z4         // first
	VPBROADCASTD 36(AX), Z5         // last
	MOVL $1, AX
	VPBROADCASTD AX, Z12
	MOVL $0xffff, R8

again:
	CMPQ CX, $256                   // what lies behind the row is of no use
	JLT  near
	PREFETCHT0 1024(SI)

near:
	CMPQ CX, $0
	JLE  end
	MOVQ $16, AX
	CMPQ CX, AX
	CMOVQLT CX, AX
	BZHIL AX, R8, AX
	KMOVW AX, K1
	VMOVDQU32.Z (SI), K1, Z0
	VPCMPUD $5, Z4, Z0, K1, K1      // not below first
	VPCMPUD $2, Z5, Z0, K1, K1      // not above last
	PROBE(R12)
	VPTESTNMD Z12, Z2, K1, K3
	VPCOMPRESSD.Z Z0, K3, Z3
	VMOVDQU32 Z3, (DI)
	KMOVW K3, AX
	POPCNTL AX, AX
	LEAQ (DI)(AX*4), DI
	ADDQ $64, SI
	SUBQ $16, CX
	JMP  again

end:
	MOVQ a+0(FP), AX
	SUBQ 24(AX), DI
	SHRQ $2, DI
	MOVQ DI, 40(AX)                 // kept
	VZEROUPPER
	RET

// func adoptAMD64(a *Adoption)
TEXT ·adoptAMD64(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ 0(AX), SI                  // pairs
	MOVQ 8(AX), R13                 // count, as the end of the pairs
	LEAQ (SI)(R13*8), R13
	MOVQ 16(AX), R12                // visited
	MOVQ 24(AX), R11                // parents

pair:
	CMPQ SI, R13
	JAE  adopted
	LEAQ 128(SI), AX                // prefetch the parent of the pair 16 entries on
	CMPQ AX, R13
	CMOVQCC SI, AX
	MOVL (AX), AX
	PREFETCHT0 (R11)(AX*4)
	MOVQ (SI), CX
	ADDQ $8, SI
	MOVL CX, AX                     // vertex
	SHRQ $32, CX                    // parent
	MOVL CX, (R11)(AX*4)
	MOVL AX, DX
	SHRL $6, DX
	MOVQ (R12)(DX*8), BX
	BTSQ AX, BX
	MOVQ BX, (R12)(DX*8)
	JMP  pair

adopted:
	RET

// func adoptRowAMD64(a *RowAdoption)
TEXT ·adoptRowAMD64(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ 0(AX), SI                  // list
	MOVQ 8(AX), R13                 // count, as the end of the list
	LEAQ (SI)(R13*4), R13
	MOVQ 16(AX), R12                // visited
	MOVQ 24(AX), R11                // parents
	MOVL 32(AX), CX                 // parent

vertex:
	CMPQ SI, R13
	JAE  rowAdopted
	LEAQ 96(SI), AX                 // prefetch the parent of the vertex 24 entries on
	CMPQ AX, R13
	CMOVQCC SI, AX
	MOVL (AX), AX
	PREFETCHT0 (R11)(AX*4)
	MOVL (SI), AX
	ADDQ $4, SI
	MOVL CX, (R11)(AX*4)
	MOVL AX, DX
	SHRL $6, DX
	MOVQ (R12)(DX*8), BX
	BTSQ AX, BX
	MOVQ BX, (R12)(DX*8)
	JMP  vertex

rowAdopted:
	RET

// func dealAVX512(a *Deal)
//
// It handles eight vertices at a time. Those of the owner before are below its end, too: K4 has
// them.
TEXT ·dealAVX512(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ 0(AX), SI                  // list
	MOVQ 8(AX), CX                  // count
	VPBROADCASTQ 16(AX), Z2
	VPSLLQ $32, Z2, Z2              // parent
	MOVQ 32(AX), R8                 // ends
	MOVQ 40(AX), R9                 // owners
	MOVQ 48(AX), R10                // bins
	MOVQ 56(AX), R11                // stride
	SHLQ $3, R11
	MOVQ 64(AX), R12                // lengths
	MOVL $0xff, R13

eight:
	CMPQ CX, $0
	JLE  dealt
	MOVQ $8, BX
	CMPQ CX, BX
	CMOVQLT CX, BX
	BZHIL BX, R13, BX
	KMOVW BX, K1
	VPMOVZXDQ (SI), K1, Z0          // of lanes behind the list nothing is read
	VPORQ Z2, Z0, Z1                // pairs
	KXORW K4, K4, K4
	MOVQ R10, DI
	XORQ BX, BX

owner:
	VPCMPUQ.BCST $1, (R8)(BX*8), Z0, K1, K2 // below the end
	KANDNW K2, K4, K3
	KMOVW K2, K4
	VPCOMPRESSQ.Z Z1, K3, Z3
	MOVL (R12)(BX*4), AX
	VMOVDQU64 Z3, (DI)(AX*8)
	KMOVW K3, DX
	POPCNTL DX, DX
	ADDL DX, AX
	MOVL AX, (R12)(BX*4)
	ADDQ R11, DI
	INCQ BX
	CMPQ BX, R9
	JLT  owner

	ADDQ $32, SI
	SUBQ $8, CX
	JMP  eight

dealt:
	VZEROUPPER
	RET
