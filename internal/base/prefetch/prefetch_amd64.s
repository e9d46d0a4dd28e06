#include "textflag.h"

// func row(p *uint32)
TEXT ·row(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), AX
	PREFETCHT0 (AX)
	PREFETCHT0 64(AX)
	RET

// func lines(a, b, c unsafe.Pointer)
TEXT ·lines(SB), NOSPLIT, $0-24
	MOVQ a+0(FP), AX
	MOVQ b+8(FP), BX
	MOVQ c+16(FP), CX
	PREFETCHT0 (AX)
	PREFETCHT0 (BX)
	PREFETCHT0 (CX)
	RET

// func line(p unsafe.Pointer)
TEXT ·line(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), AX
	PREFETCHT0 (AX)
	RET

// func each(table *uint32, pairs *uint64, count int64)
TEXT ·each(SB), NOSPLIT, $0-24
	MOVQ table+0(FP), R11
	MOVQ pairs+8(FP), SI
	MOVQ count+16(FP), R13          // as the end of the pairs
	LEAQ (SI)(R13*8), R13

pair:
	CMPQ SI, R13
	JAE  done
	MOVL 4(SI), AX                  // high half
	PREFETCHT0 (R11)(AX*4)
	ADDQ $8, SI
	JMP  pair

done:
	RET
