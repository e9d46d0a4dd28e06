// The master of an FPGA other than the first.
//
// It passes on what the leading master sends: a start of level to its kernels, the
// token, and the stop, after which this FPGA is at rest. A stop is a start that is not
// of the first level and has no words.
module cygraph_follower (
    input  logic        clk,
    input  logic        rst,
    output logic        busy,

    input  logic        ring_valid,
    input  logic        ring_start,
    input  logic        ring_flag,
    input  logic [31:0] ring_count,
    output logic        pass_valid,
    output logic        pass_start,
    output logic        pass_flag,
    output logic [31:0] pass_count
);
    always_ff @(posedge clk) begin
        pass_valid <= !rst && ring_valid;
        pass_start <= ring_start;
        pass_flag  <= ring_flag;
        pass_count <= ring_count;
        if (rst) busy <= 1'b0;
        else if (pass_valid && pass_start) busy <= pass_flag || pass_count != 0;
    end
endmodule
