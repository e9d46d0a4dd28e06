// A FIFO on block RAM whose oldest word is always on dout.
//
// The RAM is read at the address that will be the oldest in the next cycle. A
// word that is pushed to just that address would be read too early, so it goes
// round the RAM. What is pushed in one cycle can be popped in the next.
//
// The kernel never pushes when full nor pops when empty.
module cygraph_fifo #(
    parameter int WIDTH = 64,
    parameter int DEPTH = 512  // a power of two
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             push,
    input  logic [WIDTH-1:0] din,
    input  logic             pop,
    output logic [WIDTH-1:0] dout,
    output logic             empty,
    output logic             full
);
    localparam int A = $clog2(DEPTH);

    (* ram_style = "block" *) logic [WIDTH-1:0] ram[0:DEPTH-1];
    logic [WIDTH-1:0] from_ram, from_din;
    logic             round;
    logic [A:0]       head, tail;  // one bit more than the address tells full from empty
    logic [A:0]       head_next;

    assign head_next = head + (A + 1)'(pop);
    assign empty     = head == tail;
    assign full      = head == {~tail[A], tail[A-1:0]};
    assign dout      = round ? from_din : from_ram;

    always_ff @(posedge clk) begin
        if (push) ram[tail[A-1:0]] <= din;
        from_ram <= ram[head_next[A-1:0]];
        from_din <= din;
        round    <= push && tail == head_next;
    end

    always_ff @(posedge clk) begin
        if (rst) begin
            head <= '0;
            tail <= '0;
        end else begin
            head <= head_next;
            tail <= tail + (A + 1)'(push);
        end
    end

    always_ff @(posedge clk)
        if (!rst) begin
            assert (!(push && full));
            assert (!(pop && empty));
        end
endmodule
