#include "go_asm.h"
#include "textflag.h"

// Lines of numbers by vectors. All of a line is in one vector of 64 bytes, and all of its
// numbers are parsed at once, one in each lane of 16 bytes.

// lanes of 16 bytes that are 0, 1, 2, 3
DATA lane<>+0(SB)/8, $0x0000000000000000
DATA lane<>+8(SB)/8, $0x0000000000000000
DATA lane<>+16(SB)/8, $0x0101010101010101
DATA lane<>+24(SB)/8, $0x0101010101010101
DATA lane<>+32(SB)/8, $0x0202020202020202
DATA lane<>+40(SB)/8, $0x0202020202020202
DATA lane<>+48(SB)/8, $0x0303030303030303
DATA lane<>+56(SB)/8, $0x0303030303030303
GLOBL lane<>(SB), RODATA|NOPTR, $64

// the bytes of a line
DATA iota<>+0(SB)/8, $0x0706050403020100
DATA iota<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA iota<>+16(SB)/8, $0x1716151413121110
DATA iota<>+24(SB)/8, $0x1f1e1d1c1b1a1918
DATA iota<>+32(SB)/8, $0x2726252423222120
DATA iota<>+40(SB)/8, $0x2f2e2d2c2b2a2928
DATA iota<>+48(SB)/8, $0x3736353433323130
DATA iota<>+56(SB)/8, $0x3f3e3d3c3b3a3938
GLOBL iota<>(SB), RODATA|NOPTR, $64

// the bytes of a lane, before the end of a number
DATA before<>+0(SB)/8, $0xf7f6f5f4f3f2f1f0
DATA before<>+8(SB)/8, $0xfffefdfcfbfaf9f8
GLOBL before<>(SB), RODATA|NOPTR, $16

// what a digit counts in its pair, a pair in its four, a four in its eight, an eight
DATA tens<>+0(SB)/4, $0x010a010a
DATA hundreds<>+0(SB)/4, $0x00010064
DATA tenThousands<>+0(SB)/4, $0x00012710
DATA hundredMillion<>+0(SB)/8, $100000000
GLOBL tens<>(SB), RODATA|NOPTR, $4
GLOBL hundreds<>(SB), RODATA|NOPTR, $4
GLOBL tenThousands<>(SB), RODATA|NOPTR, $4
GLOBL hundredMillion<>(SB), RODATA|NOPTR, $8

// the even words of eight
DATA even<>+0(SB)/8, $0
DATA even<>+8(SB)/8, $2
DATA even<>+16(SB)/8, $4
DATA even<>+24(SB)/8, $6
GLOBL even<>(SB), RODATA|NOPTR, $32

#define BYTES(value, X, Z) \
	MOVL $value, AX \
	VMOVD AX, X     \
	VPBROADCASTB X, Z

// func plainAVX512(s *lineScan)
//
// Numbers are right-aligned in lanes: a lane takes the 16 bytes before the end of its number, and
// of these only the ones behind the end of the number before.
//
//	SI line   DI last place of one   R8 edges   R9 weights, if there are any   R10 room left   R11 first digit's bit, negated   R12 that bit
//	R13 length of the line   R14 bit of the last digit's end   BX what is not a digit   CX separators   R15 arguments
TEXT ·plainAVX512(SB), NOSPLIT, $0-8
	MOVQ s+0(FP), R15
	MOVQ lineScan_text(R15), SI
	MOVQ lineScan_last(R15), DI
	MOVQ lineScan_edges(R15), R8
	MOVQ lineScan_weights(R15), R9
	MOVQ lineScan_room(R15), R10
	MOVQ lineScan_first(R15), R12
	MOVQ R12, R11
	NEGQ R11
	BYTES(10, X27, Z27)             // end of a line
	BYTES(48, X31, Z31)
	BYTES(9, X30, Z30)
	BYTES(17, X20, Z20)
	VPBROADCASTB lineScan_separator(R15), Z29
	VPBROADCASTB lineScan_other(R15), Z28
	TZCNTQ R12, AX
	DECQ AX
	VMOVD AX, X21
	VPBROADCASTB X21, Z21           // before the first number
	VMOVDQU64 lane<>(SB), Z24
	VMOVDQU64 iota<>(SB), Z25
	VBROADCASTI32X4 before<>(SB), Z22
	VPTERNLOGD $0xff, Z23, Z23, Z23
	VPADDB Z23, Z24, Z23            // the lane before
	VPBROADCASTD tens<>(SB), Z19
	VPBROADCASTD hundreds<>(SB), Z18
	VPBROADCASTD tenThousands<>(SB), Z17
	VPBROADCASTQ hundredMillion<>(SB), Z16
	VMOVDQU even<>(SB), Y15
	MOVQ $-65536, AX
	KMOVQ AX, K5                    // all lanes but the first
	VPXOR X14, X14, X14

line:
	CMPQ SI, DI
	JHI  done
	DECQ R10
	JLT  done
	VMOVDQU8 (SI), Z0
	VPCMPEQB Z27, Z0, K1
	VPSUBB Z31, Z0, Z1
	VPCMPUB $6, Z30, Z1, K2
	VPCMPEQB Z29, Z0, K3
	VPCMPEQB Z28, Z0, K4
	KMOVQ K1, AX
	KMOVQ K2, BX
	KORQ K3, K4, K3
	KMOVQ K3, CX
	BLSMSKQ AX, DX
	JCS  done                       // longer than a vector
	TZCNTQ AX, R13
	BLSIQ AX, R14
	ANDQ DX, BX
	ANDQ R11, BX
	CMPQ R12, $1
	JNE  letter

numbers:
	ANDQ BX, CX
	LEAQ (R12)(BX*2), AX
	TESTQ BX, AX
	JNZ  adjacent

ends:
	KMOVQ BX, K2
	VPCOMPRESSB.Z Z25, K2, Z2
	VPERMB Z2, Z24, Z3              // where numbers end
	VMOVDQA64 Z21, Z4
	VPERMB Z2, Z23, K5, Z4          // where those before end
	VPADDB Z22, Z3, Z5
	VPCMPGTB Z4, Z5, K1
	VPSUBB Z20, Z3, Z6
	VPCMPGTB Z4, Z6, K3
	KORTESTQ K3, K3
	JNE  done                       // more than 16 digits
	VPERMB.Z Z1, Z5, K1, Z6
	VPMADDUBSW Z19, Z6, Z6
	VPMADDWD Z18, Z6, Z6
	VPACKUSDW Z6, Z6, Z6
	VPMADDWD Z17, Z6, Z6
	VPMULUDQ Z16, Z6, Z7
	VPSRLQ $32, Z6, Z6
	VPADDQ Z6, Z7, Z7
	VPERMQ Z7, Z15, Z7              // numbers of 64 bits

	XORQ CX, BX
	XORQ R14, BX                    // neither digits nor separators
	BLSRQ CX, DX
	JCS  done                       // no separator
	TESTQ R9, R9
	JNE  weight
	ORQ  BX, DX
	JNE  done

store:
	VMOVDQU X7, (R8)
	ADDQ $16, R8
	LEAQ 1(SI)(R13*1), SI
	JMP  line

weight:
	BLSRQ DX, AX
	JCS  done                       // one separator
	JNE  done                       // more than two
	VEXTRACTI128 $1, Y7, X8
	TESTQ BX, BX
	JEQ  whole
	CMPB lineScan_fractions(R15), $0
	JEQ  done
	BLSRQ BX, AX
	JNE  done
	CMPQ BX, DX
	JCS  done                       // not behind the separators
	TZCNTQ BX, BX
	CMPB (SI)(BX*1), $0x2e
	JNE  done                       // not a point
	TZCNTQ R14, AX
	TZCNTQ DX, DX
	SUBQ AX, DX
	CMPQ DX, $-17
	JLT  done                       // more than 15 digits, which may not be exact
	SUBQ BX, AX                     // digits behind the point, and one
	LEAQ ·wholePowersOfTen(SB), DX
	VMOVQ X8, BX
	IMULQ -8(DX)(AX*8), BX
	VPEXTRQ $1, X8, DX
	ADDQ DX, BX
	LEAQ ·powersOfTen(SB), DX
	VCVTSI2SDQ BX, X14, X9
	VDIVSD -8(DX)(AX*8), X9, X9
	VMOVQ X9, DX
	ANDL $0x1fffffff, DX
	CMPL DX, $0x10000000
	JEQ  done                       // in the middle between two of 32 bits
	VCVTSD2SS X9, X14, X9
	VMOVSS X9, (R9)
	ADDQ $4, R9
	JMP  store

whole:
	VMOVQ X8, AX
	VCVTSI2SSQ AX, X14, X9
	VMOVSS X9, (R9)
	ADDQ $4, R9
	JMP  store

letter:                                 // a letter and a separator before the first number
	BTQ  $1, CX
	JCC  done
	MOVBLZX lineScan_letter(R15), AX
	CMPB AX, (SI)
	JNE  done
	JMP  numbers

adjacent:                               // a number is missing, unless the line ends with \r\n
	TESTQ R13, R13
	JEQ  done
	CMPB -1(SI)(R13*1), $0x0d
	JNE  done
	XORQ R14, BX
	SHRQ $1, R14
	LEAQ (R12)(BX*2), AX
	TESTQ BX, AX
	JEQ  ends

done:
	VZEROUPPER
	SUBQ lineScan_text(R15), SI
	MOVQ SI, lineScan_bytes(R15)
	SUBQ lineScan_edges(R15), R8
	SHRQ $4, R8
	MOVQ R8, lineScan_lines(R15)
	RET
