// A CyGraph kernel: four processes in a row, one memory port, one station on the
// ring.
//
//   P1  reads row words from the current queue, at id + i * KERNELS
//   P2  walks the list of each row word and reads its entries
//   P3  reads the row word of each entry
//   P4  visits the rows that were not: writes the visited word in their place
//       and sets the old word aside for the next queue
//
// A row word is {first entry, count, 0}, or {origin, level, 1} once visited. The
// Go model of this module is kernel.go; names are the same, and so is every
// cycle.

// Credits bound what a FIFO holds, so most ends of FIFOs need not be asked.
/* verilator lint_off PINCONNECTEMPTY */
module cygraph_kernel #(
    parameter int KERNELS = 64,
    parameter int DEPTH   = 512  // of every FIFO, a power of two
) (
    input  logic        clk,
    input  logic        rst,
    input  logic [31:0] id,

    // Settings; they stand still while a search runs. Addresses count words.
    input  logic [36:0] rows_at,
    input  logic [36:0] entries_at,
    input  logic [36:0] queue0_at,
    input  logic [36:0] queue1_at,
    input  logic [31:0] capacity,  // words in each queue
    input  logic [7:0]  pace,      // cycles from one request to the next, at least 1
    input  logic [31:0] split,     // longest row that is pushed whole; 0: any
    input  logic [4:0]  burst,     // entries a request brings at most: 1, 2, 4, 8, 16
    input  logic        turns,     // P2 and P3 take turns; otherwise P3 goes first
    input  logic        filter,    // ask the filter before visiting

    // The ring: a start of level {1, first level?, length}, or the token
    // {0, all idle so far?, slots reserved so far}.
    input  logic        ring_valid,
    input  logic        ring_start,
    input  logic        ring_flag,
    input  logic [31:0] ring_count,
    output logic        pass_valid,
    output logic        pass_start,
    output logic        pass_flag,
    output logic [31:0] pass_count,

    // The filter: was the label claimed before? The answer comes one cycle after
    // the question was taken.
    output logic        ask_valid,
    output logic [31:0] ask_label,
    input  logic        ask_taken,
    input  logic        known,

    // The memory port. Responses and acknowledgements never wait.
    output logic        req_valid,
    input  logic        req_ready,
    output logic        req_write,
    output logic        req_flush,  // to be answered when all writes are acknowledged
    output logic [1:0]  req_tag,    // the process that asked
    output logic [2:0]  req_beats,  // words to read, less one
    output logic [36:0] req_addr,
    output logic [63:0] req_data,
    input  logic        rsp_valid,
    input  logic [1:0]  rsp_tag,
    input  logic [63:0] rsp_data,
    input  logic        ack_valid,
    input  logic        flush_done
);
    /* verilator no_inline_module */  // one copy of the code for all kernels
    localparam int A = $clog2(DEPTH);
    localparam logic [A:0] FULL = (A + 1)'(DEPTH);

    // Of the level.
    logic [31:0] level;  // that this level's finds will have; 31 bits fit the word
    logic [31:0] length;
    logic [36:0] source, target;
    assign source = level[0] ? queue1_at : queue0_at;
    assign target = level[0] ? queue0_at : queue1_at;

    // The station.
    logic        here, here_start, here_flag;
    logic [31:0] here_count;
    logic        starting, reserving;

    // Words, entries and rows in flight or in a FIFO, and unacknowledged writes.
    // None exceeds DEPTH, so every response finds room.
    logic [A:0] words_used, ids_used, rows_used, writes_used;

    // What each process has processed in this level, and what it left to the next one: a
    // process is done when the one before it is, and it has processed as many items.
    logic [31:0] words_asked, words_taken, entries_asked, entries_taken, rows_taken, set_aside, pushed;
    logic        p1_done, p2_done, p3_done, p4_done, done;
    logic        flush, flushing, flushed;

    // P1
    logic [32:0] index;
    logic        word_empty;
    logic [63:1] word;  // a queued word is never visited
    // P2
    logic [31:0] at, left, origin;
    logic [4:0]  take;
    logic [2:0]  take_beats;
    logic        load;
    // P3
    logic        ids_empty, id_last, id_odd, ids_pop;
    logic [63:0] ids;
    logic [31:0] list_origin, u;
    logic        list_odd;
    logic [4:0]  list_count, taken;
    // P4
    logic        rows_empty, rows_pop;
    logic [63:0] row;
    logic [31:0] walk_id, walk_origin;
    logic [31:0] rest_at, rest_count;
    logic        cutting, cut, drop;
    logic [31:0] cut_at, cut_count, piece;
    logic        asked, answering, known_q, old;
    logic        next_empty, next_full;
    logic [63:0] next;
    logic [A:0]  demand, reserved;
    logic [31:0] slot;

    // The multiplexer: P4's visit, P4's push, P3, P2, P1.
    logic       open, turn, row_first;
    logic [7:0] hold;
    logic       want_claim, want_push, want_row, want_list, want_word;
    logic       claim, push, fetch_row, fetch_list, fetch_word;
    logic       write_room, push_fits, request;
    logic [3:0] beats;  // of a burst

    assign beats      = burst[0] ? 4'd1 : burst[4:1];
    assign write_room = writes_used != FULL;
    assign open       = (!req_valid || req_ready) && hold == 0;
    assign want_claim = !cutting && !rows_empty && !row[0] && (!filter || (asked && !old))
                     && write_room && (!next_full || row[31:1] == 0);
    assign want_push  = reserved != 0 && write_room;
    assign want_row   = rows_used != FULL && !ids_empty;
    assign want_list  = left != 0 && 16'(ids_used) + 16'(beats) <= 16'(FULL);
    assign want_word  = index < {1'b0, length} && words_used != FULL;
    assign row_first  = !(turns && turn && want_list);

    assign claim      = open && want_claim;
    assign push       = open && !want_claim && want_push;
    assign fetch_row  = open && !want_claim && !want_push && want_row && row_first;
    assign fetch_list = open && !want_claim && !want_push && !(want_row && row_first) && want_list;
    assign fetch_word = open && !want_claim && !want_push && !want_row && !want_list && want_word;

    // A slot behind the end of the queue is passed over. The master sees the
    // overflow in the token.
    assign push_fits = slot < capacity;
    assign flush     = open && done && !flushing && !flushed;
    assign request   = claim || (push && push_fits) || fetch_row || fetch_list || fetch_word || flush;

    always_ff @(posedge clk) begin
        if (rst) begin
            req_valid <= 1'b0;
            hold      <= '0;
            turn      <= 1'b0;
        end else begin
            if (request) req_valid <= 1'b1;
            else if (req_ready) req_valid <= 1'b0;
            if (request) hold <= pace - 8'd1;
            else if (hold != 0) hold <= hold - 8'd1;
            if (fetch_row || fetch_list) turn <= fetch_row;
        end
        if (request) begin
            req_write <= claim || push;
            req_flush <= flush;
            req_tag   <= fetch_row ? 2'd3 : fetch_list ? 2'd2 : fetch_word ? 2'd1 : 2'd0;
            req_beats <= fetch_list ? take_beats : 3'd0;
            req_addr  <= claim      ? rows_at + 37'(walk_id) :
                         push       ? target + 37'(slot) :
                         fetch_row  ? rows_at + 37'(u) :
                         fetch_list ? entries_at + 37'(at[31:1]) :
                                      source + 37'(index);
            req_data  <= claim ? {walk_origin, level[30:0], 1'b1} : next;
        end
    end

    // P1
    always_ff @(posedge clk) begin
        if (rst) index <= '0;
        else if (starting) index <= 33'(id);
        else if (fetch_word) index <= index + 33'(KERNELS);
    end

    cygraph_fifo #(.WIDTH(63), .DEPTH(DEPTH)) words (
        .clk, .rst, .push(rsp_valid && rsp_tag == 2'd1), .din(rsp_data[63:1]),
        .pop(load), .dout(word), .empty(word_empty), .full()
    );

    // P2: up to the end of the list, or to the next boundary of a burst. The
    // next list comes in the cycle in which the last one ends.
    logic [4:0]  to_boundary;
    logic [31:0] after;
    assign to_boundary = burst - (at[4:0] & (burst - 5'd1));
    assign take        = left < 32'(to_boundary) ? left[4:0] : to_boundary;
    assign after       = at + 32'(take);
    assign take_beats  = 3'(((5'(at[0]) + take + 5'd1) >> 1) - 5'd1);
    assign load        = !word_empty && (left == 0 || (fetch_list && left == 32'(take)));

    always_ff @(posedge clk) begin
        if (rst) left <= '0;
        else if (load) left <= {1'b0, word[31:1]};
        else if (fetch_list) left <= left - 32'(take);
        if (load) begin
            at     <= word[63:32];
            origin <= word[63:32];
        end else if (fetch_list) at <= after;
    end

    cygraph_fifo #(.WIDTH(64), .DEPTH(DEPTH)) entries (
        .clk, .rst, .push(rsp_valid && rsp_tag == 2'd2), .din(rsp_data),
        .pop(ids_pop), .dout(ids), .empty(ids_empty), .full()
    );
    cygraph_fifo #(.WIDTH(38), .DEPTH(DEPTH)) lists (
        .clk, .rst, .push(fetch_list), .din({origin, at[0], take}),
        .pop(fetch_row && id_last), .dout({list_origin, list_odd, list_count}), .empty(), .full()
    );

    // P3
    assign id_odd  = list_odd ^ taken[0];
    assign id_last = taken + 5'd1 == list_count;
    assign ids_pop = fetch_row && (id_last || id_odd);
    assign u       = id_odd ? ids[63:32] : ids[31:0];

    always_ff @(posedge clk) begin
        if (rst) taken <= '0;
        else if (fetch_row) taken <= id_last ? '0 : taken + 5'd1;
    end

    cygraph_fifo #(.WIDTH(64), .DEPTH(DEPTH)) rows (
        .clk, .rst, .push(rsp_valid && rsp_tag == 2'd3), .din(rsp_data),
        .pop(rows_pop), .dout(row), .empty(rows_empty), .full()
    );
    cygraph_fifo #(.WIDTH(64), .DEPTH(DEPTH)) walks (
        .clk, .rst, .push(fetch_row), .din({u, list_origin}),
        .pop(rows_pop), .dout({walk_id, walk_origin}), .empty(), .full()
    );

    // P4: a visited row is dropped, and so is one that the filter knows; a claimed row is set aside, in pieces if it
    // is long.
    assign cutting   = rest_count != 0;
    assign drop      = !cutting && !rows_empty && (row[0] || (asked && old));
    assign rows_pop  = drop || claim;
    assign cut       = cutting ? !next_full : claim && row[31:1] != 0;
    assign cut_at    = cutting ? rest_at : row[63:32];
    assign cut_count = cutting ? rest_count : {1'b0, row[31:1]};
    assign piece     = split != 0 && cut_count > split ? split : cut_count;

    always_ff @(posedge clk) begin
        if (rst) rest_count <= '0;
        else if (cut) rest_count <= cut_count - piece;
        if (cut) rest_at <= cut_at + piece;
    end

    // The filter is asked once about the oldest row.
    assign ask_valid = filter && !cutting && !rows_empty && !row[0] && !asked;
    assign ask_label = walk_id;
    assign old       = answering ? known : known_q;

    always_ff @(posedge clk) begin
        answering <= ask_taken;
        known_q   <= old;
        if (rst || rows_pop) asked <= 1'b0;
        else if (ask_taken) asked <= 1'b1;
    end

    cygraph_fifo #(.WIDTH(64), .DEPTH(DEPTH)) aside (
        .clk, .rst, .push(cut), .din({cut_at, piece[30:0], 1'b0}),
        .pop(push), .dout(next), .empty(next_empty), .full(next_full)
    );

    // The ring. A reservation is made for all that is set aside, unless an
    // earlier one is still being used, and is good from the next cycle on. A word
    // that waits for one is not yet pushed, so the kernel is not idle.
    assign starting  = here && here_start && (here_flag || here_count != 0);  // otherwise it is a stop
    assign reserving = here && !here_start && reserved == 0 && demand != 0;
    assign p1_done   = index >= {1'b0, length};
    assign p2_done   = p1_done && words_taken == words_asked && left == 0;
    assign p3_done   = p2_done && entries_taken == entries_asked;
    assign p4_done   = p3_done && rows_taken == entries_taken && !cutting && pushed == set_aside;
    assign done      = p4_done && word_empty && ids_empty && rows_empty && next_empty;

    assign pass_valid = here;
    assign pass_start = here_start;
    assign pass_flag  = here_flag && (here_start || flushed);
    assign pass_count = reserving ? here_count + 32'(demand) : here_count;

    always_ff @(posedge clk) begin
        here       <= !rst && ring_valid;
        here_start <= ring_start;
        here_flag  <= ring_flag;
        here_count <= ring_count;
        if (rst) begin
            level    <= '0;
            length   <= '0;
            demand   <= '0;
            reserved <= '0;
        end else begin
            if (starting) begin
                level  <= here_flag ? 32'd2 : level + 32'd1;
                length <= here_count;
            end
            demand <= (reserving ? '0 : demand) + (A + 1)'(cut);
            if (reserving) reserved <= demand;
            else if (push) reserved <= reserved - (A + 1)'(1);
        end
        if (reserving) slot <= here_count;
        else if (push) slot <= slot + 32'd1;
    end

    // A kernel that is done flushes its port, and is idle when that is answered.
    always_ff @(posedge clk) begin
        if (rst) begin
            flushing <= 1'b0;
            flushed  <= 1'b1;
        end else begin
            flushing <= flush || (flushing && !flush_done);
            flushed  <= (flushed || flush_done) && !starting;
        end
        if (rst || starting) begin
            words_asked   <= '0;
            words_taken   <= '0;
            entries_asked <= '0;
            entries_taken <= '0;
            rows_taken    <= '0;
            set_aside     <= '0;
            pushed        <= '0;
        end else begin
            words_asked   <= words_asked + 32'(fetch_word);
            words_taken   <= words_taken + 32'(load);
            entries_asked <= entries_asked + (fetch_list ? 32'(take) : '0);
            entries_taken <= entries_taken + 32'(fetch_row);
            rows_taken    <= rows_taken + 32'(rows_pop);
            set_aside     <= set_aside + 32'(cut);
            pushed        <= pushed + 32'(push);
        end
    end

    // What is in flight.
    always_ff @(posedge clk) begin
        if (rst) begin
            words_used  <= '0;
            ids_used    <= '0;
            rows_used   <= '0;
            writes_used <= '0;
        end else begin
            words_used  <= words_used + (A + 1)'(fetch_word) - (A + 1)'(load);
            ids_used    <= ids_used + (fetch_list ? (A + 1)'(take_beats) + (A + 1)'(1) : '0) - (A + 1)'(ids_pop);
            rows_used   <= rows_used + (A + 1)'(fetch_row) - (A + 1)'(rows_pop);
            writes_used <= writes_used + (A + 1)'(claim || (push && push_fits)) - (A + 1)'(ack_valid);
        end
    end
endmodule
/* verilator lint_on PINCONNECTEMPTY */
