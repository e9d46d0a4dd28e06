// CyGraph: KERNELS kernels on a ring, each with an AXI4 master of its own, and
// the host's registers on AXI4-Lite.
//
// All FPGAs of a system are in this one module, so that the whole system can be
// simulated: where the ring leaves an FPGA it has HOP more registers, and where it
// enters the next one a master of that FPGA. To build one FPGA of several, cut it there.
//
// Vectors of ports hold kernel 0 in the lowest bits.
module cygraph #(
    parameter int KERNELS = 16,
    parameter int FPGAS   = 1,
    parameter int HOP     = 8,
    parameter int DEPTH   = 512,
    parameter int FILTER  = 0     // labels that each FPGA's filter holds; 0: no filter
) (
    input  logic clk,
    input  logic rst,

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

    output logic [KERNELS-1:0]    m_arvalid,
    input  logic [KERNELS-1:0]    m_arready,
    output logic [KERNELS*2-1:0]  m_arid,
    output logic [KERNELS*64-1:0] m_araddr,
    output logic [KERNELS*8-1:0]  m_arlen,
    output logic [KERNELS*3-1:0]  m_arsize,
    output logic [KERNELS*2-1:0]  m_arburst,
    output logic [KERNELS-1:0]    m_awvalid,
    input  logic [KERNELS-1:0]    m_awready,
    output logic [KERNELS*2-1:0]  m_awid,
    output logic [KERNELS*64-1:0] m_awaddr,
    output logic [KERNELS*8-1:0]  m_awlen,
    output logic [KERNELS*3-1:0]  m_awsize,
    output logic [KERNELS*2-1:0]  m_awburst,
    output logic [KERNELS-1:0]    m_wvalid,
    input  logic [KERNELS-1:0]    m_wready,
    output logic [KERNELS*64-1:0] m_wdata,
    output logic [KERNELS*8-1:0]  m_wstrb,
    output logic [KERNELS-1:0]    m_wlast,
    input  logic [KERNELS-1:0]    m_rvalid,
    output logic [KERNELS-1:0]    m_rready,
    input  logic [KERNELS*2-1:0]  m_rid,
    input  logic [KERNELS*2-1:0]  m_rresp,
    input  logic [KERNELS*64-1:0] m_rdata,
    input  logic [KERNELS-1:0]    m_bvalid,
    output logic [KERNELS-1:0]    m_bready,
    input  logic [KERNELS*2-1:0]  m_bresp,

    // For a host that wants to be told, and for the simulation.
    output logic        busy,
    output logic        level_end,
    output logic [31:0] level_next
);
    localparam int PER_FPGA = KERNELS / FPGAS;
    localparam int W = 35;  // valid, start, flag, count

    logic        go, overflow, turns, filter;
    logic [36:0] rows_at, entries_at, queue0_at, queue1_at;
    logic [31:0] capacity, first, split, levels;
    logic [7:0]  pace;
    logic [4:0]  burst;
    logic [63:0] cycles;
    logic [KERNELS-1:0] failed;
    logic [FPGAS-1:0]   fpga_busy;
    assign busy = |fpga_busy;

    // What arrives at each station; the last is the leading master's.
    logic [(KERNELS+1)*W-1:0] ring;
    logic [W-1:0] from_master;

    // What the kernels ask the filters of their FPGAs.
    logic [KERNELS-1:0]    ask_valid, ask_taken, known;
    logic [KERNELS*32-1:0] ask_label;

    cygraph_regs #(.KERNELS(KERNELS)) regs (
        .clk, .rst, .s_awvalid, .s_awready, .s_awaddr, .s_wvalid, .s_wready, .s_wdata, .s_bvalid, .s_bready, .s_bresp,
        .s_arvalid, .s_arready, .s_araddr, .s_rvalid, .s_rready, .s_rdata, .s_rresp,
        .go, .rows_at, .entries_at, .queue0_at, .queue1_at, .capacity, .first, .pace, .split, .burst, .turns,
        .filter, .busy, .overflow, .failed(|failed), .cycles, .levels
    );

    cygraph_master master (
        .clk, .rst, .go, .first, .capacity, .running(busy), .busy(fpga_busy[0]), .overflow, .cycles, .levels, .level_end, .level_next,
        .ring_valid(ring[KERNELS*W+34]), .ring_start(ring[KERNELS*W+33]), .ring_flag(ring[KERNELS*W+32]),
        .ring_count(ring[KERNELS*W+:32]),
        .pass_valid(from_master[34]), .pass_start(from_master[33]), .pass_flag(from_master[32]),
        .pass_count(from_master[31:0])
    );
    assign ring[0+:W] = from_master;

    for (genvar f = 0; f < FPGAS; f++) begin : g_filter
        if (FILTER > 0) begin : g_some
            cygraph_filter #(.KERNELS(PER_FPGA), .ENTRIES(FILTER)) filter (
                .clk, .rst, .forget(go),
                .ask_valid(ask_valid[f*PER_FPGA+:PER_FPGA]), .ask_label(ask_label[f*PER_FPGA*32+:PER_FPGA*32]),
                .ask_taken(ask_taken[f*PER_FPGA+:PER_FPGA]), .known(known[f*PER_FPGA+:PER_FPGA])
            );
        end else begin : g_none
            logic unused;
            assign ask_taken[f*PER_FPGA+:PER_FPGA] = '0;
            assign known[f*PER_FPGA+:PER_FPGA]     = '0;
            assign unused = &{1'b0, ask_valid[f*PER_FPGA+:PER_FPGA], ask_label[f*PER_FPGA*32+:PER_FPGA*32]};
        end
    end

    for (genvar k = 0; k < KERNELS; k++) begin : g_kernel
        logic        req_valid, req_ready, req_write, req_flush, rsp_valid, ack_valid, flush_done;
        logic [1:0]  req_tag, rsp_tag;
        logic [2:0]  req_beats;
        logic [36:0] req_addr;
        logic [63:0] req_data, rsp_data;
        logic [W-1:0] pass;

        cygraph_kernel #(.KERNELS(KERNELS), .DEPTH(DEPTH)) kernel (
            .clk, .rst, .id(k), .rows_at, .entries_at, .queue0_at, .queue1_at, .capacity, .pace, .split, .burst, .turns,
            .filter(filter && FILTER > 0), .ask_valid(ask_valid[k]), .ask_label(ask_label[k*32+:32]),
            .ask_taken(ask_taken[k]), .known(known[k]),
            .ring_valid(ring[k*W+34]), .ring_start(ring[k*W+33]), .ring_flag(ring[k*W+32]), .ring_count(ring[k*W+:32]),
            .pass_valid(pass[34]), .pass_start(pass[33]), .pass_flag(pass[32]), .pass_count(pass[31:0]),
            .req_valid, .req_ready, .req_write, .req_flush, .req_tag, .req_beats, .req_addr, .req_data,
            .rsp_valid, .rsp_tag, .rsp_data, .ack_valid, .flush_done
        );

        cygraph_axi #(.DEPTH(DEPTH)) axi (
            .clk, .rst, .failed(failed[k]),
            .req_valid, .req_ready, .req_write, .req_flush, .req_tag, .req_beats, .req_addr, .req_data,
            .rsp_valid, .rsp_tag, .rsp_data, .ack_valid, .flush_done,
            .arvalid(m_arvalid[k]), .arready(m_arready[k]), .arid(m_arid[k*2+:2]), .araddr(m_araddr[k*64+:64]),
            .arlen(m_arlen[k*8+:8]), .arsize(m_arsize[k*3+:3]), .arburst(m_arburst[k*2+:2]),
            .awvalid(m_awvalid[k]), .awready(m_awready[k]), .awid(m_awid[k*2+:2]), .awaddr(m_awaddr[k*64+:64]),
            .awlen(m_awlen[k*8+:8]), .awsize(m_awsize[k*3+:3]), .awburst(m_awburst[k*2+:2]),
            .wvalid(m_wvalid[k]), .wready(m_wready[k]), .wdata(m_wdata[k*64+:64]),
            .wstrb(m_wstrb[k*8+:8]), .wlast(m_wlast[k]),
            .rvalid(m_rvalid[k]), .rready(m_rready[k]), .rid(m_rid[k*2+:2]), .rresp(m_rresp[k*2+:2]),
            .rdata(m_rdata[k*64+:64]),
            .bvalid(m_bvalid[k]), .bready(m_bready[k]), .bresp(m_bresp[k*2+:2])
        );

        if (FPGAS > 1 && k == KERNELS - 1) begin : g_return
            cygraph_hop #(.WIDTH(W), .LENGTH(HOP)) hop (.clk, .rst, .din(pass), .dout(ring[(k+1)*W+:W]));
        end else if (k % PER_FPGA == PER_FPGA - 1 && k < KERNELS - 1) begin : g_leave
            logic [W-1:0] link;
            cygraph_hop #(.WIDTH(W), .LENGTH(HOP)) hop (.clk, .rst, .din(pass), .dout(link));
            cygraph_follower master (
                .clk, .rst, .busy(fpga_busy[(k+1)/PER_FPGA]),
                .ring_valid(link[34]), .ring_start(link[33]), .ring_flag(link[32]), .ring_count(link[31:0]),
                .pass_valid(ring[(k+1)*W+34]), .pass_start(ring[(k+1)*W+33]), .pass_flag(ring[(k+1)*W+32]),
                .pass_count(ring[(k+1)*W+:32])
            );
        end else begin : g_stay
            assign ring[(k+1)*W+:W] = pass;
        end
    end
endmodule
