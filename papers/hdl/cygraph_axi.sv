// From a kernel's memory port to an AXI4 master of 64 bits.
//
// A read goes out on AR with its tag as id, a write on AW and W, which may be
// taken in either order. The kernel needs responses of one id in order, which
// AXI grants, and is always ready for them. It counts beats itself and takes
// acknowledgements as they come, so rlast and bid are of no use here.
//
// AXI has no flush. The master counts the writes under way and answers a flush when
// none is left.
//
// A burst of reads never leaves its line of 64 bytes, so it cannot cross a
// boundary of 4 KiB, if the entries start with a line.
module cygraph_axi #(
    parameter int DEPTH = 512  // writes under way at most
) (
    input  logic        clk,
    input  logic        rst,
    output logic        failed,  // a response reported an error; stays until reset

    input  logic        req_valid,
    output logic        req_ready,
    input  logic        req_write,
    input  logic        req_flush,
    input  logic [1:0]  req_tag,
    input  logic [2:0]  req_beats,
    input  logic [36:0] req_addr,
    input  logic [63:0] req_data,
    output logic        rsp_valid,
    output logic [1:0]  rsp_tag,
    output logic [63:0] rsp_data,
    output logic        ack_valid,
    output logic        flush_done,  // one cycle

    output logic        arvalid,
    input  logic        arready,
    output logic [1:0]  arid,
    output logic [63:0] araddr,
    output logic [7:0]  arlen,
    output logic [2:0]  arsize,
    output logic [1:0]  arburst,
    output logic        awvalid,
    input  logic        awready,
    output logic [1:0]  awid,
    output logic [63:0] awaddr,
    output logic [7:0]  awlen,
    output logic [2:0]  awsize,
    output logic [1:0]  awburst,
    output logic        wvalid,
    input  logic        wready,
    output logic [63:0] wdata,
    output logic [7:0]  wstrb,
    output logic        wlast,
    input  logic        rvalid,
    output logic        rready,
    input  logic [1:0]  rid,
    input  logic [1:0]  rresp,
    input  logic [63:0] rdata,
    input  logic        bvalid,
    output logic        bready,
    input  logic [1:0]  bresp
);
    // One of the two halves of the present write may have been taken already.
    logic address_taken, data_taken, address_done, data_done;

    logic                   flushing;
    logic [$clog2(DEPTH):0] under_way;

    assign arvalid = req_valid && !req_write && !req_flush;
    assign arid    = req_tag;
    assign araddr  = {24'd0, req_addr, 3'd0};
    assign arlen   = {5'd0, req_beats};

    assign arsize  = 3'd3;   // 8 bytes
    assign arburst = 2'b01;  // ascending addresses

    assign awvalid = req_valid && req_write && !address_taken;
    assign awaddr  = {24'd0, req_addr, 3'd0};
    assign awid    = 2'd0;
    assign awlen   = 8'd0;
    assign awsize  = 3'd3;
    assign awburst = 2'b01;
    assign wvalid  = req_valid && req_write && !data_taken;
    assign wdata   = req_data;
    assign wstrb   = 8'hff;
    assign wlast   = 1'b1;

    assign address_done = address_taken || awready;
    assign data_done    = data_taken || wready;
    assign req_ready    = req_write ? address_done && data_done : req_flush || arready;

    assign rready    = 1'b1;
    assign rsp_valid = rvalid;
    assign rsp_tag   = rid;
    assign rsp_data  = rdata;
    assign bready    = 1'b1;
    assign ack_valid = bvalid;

    assign flush_done = flushing && under_way == 0;

    always_ff @(posedge clk) begin
        if (rst || req_ready) begin
            address_taken <= 1'b0;
            data_taken    <= 1'b0;
        end else begin
            address_taken <= address_taken || (awvalid && awready);
            data_taken    <= data_taken || (wvalid && wready);
        end
        if (rst) begin
            flushing  <= 1'b0;
            under_way <= '0;
        end else begin
            flushing  <= (req_valid && req_flush) || (flushing && !flush_done);
            under_way <= under_way + ($clog2(DEPTH) + 1)'(req_valid && req_write && req_ready) - ($clog2(DEPTH) + 1)'(bvalid);
        end
        if (rst) failed <= 1'b0;
        else failed <= failed || (rvalid && rresp != 0) || (bvalid && bresp != 0);
    end
endmodule
