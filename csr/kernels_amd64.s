#include "go_asm.h"
#include "textflag.h"

// The kernels of pick.go and bin.go.

// func pickAVX512(pairs *uint64, n int, first, span uint32, ends uint64, picked *uint64) (count int)
//
//	SI pairs   CX pairs left   DI end of what is picked   R8 ends
//	Z16 first, in the low halves   Z17 span, in the high halves
//	K5 pairs whose U has an entry   K6 … whose V has one
TEXT ·pickAVX512(SB), NOSPLIT, $0-48
	MOVQ pairs+0(FP), SI
	MOVQ n+8(FP), CX
	MOVL first+16(FP), AX
	VPBROADCASTQ AX, Z16
	MOVL span+20(FP), AX
	SHLQ $32, AX
	VPBROADCASTQ AX, Z17
	MOVQ ends+24(FP), R8
	XORL AX, AX
	TESTQ $1, R8
	SETNE AX
	NEGL AX
	KMOVW AX, K5
	XORL AX, AX
	TESTQ $2, R8
	SETNE AX
	NEGL AX
	KMOVW AX, K6
	MOVQ picked+32(FP), DI

eight:
	SUBQ $8, CX
	JLT  done
	VMOVDQU64 (SI), Z0
	PREFETCHT0 1024(SI)
	ADDQ $64, SI
	VPRORQ  $32, Z0, Z1
	VPCMPUQ $4, Z1, Z0, K1          // no loops
	VPSUBD  Z16, Z0, Z2             // rows begin at first; the high halves stay
	VPSUBD  Z16, Z1, Z3
	VPSLLQ  $32, Z2, Z4
	VPSLLQ  $32, Z3, Z5
	KANDW   K1, K5, K2
	KANDW   K1, K6, K3
	VPCMPUQ $1, Z17, Z4, K2, K2     // row below span
	VPCMPUQ $1, Z17, Z5, K3, K3
	VPCOMPRESSQ Z2, K2, Z2
	KMOVW   K2, AX
	VPCOMPRESSQ Z3, K3, Z3
	KMOVW   K3, BX
	POPCNTL AX, AX
	VMOVDQU64 Z2, (DI)
	LEAQ    (DI)(AX*8), DI
	POPCNTL BX, BX
	VMOVDQU64 Z3, (DI)
	LEAQ    (DI)(BX*8), DI
	JMP     eight

done:
	VZEROUPPER
	SUBQ picked+32(FP), DI
	SHRQ $3, DI
	MOVQ DI, count+40(FP)
	RET

// func scatterAMD64(s *scatter)
//
//	SI pick   DI end of the picks   BX ranks   R8 ends of the buffers   R9 buffers   CX shift
//	R12 picks   R13 buckets
TEXT ·scatterAMD64(SB), NOSPLIT, $0-8
	MOVQ s+0(FP), R15
	MOVQ scatter_picks(R15), R12
	MOVQ scatter_at(R15), SI
	MOVQ scatter_count(R15), DI
	LEAQ (R12)(SI*8), SI
	LEAQ (R12)(DI*8), DI
	MOVQ scatter_ranks(R15), BX
	MOVQ scatter_next(R15), R8
	MOVQ scatter_buffers(R15), R9
	MOVQ scatter_shift(R15), CX
	MOVQ scatter_buckets(R15), R13

pick:
	CMPQ SI, DI
	JEQ  done
	MOVL (8*const_ranksAhead+4)(SI), R10
	PREFETCHT0 (BX)(R10*4)
	MOVL (SI), AX                   // row
	MOVL 4(SI), DX
	ADDQ $8, SI
	MOVL (BX)(DX*4), DX             // rank
	SHRXQ CX, AX, R11               // bucket
	SHLQ $32, AX
	ORQ  DX, AX
	MOVL (R8)(R11*4), R10
	MOVQ AX, (R9)(R10*8)
	INCL R10
	MOVL R10, (R8)(R11*4)
	TESTL $(const_bufferEntries/2-1), R10
	JNZ  pick
	TESTL $(const_bufferEntries/2), R10
	JZ   full
	SHLQ $const_bucketShift, R11
	LEAQ (R13)(R11*1), AX
	BYTE $0x0F; BYTE $0x0D; BYTE $0x08 // PREFETCHW (AX): the flush to come writes there
	JMP  pick

full:
	SUBQ R12, SI
	SHRQ $3, SI
	MOVQ SI, scatter_at(R15)
	MOVQ R11, scatter_full(R15)
	RET

done:
	SUBQ R12, SI
	SHRQ $3, SI
	MOVQ SI, scatter_at(R15)
	MOVQ $-1, scatter_full(R15)
	RET

// func splitAVX512(from *uint64, n int, mask uint64, rowOf *uint16, ranks *uint32)
TEXT ·splitAVX512(SB), NOSPLIT, $0-40
	MOVQ from+0(FP), SI
	MOVQ n+8(FP), CX
	VPBROADCASTQ mask+16(FP), Z16
	MOVQ rowOf+24(FP), DI
	MOVQ ranks+32(FP), DX

eight:
	SUBQ $8, CX
	JLT  done
	VMOVDQU64 (SI), Z0
	VPSRLQ  $32, Z0, Z1
	VPMOVQD Z0, (DX)
	VPANDQ  Z16, Z1, Z1
	VPMOVQW Z1, (DI)
	ADDQ $64, SI
	ADDQ $32, DX
	ADDQ $16, DI
	JMP  eight

done: // what is written next to this bucket mostly follows
	MOVQ DX, AX
	BYTE $0x0F; BYTE $0x0D; BYTE $0x08             // PREFETCHW (AX)
	BYTE $0x0F; BYTE $0x0D; BYTE $0x48; BYTE $0x40 // PREFETCHW 64(AX)
	MOVQ DI, AX
	BYTE $0x0F; BYTE $0x0D; BYTE $0x08             // PREFETCHW (AX)
	VZEROUPPER
	RET

// func largestAVX512(pairs *uint64, n int) uint32
TEXT ·largestAVX512(SB), NOSPLIT, $0-20
	MOVQ pairs+0(FP), SI
	MOVQ n+8(FP), CX
	VPXORQ Z0, Z0, Z0

eight:
	SUBQ $8, CX
	JLT  join
	PREFETCHT0 1024(SI)
	VPMAXUD (SI), Z0, Z0
	ADDQ $64, SI
	JMP  eight

join:
	VEXTRACTI64X4 $1, Z0, Y1
	VPMAXUD Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPMAXUD X1, X0, X0
	VPSHUFD $0x4E, X0, X1
	VPMAXUD X1, X0, X0
	VPSHUFD $0xB1, X0, X1
	VPMAXUD X1, X0, X0
	VMOVD   X0, AX
	VZEROUPPER
	MOVL AX, ret+16(FP)
	RET
