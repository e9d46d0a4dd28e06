// The master of the first FPGA leads: it starts levels and sees their end.
//
// It sends the start of a level round the ring and the token one cycle behind
// it. A token that comes back from busy kernels is sent on; one that comes back
// from idle kernels only ends the level, and its count is the length of the next
// queue. After the last level it sends a stop to the masters of the other FPGAs: a
// start of no words that is not of the first level.
module cygraph_master (
    input  logic        clk,
    input  logic        rst,

    input  logic        go,        // one cycle: search
    input  logic [31:0] first,     // words in the queue to begin with
    input  logic [31:0] capacity,  // of a queue
    input  logic        running,   // this master or another one is busy
    output logic        busy,
    output logic        overflow,  // the last search needed a longer queue
    output logic [63:0] cycles,    // for which a master was busy
    output logic [31:0] levels,    // that have ended
    output logic        level_end, // one cycle
    output logic [31:0] level_next,

    input  logic        ring_valid,
    input  logic        ring_start,
    input  logic        ring_flag,
    input  logic [31:0] ring_count,
    output logic        pass_valid,
    output logic        pass_start,
    output logic        pass_flag,
    output logic [31:0] pass_count
);
    localparam logic [2:0] REST = 3'd0, START = 3'd1, TOKEN = 3'd2, WAIT = 3'd3, STOP = 3'd4;

    logic [2:0]  state;
    logic [31:0] length;
    logic        here, here_flag;  // the token; a start that comes back is of no use
    logic [31:0] here_count;
    logic        too_long;

    assign busy       = state != REST;
    assign level_end  = state == WAIT && here && here_flag;
    assign level_next = here_count;
    assign too_long   = here_count > capacity;

    assign pass_valid = state == START || state == TOKEN || state == STOP || (state == WAIT && here && !here_flag);
    assign pass_start = state == START || state == STOP;
    assign pass_flag  = state == START ? levels == 0 : state != STOP;
    assign pass_count = state == START ? length : state == WAIT ? here_count : '0;

    always_ff @(posedge clk) begin
        here       <= !rst && ring_valid && !ring_start;
        here_flag  <= ring_flag;
        here_count <= ring_count;
        if (rst) begin
            state    <= REST;
            overflow <= 1'b0;
            cycles   <= '0;
            levels   <= '0;
        end else begin
            if (running) cycles <= cycles + 64'd1;
            case (state)
                REST:
                if (go) begin
                    state    <= START;
                    length   <= first;
                    levels   <= '0;
                    cycles   <= '0;
                    overflow <= 1'b0;
                end
                START: state <= TOKEN;
                TOKEN: state <= WAIT;
                STOP: state <= REST;
                default:
                if (level_end) begin
                    state    <= here_count == 0 || too_long ? STOP : START;
                    length   <= here_count;
                    levels   <= levels + 32'd1;
                    overflow <= too_long;
                end
            endcase
        end
    end
endmodule
