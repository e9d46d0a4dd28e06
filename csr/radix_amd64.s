#include "go_asm.h"
#include "textflag.h"

// The kernels of radix.go and bucket.go.

// func countAMD64(ranks *uint32, n int, low, high *uint32, width uint64)
//
//	SI ranks   DI their end   R8 counters of the low digit   R9 … of the high one   R11 mask
TEXT ·countAMD64(SB), NOSPLIT, $0-40
	MOVQ ranks+0(FP), SI
	MOVQ n+8(FP), DI
	LEAQ (SI)(DI*4), DI
	MOVQ low+16(FP), R8
	MOVQ high+24(FP), R9
	MOVQ width+32(FP), CX
	MOVL $1, R11
	SHLXL CX, R11, R11
	DECL R11

rank:
	CMPQ SI, DI
	JEQ  done
	PREFETCHT0 1024(SI)
	MOVL (SI), AX
	ADDQ $4, SI
	SHRXL CX, AX, DX
	ANDL R11, AX
	INCL (R8)(AX*4)
	INCL (R9)(DX*4)
	JMP  rank

done:
	RET

// func firstAMD64(rowOf *uint16, ranks *uint32, n int, words *uint64, next *uint32, mask uint64)
//
//	SI ranks   DI their end   BX rows   R8 next   R9 words   R11 mask
TEXT ·firstAMD64(SB), NOSPLIT, $0-48
	MOVQ rowOf+0(FP), BX
	MOVQ ranks+8(FP), SI
	MOVQ n+16(FP), DI
	LEAQ (SI)(DI*4), DI
	MOVQ words+24(FP), R9
	MOVQ next+32(FP), R8
	MOVQ mask+40(FP), R11

rank:
	CMPQ SI, DI
	JEQ  done
	PREFETCHT0 512(BX)
	MOVL (SI), AX
	MOVWLZX (BX), DX
	ADDQ $4, SI
	ADDQ $2, BX
	SHLQ $32, DX
	ORQ  AX, DX
	ANDL R11, AX
	MOVL (R8)(AX*4), R10
	MOVQ DX, (R9)(R10*8)
	INCL R10
	MOVL R10, (R8)(AX*4)
	JMP  rank

done:
	RET

// func passAMD64(from *uint64, n int, to *uint64, next *uint32, shift, mask uint64)
//
//	SI from   DI its end   R8 next   R9 to   CX shift   R11 mask
TEXT ·passAMD64(SB), NOSPLIT, $0-48
	MOVQ from+0(FP), SI
	MOVQ n+8(FP), DI
	LEAQ (SI)(DI*8), DI
	MOVQ to+16(FP), R9
	MOVQ next+24(FP), R8
	MOVQ shift+32(FP), CX
	MOVQ mask+40(FP), R11

word:
	CMPQ SI, DI
	JEQ  done
	MOVQ (SI), AX
	ADDQ $8, SI
	SHRXQ CX, AX, DX
	ANDL R11, DX
	MOVL (R8)(DX*4), R10
	MOVQ AX, (R9)(R10*8)
	INCL R10
	MOVL R10, (R8)(DX*4)
	JMP  word

done:
	RET

// func dealAMD64(words *uint64, n int, byRank *uint32, state *uint64, rows *uint32)
//
//	SI words   DI their end   BX byRank   R8 state   R9 rows
TEXT ·dealAMD64(SB), NOSPLIT, $0-40
	MOVQ words+0(FP), SI
	MOVQ n+8(FP), DI
	LEAQ (SI)(DI*8), DI
	MOVQ byRank+16(FP), BX
	MOVQ state+24(FP), R8
	MOVQ rows+32(FP), R9

word:
	CMPQ SI, DI
	JEQ  done
	MOVL (8*const_wordsAhead)(SI), R10
	PREFETCHT0 (BX)(R10*4)
	MOVL (SI), AX                   // rank
	MOVL 4(SI), DX                  // row
	ADDQ $8, SI
	MOVQ (R8)(DX*8), CX
	MOVL (BX)(AX*4), R10            // vertex
	MOVL CX, R11                    // end of the row
	SHRQ $32, CX                    // the rank that it got last
	MOVL R10, (R9)(R11*4)           // what comes next overwrites a duplicate
	XORL R12, R12
	CMPL CX, AX
	SETNE R12
	ADDL R12, R11
	SHLQ $32, AX
	ORQ  R11, AX
	MOVQ AX, (R8)(DX*8)
	JMP  word

done:
	RET
