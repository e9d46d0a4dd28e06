#include "go_asm.h"
#include "textflag.h"

// The kernels of construction by transposing twice.

// func divideAVX512(pairs *uint64, n int, d *division, at *uint16, words *uint32) (count int)
//
// The words of a vector of eight edges are sixteen rows; exchanged, they are the neighbours.
//
//	SI pairs   CX pairs left   DI end of the tiles   DX end of the words
//	Z16 first vertices of the rounds, by block   Z17 their first tiles
//	X18 shift of neighbours to blocks   X19 … of rows to stripes   X20 bits of a neighbour
TEXT ·divideAVX512(SB), NOSPLIT, $0-48
	MOVQ pairs+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ d+16(FP), AX
	MOVQ at+24(FP), DI
	MOVQ words+32(FP), DX
	VMOVDQU32 division_first(AX), Z16
	VMOVDQU32 division_tile(AX), Z17
	VMOVQ division_columnShift(AX), X18
	VMOVQ division_stripeShift(AX), X19
	VMOVQ division_columnBits(AX), X20

eight:
	SUBQ $8, CX
	JLT  done
	VMOVDQU64 (SI), Z0
	PREFETCHT0 1024(SI)
	ADDQ $64, SI
	VPRORQ  $32, Z0, Z1
	VPCMPUD $4, Z1, Z0, K1          // no loops
	VPSRLD  X18, Z1, Z2             // block
	VPSRLD  X19, Z0, Z3             // stripe
	VPSLLD  X20, Z0, Z4
	VPERMD  Z16, Z2, Z5
	VPERMD  Z17, Z2, Z6
	VPSUBD  Z5, Z1, Z5
	VPADDD  Z6, Z3, Z3              // tile
	VPORD   Z5, Z4, Z4              // word
	KMOVW   K1, AX
	VPCOMPRESSD Z3, K1, Z3
	VPCOMPRESSD Z4, K1, Z4
	POPCNTL AX, AX
	VPMOVDW Z3, (DI)
	VMOVDQU32 Z4, (DX)
	LEAQ (DI)(AX*2), DI
	LEAQ (DX)(AX*4), DX
	JMP  eight

done:
	VZEROUPPER
	SUBQ at+24(FP), DI
	SHRQ $1, DI
	MOVQ DI, count+40(FP)
	RET

// func countEachAMD64(at *uint16, n int, counts *uint32)
TEXT ·countEachAMD64(SB), NOSPLIT, $0-24
	MOVQ at+0(FP), SI
	MOVQ n+8(FP), DI
	LEAQ (SI)(DI*2), DI
	MOVQ counts+16(FP), R8

one:
	CMPQ SI, DI
	JEQ  done
	MOVWLZX (SI), AX
	ADDQ $2, SI
	INCL (R8)(AX*4)
	JMP  one

done:
	RET

// func spreadAVX512(s *spreading)
//
//	SI place   DI its end   DX word   R8 ends of the buffers   R9 buffers   R12 lines   R13 where buffers go   BX past the caches
TEXT ·spreadAVX512(SB), NOSPLIT, $0-8
	MOVQ s+0(FP), R15
	MOVQ spreading_at(R15), SI
	MOVQ spreading_words(R15), DX
	MOVQ spreading_n(R15), DI
	LEAQ (SI)(DI*2), DI
	MOVQ spreading_done(R15), AX
	LEAQ (SI)(AX*2), SI
	LEAQ (DX)(AX*4), DX
	MOVQ spreading_ends(R15), R8
	MOVQ spreading_buffers(R15), R9
	MOVQ spreading_lines(R15), R12
	MOVQ spreading_to(R15), R13
	MOVBLZX spreading_past(R15), BX

word:
	CMPQ SI, DI
	JEQ  done
	MOVWLZX (SI), R11
	MOVL (DX), AX
	ADDQ $2, SI
	ADDQ $4, DX
	MOVL (R8)(R11*4), R10
	MOVL AX, (R9)(R10*4)
	INCL R10
	MOVL R10, (R8)(R11*4)
	TESTL $(const_lineEntries-1), R10
	JNZ  word

	MOVL R10, AX                    // back to the start of the buffer at its end
	ANDL $const_lineEntries, AX
	LEAL -const_ringEntries(R10)(AX*2), R10
	MOVL R10, (R8)(R11*4)
	MOVL line_to(R12)(R11*8), AX
	CMPL AX, line_end(R12)(R11*8)
	JCC  stuck
	VMOVDQU64 (R9)(R10*4), Z0
	LEAQ (R13)(AX*4), CX
	ADDL $const_lineEntries, AX
	MOVL AX, line_to(R12)(R11*8)
	TESTB BX, BX
	JNE  past
	VMOVDQU64 Z0, (CX)
	JMP  word

past:
	VMOVNTDQ Z0, (CX)
	JMP  word

stuck:
	MOVQ R11, spreading_stuck(R15)
	JMP  end

done:
	MOVQ $-1, spreading_stuck(R15)

end:
	SFENCE
	SUBQ spreading_at(R15), SI
	SHRQ $1, SI
	MOVQ SI, spreading_done(R15)
	VZEROUPPER
	RET

// func countRowsAMD64(tile *uint32, n int, shift uint64, copied, counts *uint32)
TEXT ·countRowsAMD64(SB), NOSPLIT, $0-40
	MOVQ tile+0(FP), SI
	MOVQ n+8(FP), DI
	LEAQ (SI)(DI*4), DI
	MOVQ shift+16(FP), CX
	MOVQ copied+24(FP), R9
	MOVQ counts+32(FP), R8

word:
	CMPQ SI, DI
	JEQ  done
	PREFETCHT0 1024(SI)
	MOVL (SI), AX
	ADDQ $4, SI
	MOVL AX, (R9)
	ADDQ $4, R9
	SHRXL CX, AX, AX
	INCL (R8)(AX*4)
	JMP  word

done:
	RET

// func putTogetherAMD64(words *uint32, n int, shift uint64, next, to *uint32)
TEXT ·putTogetherAMD64(SB), NOSPLIT, $0-40
	MOVQ words+0(FP), SI
	MOVQ n+8(FP), DI
	LEAQ (SI)(DI*4), DI
	MOVQ shift+16(FP), CX
	MOVQ next+24(FP), R8
	MOVQ to+32(FP), R9

word:
	CMPQ SI, DI
	JEQ  done
	MOVL (SI), AX
	ADDQ $4, SI
	SHRXL CX, AX, DX
	MOVL (R8)(DX*4), R10
	MOVL AX, (R9)(R10*4)
	INCL R10
	MOVL R10, (R8)(DX*4)
	JMP  word

done:
	RET

// How many ranks before its use a row is fetched; where it starts is fetched twice as many
// before. A walk took 1.2 times as long with a quarter of it.
#define rowsAhead 32

// func walkAVX512(w *walk)
//
//	SI vertices by rank   R8 rank   R9 the one after the last   BX starts of rows   R12 rows
//	DI tiles   DX words   R13 end of the room for words   CX skip
//	Z16 mask of a neighbour   X17 shift to buckets   X18 shift of rows   Z19 vertex
TEXT ·walkAVX512(SB), NOSPLIT, $0-8
	MOVQ w+0(FP), R15
	MOVQ walk_byRank(R15), SI
	MOVQ walk_rank(R15), R8
	MOVQ walk_end(R15), R9
	MOVQ walk_rowAt(R15), BX
	MOVQ walk_room(R15), R12
	MOVQ walk_skip(R15), CX
	MOVQ walk_columnMask(R15), AX
	VPBROADCASTD AX, Z16
	VMOVQ walk_rowShift(R15), X17
	VMOVQ walk_up(R15), X18
	MOVQ walk_at(R15), DI
	MOVQ walk_words(R15), DX
	MOVQ walk_most(R15), R13
	LEAQ (DX)(R13*4), R13

rank:
	CMPQ R8, R9
	JGE  done
	LEAQ (2*rowsAhead)(R8), AX
	CMPQ AX, R9
	CMOVQGE R8, AX
	MOVL (SI)(AX*4), AX
	PREFETCHT0 (BX)(AX*4)
	LEAQ rowsAhead(R8), AX
	CMPQ AX, R9
	CMOVQGE R8, AX
	MOVL (SI)(AX*4), AX
	MOVL (BX)(AX*4), AX
	PREFETCHT0 (R12)(AX*4)
	PREFETCHT0 60(R12)(AX*4)        // a vector of words mostly reaches into the next line
	MOVL (SI)(R8*4), AX
	VPBROADCASTD AX, Z19
	MOVL (BX)(AX*4), R10            // start of the row
	MOVL 4(BX)(AX*4), R11
	ADDQ CX, R10
	XORL CX, CX

sixteen:
	VMOVDQU32 (R12)(R10*4), Z0
	VPANDD  Z16, Z0, Z1
	VPSLLD  X18, Z0, Z0
	VPSRLD  X17, Z1, Z1             // bucket
	VPORD   Z19, Z0, Z0
	VPMOVDW Z1, (DI)
	VMOVDQU32 Z0, (DX)
	MOVQ R11, AX
	SUBQ R10, AX                    // entries left
	ADDQ $16, R10
	CMPQ AX, $16
	JHI  more
	LEAQ (DI)(AX*2), DI
	LEAQ (DX)(AX*4), DX
	INCQ R8
	CMPQ DX, R13
	JCS  rank
	JMP  done

more:
	ADDQ $32, DI
	ADDQ $64, DX
	PREFETCHT0 1024(R12)(R10*4)
	CMPQ DX, R13
	JCS  sixteen
	MOVL (SI)(R8*4), AX
	MOVL (BX)(AX*4), CX
	SUBQ R10, CX
	NEGQ CX

done:
	MOVQ R8, walk_rank(R15)
	MOVQ CX, walk_skip(R15)
	SUBQ walk_words(R15), DX
	SHRQ $2, DX
	MOVQ DX, walk_n(R15)
	VZEROUPPER
	RET

// func dealWordsAMD64(words *uint32, n int, shift uint64, last *uint64, rows, next *uint32)
//
//	SI words   DI their end   R8 last   R9 rows   BX mask
TEXT ·dealWordsAMD64(SB), NOSPLIT, $0-48
	MOVQ words+0(FP), SI
	MOVQ n+8(FP), DI
	LEAQ (SI)(DI*4), DI
	MOVQ shift+16(FP), CX
	MOVQ last+24(FP), R8
	MOVQ rows+32(FP), R9
	MOVL $1, BX
	SHLXL CX, BX, BX
	DECL BX
	MOVQ next+40(FP), R13
	SUBQ SI, R13

word:
	CMPQ SI, DI
	JEQ  done
	PREFETCHT0 (SI)(R13*1)
	MOVL (SI), AX
	ADDQ $4, SI
	SHRXL CX, AX, DX                // row
	ANDL BX, AX                     // vertex
	MOVQ (R8)(DX*8), R10
	MOVL R10, R11                   // end of the row
	SHRQ $32, R10                   // what it got last
	MOVL AX, (R9)(R11*4)            // what comes next overwrites a duplicate
	XORL R12, R12
	CMPL R10, AX
	SETNE R12
	ADDL R12, R11
	SHLQ $32, AX
	ORQ  R11, AX
	MOVQ AX, (R8)(DX*8)
	JMP  word

done:
	RET
