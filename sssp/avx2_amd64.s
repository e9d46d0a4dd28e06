#include "textflag.h"

// The kernels of pull_amd64.s and firstonly_amd64.s for processors that have AVX2 and no AVX-512. Eight
// candidates at a time, and only multiples of eight: the caller pulls the others one by one. Masks are
// vectors whose lanes are all ones or all zeros, and lists are compressed by tables of permutations.
// Reading rows, pushing and carrying are behind branches, because few vertices need them.

DATA lane8<>+0(SB)/8, $0x0000000100000000
DATA lane8<>+8(SB)/8, $0x0000000300000002
DATA lane8<>+16(SB)/8, $0x0000000500000004
DATA lane8<>+24(SB)/8, $0x0000000700000006
GLOBL lane8<>(SB), RODATA|NOPTR, $32

DATA infinity<>+0(SB)/4, $0x7f800000
GLOBL infinity<>(SB), RODATA|NOPTR, $4

// Comparisons.
#define LT $1
#define GE $13

// Offsets of the columns of pullLists behind the first.
#define ROWS 2112
#define BEFORES 4224
#define BEST 6336
#define PARENTS 8448
#define FARS 10560

// SPLIT makes a vector each of the low and the high halves of eight words in A and B. It may
// overwrite A.
#define SPLIT(A, B, LOW, HIGH) \
	VSHUFPS $0x88, B, A, LOW;  \
	VSHUFPS $0xdd, B, A, HIGH; \
	VPERMQ  $0xd8, LOW, LOW;   \
	VPERMQ  $0xd8, HIGH, HIGH

// JOIN makes words of low and high halves, the first four in A and the others in B.
#define JOIN(LOW, HIGH, A, B, TEMP) \
	VUNPCKLPS  HIGH, LOW, TEMP;     \
	VUNPCKHPS  HIGH, LOW, B;        \
	VPERM2F128 $0x20, B, TEMP, A;   \
	VPERM2F128 $0x31, B, TEMP, B

// COMPRESS puts the lanes of FROM that stand in Y5, the numbers of lanes in order, to the front.
#define COMPRESS(FROM, TO) VPERMD FROM, Y5, TO

// WORDS stores the words, of eight at FROM, whose bits are set in BX, one after the other from TO on. The
// two halves go one behind the other. Clobbers SI, Y5, Y6.
#define WORDS(FROM, TO) \
	LEAQ      ·compress4(SB), SI; \
	MOVL      BX, 8(SP);          \
	ANDL      $15, BX;            \
	VPMOVZXBD (SI)(BX*8), Y5;     \
	VMOVDQU   FROM, Y6;           \
	COMPRESS(Y6, Y6);             \
	VMOVDQU   Y6, (TO);           \
	POPCNTL   BX, BX;             \
	LEAQ      (TO)(BX*8), TO;     \
	MOVL      8(SP), BX;          \
	SHRL      $4, BX;             \
	VPMOVZXBD (SI)(BX*8), Y5;     \
	VMOVDQU   32+FROM, Y6;        \
	COMPRESS(Y6, Y6);             \
	VMOVDQU   Y6, (TO);           \
	MOVL      8(SP), BX

// ORDER loads the lanes in order whose bits stand in BX to Y5. Clobbers SI.
#define ORDER \
	LEAQ      ·compress8(SB), SI; \
	VPMOVZXBD (SI)(BX*8), Y5

// FETCH asks for the distance and the label of the other end of a first entry, 32 candidates ahead.
#define FETCH(AT) \
	MOVL       AT(R8), BX;    \
	PREFETCHT0 (DI)(BX*8);    \
	PREFETCHT0 (DX)(BX*4)

// OWN asks for the state of a vertex.
#define OWN(AT) \
	MOVL       AT(R10), BX;   \
	PREFETCHT0 (DI)(BX*8)

// func pullAVX2(a *vectorPull)
//
// Y0 who pulls, Y2 Y3 slots and weights of first entries, Y6 Y7 of second ones; Y8 slots, Y9 third
// weights; Y10 before, Y11 distances of first ends, Y12 of second, Y13 best, Y4 parent; Y14 bound,
// Y15 near.
TEXT ·pullAVX2(SB), NOSPLIT, $96-8
	MOVQ         a+0(FP), AX
	MOVQ         0(AX), R8                // firsts
	MOVQ         8(AX), R9                // seconds
	MOVQ         16(AX), R10              // slots
	MOVQ         24(AX), R11              // thirds
	MOVQ         32(AX), CX               // candidates left
	MOVQ         40(AX), DI               // states
	MOVQ         48(AX), DX               // labels
	VBROADCASTSS 56(AX), Y15              // near
	VBROADCASTSS 60(AX), Y14              // bound
	MOVQ         104(AX), R12             // carried
	XORQ         R13, R13                 // that need their rows
	XORQ         R14, R14                 // that push

loop:
	CMPQ CX, $8
	JLT  done
	MOVQ 160(AX), BX               // candidates behind these
	ADDQ CX, BX
	CMPQ BX, $48
	JLT  fetched
	FETCH(256)
	FETCH(264)
	FETCH(272)
	FETCH(280)
	FETCH(288)
	FETCH(296)
	FETCH(304)
	FETCH(312)

	// The columns 128 candidates ahead, and the states 32 candidates ahead.
	PREFETCHT0 1024(R8)
	PREFETCHT0 1024(R9)
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

	// The distances of the other ends of second entries, 32 candidates ahead, that may lead below
	// the bound.
	VMOVUPS   256(R9), Y0
	VSHUFPS   $0xdd, 288(R9), Y0, Y0
	VPERMQ    $0xd8, Y0, Y0
	VADDPS    Y15, Y0, Y0
	VCMPPS    LT, Y14, Y0, Y0
	VMOVMSKPS Y0, BX
	TESTL     BX, BX
	JEQ       fetched

second:
	TZCNTL     BX, SI
	MOVL       256(R9)(SI*8), R15
	PREFETCHT0 (DI)(R15*8)
	BLSRL      BX, BX
	JNE        second

fetched:
	VMOVUPS (R8), Y0
	VMOVUPS 32(R8), Y1
	SPLIT(Y0, Y1, Y2, Y3)
	VMOVUPS (R9), Y4
	VMOVUPS 32(R9), Y5
	SPLIT(Y4, Y5, Y6, Y7)
	VMOVDQU (R10), Y8
	VMOVUPS (R11), Y9

	// A vertex whose distance is below the least does not pull.
	VPCMPEQD   Y1, Y1, Y1
	VGATHERDPS Y1, (DI)(Y8*8), Y10
	VBROADCASTSS 64(AX), Y1               // least
	VCMPPS     GE, Y1, Y10, Y0
	VMOVMSKPS  Y0, BX
	TESTL      BX, BX
	JEQ        next
	POPCNTL    BX, BX
	ADDQ       BX, 136(AX)                // examined

	// By the lightest entry.
	VMOVAPS      Y0, Y1
	VBROADCASTSS infinity<>(SB), Y11
	VGATHERDPS   Y1, (DI)(Y2*8), Y11
	VADDPS       Y3, Y11, Y1
	VMINPS       Y10, Y1, Y13

	// By the second, if it matters to the vertex or the vertex to its other end.
	VMINPS       Y14, Y13, Y1
	VADDPS       Y15, Y7, Y4
	VCMPPS       LT, Y1, Y4, Y4
	VADDPS       Y13, Y7, Y5
	VCMPPS       LT, Y14, Y5, Y5
	VORPS        Y4, Y5, Y5
	VANDPS       Y0, Y5, Y1
	VBROADCASTSS infinity<>(SB), Y12
	VGATHERDPS   Y1, (DI)(Y6*8), Y12
	VADDPS       Y7, Y12, Y5
	VCMPPS       LT, Y13, Y5, Y1
	VBLENDVPS    Y1, Y6, Y2, Y4
	VMINPS       Y5, Y13, Y13

	// Y5 needs its row, and Y0 then does not.
	VMINPS    Y14, Y13, Y1
	VADDPS    Y15, Y9, Y5
	VCMPPS    LT, Y1, Y5, Y5
	VANDPS    Y0, Y5, Y5
	VANDNPS   Y0, Y5, Y0
	VMOVMSKPS Y5, BX
	TESTL     BX, BX
	JEQ       settle
	MOVQ      R8, R15
	SUBQ      0(AX), R15
	SHRQ      $3, R15
	VMOVD     R15, X1
	VPBROADCASTD X1, Y1
	VPADDD    lane8<>(SB), Y1, Y1
	ORDER
	MOVQ      112(AX), SI
	COMPRESS(Y1, Y1)
	VMOVDQU   Y1, ROWS(SI)(R13*4)
	COMPRESS(Y10, Y1)
	VMOVDQU   Y1, BEFORES(SI)(R13*4)
	COMPRESS(Y13, Y1)
	VMOVDQU   Y1, BEST(SI)(R13*4)
	COMPRESS(Y4, Y1)
	VMOVDQU   Y1, PARENTS(SI)(R13*4)
	POPCNTL   BX, BX
	ADDQ      BX, R13

	// A vertex that got a nearer distance stores it with the label of its parent.
settle:
	VCMPPS     LT, Y10, Y13, Y1
	VANDPS     Y0, Y1, Y1
	VMOVMSKPS  Y1, BX
	TESTL      BX, BX
	JEQ        lowered
	VPGATHERDD Y1, (DX)(Y4*4), Y2
	JOIN(Y13, Y2, Y4, Y6, Y5)
	VMOVDQU    Y4, 16(SP)
	VMOVDQU    Y6, 48(SP)
	POPCNTL    BX, SI
	ADDQ       SI, 152(AX)                // lowerings

state:
	TZCNTL BX, SI
	MOVQ   16(SP)(SI*8), R15
	MOVL   (R10)(SI*4), SI
	MOVQ   R15, (DI)(SI*8)
	BLSRL  BX, BX
	JNE    state

	// Y1 is below the bound, and Y4 of these pushes: the first entry, the second or the third.
lowered:
	VCMPPS    LT, Y14, Y13, Y1
	VANDPS    Y0, Y1, Y1
	VADDPS    Y13, Y3, Y2
	VMINPS    Y14, Y11, Y4
	VCMPPS    LT, Y4, Y2, Y4
	VADDPS    Y13, Y7, Y2
	VMINPS    Y14, Y12, Y5
	VCMPPS    LT, Y5, Y2, Y5
	VORPS     Y4, Y5, Y4
	VADDPS    Y13, Y9, Y2
	VCMPPS    LT, Y14, Y2, Y5
	VORPS     Y4, Y5, Y4
	VANDPS    Y1, Y4, Y4
	VMOVMSKPS Y1, R15
	POPCNTL   R15, SI
	ADDQ      SI, 144(AX)                 // found
	VMOVMSKPS Y4, BX
	TESTL     BX, BX
	JEQ       pushed
	ORDER
	MOVQ      112(AX), SI
	COMPRESS(Y8, Y2)
	VMOVDQU   Y2, (SI)(R14*4)
	COMPRESS(Y13, Y2)
	VMOVDQU   Y2, FARS(SI)(R14*4)
	POPCNTL   BX, BX
	ADDQ      BX, R14
	SUBQ      BX, 144(AX)                 // they are found when they push

pushed:
	VANDNPS   Y0, Y1, Y1
	VMOVMSKPS Y1, BX
	TESTL     BX, BX
	JEQ       next
	MOVQ      72(AX), R15
	LEAQ      (R15)(R12*8), R15
	WORDS(0(R8), R15)
	MOVQ      80(AX), R15
	LEAQ      (R15)(R12*8), R15
	WORDS(0(R9), R15)
	ORDER
	COMPRESS(Y8, Y2)
	MOVQ      88(AX), R15
	VMOVDQU   Y2, (R15)(R12*4)
	COMPRESS(Y9, Y2)
	MOVQ      96(AX), R15
	VMOVDQU   Y2, (R15)(R12*4)
	POPCNTL   BX, BX
	ADDQ      BX, R12

next:
	ADDQ $64, R8
	ADDQ $64, R9
	ADDQ $32, R10
	ADDQ $32, R11
	SUBQ $8, CX
	JMP  loop

done:
	MOVQ R12, 104(AX)
	MOVQ R13, 120(AX)
	MOVQ R14, 128(AX)
	VZEROUPPER
	RET

// FIRSTONLY asks for the distance of the other end of a first entry, 32 candidates ahead.
#define FIRSTONLY(AT) \
	MOVL       AT(R8), BX;    \
	PREFETCHT0 (DI)(BX*8)

// func pullFirstOnlyAVX2(a *vectorPull)
//
// Y2 Y3 slots and weights of first entries; Y4 Y5 own states, Y8 own slots, which follow each other;
// Y11 distances of the other ends, Y13 sums; Y14 bound, Y15 infinity.
TEXT ·pullFirstOnlyAVX2(SB), NOSPLIT, $32-8
	MOVQ         a+0(FP), AX
	MOVQ         0(AX), R8                // firsts
	MOVQ         8(AX), R9                // seconds
	MOVQ         16(AX), R10              // slots
	MOVQ         24(AX), R11              // thirds
	MOVQ         32(AX), CX               // candidates left
	MOVQ         40(AX), DI               // states
	MOVQ         48(AX), DX               // labels of their other ends
	VBROADCASTSS 60(AX), Y14              // bound
	VBROADCASTSS infinity<>(SB), Y15
	MOVL         (R10), BX
	LEAQ         (DI)(BX*8), R10          // own states
	VMOVD        BX, X8
	VPBROADCASTD X8, Y8
	VPADDD       lane8<>(SB), Y8, Y8
	MOVL         $8, BX
	VMOVD        BX, X9
	VPBROADCASTD X9, Y9
	MOVQ         104(AX), R12             // carried
	XORQ         R13, R13                 // examined
	XORQ         R14, R14                 // found

loop:
	CMPQ CX, $8
	JLT  done
	CMPQ CX, $48
	JLT  fetched
	FIRSTONLY(256)
	FIRSTONLY(264)
	FIRSTONLY(272)
	FIRSTONLY(280)
	FIRSTONLY(288)
	FIRSTONLY(296)
	FIRSTONLY(304)
	FIRSTONLY(312)

fetched:
	PREFETCHT0 1024(R8)
	PREFETCHT0 1024(R10)
	PREFETCHT0 512(DX)
	VMOVUPS    (R8), Y0
	VMOVUPS    32(R8), Y1
	SPLIT(Y0, Y1, Y2, Y3)
	VMOVUPS    (R10), Y4
	VMOVUPS    32(R10), Y5
	VSHUFPS    $0x88, Y5, Y4, Y6
	VPERMQ     $0xd8, Y6, Y6              // own distances
	VPCMPEQD   Y15, Y6, Y0                // Y0 pulls
	VMOVMSKPS  Y0, BX
	POPCNTL    BX, BX
	ADDQ       BX, R13

	VMOVAPS    Y0, Y1
	VMOVAPS    Y15, Y11
	VGATHERDPS Y1, (DI)(Y2*8), Y11
	VADDPS     Y3, Y11, Y13
	VCMPPS     LT, Y15, Y13, Y6
	VANDPS     Y0, Y6, Y6                 // has a distance
	VMOVMSKPS  Y6, BX
	POPCNTL    BX, BX
	ADDQ       BX, 152(AX)                // lowerings

	// Distances and labels of parents.
	VMOVUPS   (DX), Y7
	JOIN(Y13, Y7, Y1, Y2, Y3)
	JOIN(Y6, Y6, Y7, Y10, Y3)             // their masks
	VBLENDVPS Y7, Y1, Y4, Y4
	VBLENDVPS Y10, Y2, Y5, Y5
	VMOVUPS   Y4, (R10)
	VMOVUPS   Y5, 32(R10)

	// Y1 is below the bound, the others are carried: what their candidates have beside the lightest
	// entry is fetched now, and copied by the caller.
	VCMPPS     LT, Y14, Y13, Y1
	VANDPS     Y0, Y1, Y1
	VMOVMSKPS  Y1, BX
	POPCNTL    BX, BX
	ADDQ       BX, R14
	VANDNPS    Y0, Y1, Y1
	VMOVMSKPS  Y1, BX
	TESTL      BX, BX
	JEQ        next
	PREFETCHT0 (R9)
	PREFETCHT0 (R11)
	MOVQ       72(AX), R15
	LEAQ       (R15)(R12*8), R15
	WORDS(0(R8), R15)
	ORDER
	COMPRESS(Y8, Y2)
	MOVQ       88(AX), R15
	VMOVDQU    Y2, (R15)(R12*4)
	POPCNTL    BX, BX
	ADDQ       BX, R12

next:
	ADDQ   $64, R8
	ADDQ   $64, R9
	ADDQ   $64, R10
	ADDQ   $32, R11
	ADDQ   $32, DX
	VPADDD Y9, Y8, Y8
	SUBQ   $8, CX
	JMP    loop

done:
	MOVQ R12, 104(AX)
	MOVQ R13, 136(AX)
	MOVQ R14, 144(AX)
	VZEROUPPER
	RET
