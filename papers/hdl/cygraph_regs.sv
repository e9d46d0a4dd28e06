// The registers that the host sees, on AXI4-Lite.
//
//   00  control    write 1: search
//   04  status     1 busy, 2 overflow of a queue, 4 memory error
//   08  rows       byte address, 0C high half
//   10  entries    byte address, 14 high half
//   18  queue 0    byte address, 1C high half
//   20  queue 1    byte address, 24 high half
//   28  capacity   words in each queue
//   2C  length     words in queue 0 to begin with
//   30  pace       cycles from one request of a kernel to the next
//   34  split      longest row pushed whole; 0: any
//   38  burst      entries a request brings at most
//   3C  flags      1: P2 and P3 take turns, 2: ask the filter
//   40  cycles     of the last search, 44 high half
//   48  levels     of the last search
//   4C  kernels
module cygraph_regs #(
    parameter int KERNELS = 64
) (
    input  logic        clk,
    input  logic        rst,

    input  logic        s_awvalid,
    output logic        s_awready,
    input  logic [7:0]  s_awaddr,
    input  logic        s_wvalid,
    output logic        s_wready,
    input  logic [31:0] s_wdata,
    output logic        s_bvalid,
    input  logic        s_bready,
    output logic [1:0]  s_bresp,
    input  logic        s_arvalid,
    output logic        s_arready,
    input  logic [7:0]  s_araddr,
    output logic        s_rvalid,
    input  logic        s_rready,
    output logic [31:0] s_rdata,
    output logic [1:0]  s_rresp,

    output logic        go,
    output logic [36:0] rows_at,
    output logic [36:0] entries_at,
    output logic [36:0] queue0_at,
    output logic [36:0] queue1_at,
    output logic [31:0] capacity,
    output logic [31:0] first,
    output logic [7:0]  pace,
    output logic [31:0] split,
    output logic [4:0]  burst,
    output logic        turns,
    output logic        filter,
    input  logic        busy,
    input  logic        overflow,
    input  logic        failed,
    input  logic [63:0] cycles,
    input  logic [31:0] levels
);
    logic [63:0] base[0:3];
    logic        write;

    assign rows_at    = base[0][39:3];
    assign entries_at = base[1][39:3];
    assign queue0_at  = base[2][39:3];
    assign queue1_at  = base[3][39:3];

    assign write     = s_awvalid && s_wvalid && !s_bvalid;
    assign s_awready = write;
    assign s_wready  = write;
    assign s_bresp   = 2'b00;
    assign s_arready = !s_rvalid;
    assign s_rresp   = 2'b00;

    always_ff @(posedge clk) begin
        go <= !rst && write && s_awaddr == 8'h00 && s_wdata[0] && !busy;
        if (rst) begin
            s_bvalid <= 1'b0;
            pace     <= 8'd1;
            split    <= '0;
            burst    <= 5'd1;
            turns    <= 1'b0;
            filter   <= 1'b0;
        end else begin
            s_bvalid <= write || (s_bvalid && !s_bready);
            if (write && !busy)
                case (s_awaddr)
                    8'h08: base[0][31:0] <= s_wdata;
                    8'h0c: base[0][63:32] <= s_wdata;
                    8'h10: base[1][31:0] <= s_wdata;
                    8'h14: base[1][63:32] <= s_wdata;
                    8'h18: base[2][31:0] <= s_wdata;
                    8'h1c: base[2][63:32] <= s_wdata;
                    8'h20: base[3][31:0] <= s_wdata;
                    8'h24: base[3][63:32] <= s_wdata;
                    8'h28: capacity <= s_wdata;
                    8'h2c: first <= s_wdata;
                    8'h30: pace <= s_wdata[7:0];
                    8'h34: split <= s_wdata;
                    8'h38: burst <= s_wdata[4:0];
                    8'h3c: {filter, turns} <= s_wdata[1:0];
                    default: ;
                endcase
        end
    end

    always_ff @(posedge clk) begin
        if (rst) s_rvalid <= 1'b0;
        else s_rvalid <= (s_arvalid && s_arready) || (s_rvalid && !s_rready);
        if (s_arvalid && s_arready)
            case (s_araddr)
                8'h04: s_rdata <= {29'd0, failed, overflow, busy};
                8'h28: s_rdata <= capacity;
                8'h2c: s_rdata <= first;
                8'h40: s_rdata <= cycles[31:0];
                8'h44: s_rdata <= cycles[63:32];
                8'h48: s_rdata <= levels;
                8'h4c: s_rdata <= 32'(KERNELS);
                default: s_rdata <= '0;
            endcase
    end
endmodule
