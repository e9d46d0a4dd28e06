// The filter keeps a vertex from being visited twice by the kernels of one FPGA
// while the first write is on its way to memory. See filter.go.
//
// It is a table of the labels claimed last, direct-mapped, in one bank for every
// kernel. A bank answers one kernel a cycle, the lowest first: in the next cycle
// it says whether it knew the label, and from then on it does.
module cygraph_filter #(
    parameter int KERNELS = 16,    // of this FPGA, a power of two
    parameter int ENTRIES = 16384  // of all banks, a power of two, at least twice KERNELS
) (
    input  logic                  clk,
    input  logic                  rst,
    input  logic                  forget,  // one cycle: a new search begins
    input  logic [KERNELS-1:0]    ask_valid,
    input  logic [KERNELS*32-1:0] ask_label,
    output logic [KERNELS-1:0]    ask_taken,
    output logic [KERNELS-1:0]    known     // one cycle after ask_taken
);
    localparam int B = $clog2(KERNELS);
    localparam int E = $clog2(ENTRIES);
    localparam int SIZE = ENTRIES / KERNELS;

    // Labels are noted with the number of the search, so that nothing need be
    // cleared. It outlives a reset, as the tables do.
    logic [31:0] search;
    initial search = '0;
    always_ff @(posedge clk) if (forget) search <= search + 32'd1;

    // What each bank takes from whom, and what it knows in the cycle after.
    logic [KERNELS-1:0]         bank_known;
    logic [KERNELS*KERNELS-1:0] take, took;  // kernel k's bit of bank b is b * KERNELS + k

    for (genvar b = 0; b < KERNELS; b++) begin : g_bank
        (* ram_style = "block" *) logic [63:0] ram[0:SIZE-1];
        logic [63:0]  from_ram, noted;
        logic [31:0]  label, label_q, round_label;
        logic         valid, valid_q, round;
        logic [E-B-1:0] place, place_q;

        initial for (int i = 0; i < SIZE; i++) ram[i] = '0;

        always_comb begin
            valid = 1'b0;
            label = '0;
            take[b*KERNELS+:KERNELS] = '0;
            for (int k = KERNELS - 1; k >= 0; k--)
                if (ask_valid[k] && (ask_label[k*32+:32] & 32'(KERNELS - 1)) == b) begin
                    valid = 1'b1;
                    label = ask_label[k*32+:32];
                    take[b*KERNELS+:KERNELS] = KERNELS'(1) << k;
                end
        end

        // A label noted in the cycle in which its place is read goes round the RAM.
        assign place         = label[E-1:B];
        assign place_q       = label_q[E-1:B];
        assign noted         = round ? {search, round_label} : from_ram;
        assign bank_known[b] = noted == {search, label_q};

        always_ff @(posedge clk) begin
            if (valid_q) ram[place_q] <= {search, label_q};
            from_ram    <= ram[place];
            label_q     <= label;
            round       <= valid_q && place == place_q;
            round_label <= label_q;
            valid_q     <= !rst && valid;
        end
    end

    always_ff @(posedge clk) took <= take;

    always_comb
        for (int k = 0; k < KERNELS; k++) begin
            ask_taken[k] = 1'b0;
            known[k]     = 1'b0;
            for (int b = 0; b < KERNELS; b++) begin
                ask_taken[k] |= take[b*KERNELS+k];
                known[k]     |= took[b*KERNELS+k] && bank_known[b];
            end
        end
endmodule
