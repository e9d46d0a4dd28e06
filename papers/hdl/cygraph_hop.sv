// Registers on the ring between two FPGAs.
module cygraph_hop #(
    parameter int WIDTH  = 35,
    parameter int LENGTH = 8  // at least 1
) (
    input  logic             clk,
    input  logic             rst,
    input  logic [WIDTH-1:0] din,
    output logic [WIDTH-1:0] dout
);
    logic [LENGTH*WIDTH-1:0] line;

    assign dout = line[LENGTH*WIDTH-1-:WIDTH];

    // Shifting in at the bottom drops the oldest at the top.
    always_ff @(posedge clk) line <= rst ? '0 : (LENGTH * WIDTH)'({line, din});
endmodule
