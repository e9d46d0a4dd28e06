// The simulation: one search by the Verilated design on a memory image.
//
//   cygraph FILE
//
// sets the registers over AXI4-Lite, starts the search, plays the memory until
// it is over, writes the memory back and prints
//
//   level CYCLES NEXT     for every level
//   done CYCLES STATUS    what the registers say at the end
#include <memory>
#include "Vcygraph.h"
#include "memory.h"
#include "verilated.h"

#ifndef KERNELS
#error "KERNELS must be the parameter that the design was built with"
#endif

// Vectors of ports are integers or arrays of 32-bit words, as their width demands.
template <class T> uint64_t get(const T &v, unsigned at, unsigned width) {
    if constexpr (std::is_integral_v<T>) {
        return (uint64_t)v >> at & (~0ull >> (64 - width));
    } else {
        uint64_t low = v[at / 32];
        if (width == 64) low |= (uint64_t)v[at / 32 + 1] << 32;
        return width == 64 ? low : low >> at % 32 & (~0ull >> (64 - width));
    }
}

template <class T> void set(T &v, unsigned at, unsigned width, uint64_t value) {
    if constexpr (std::is_integral_v<T>) {
        uint64_t mask = ~0ull >> (64 - width) << at;
        v = (T)(((uint64_t)v & ~mask) | (value << at & mask));
    } else if (width == 64) {
        v[at / 32] = (uint32_t)value;
        v[at / 32 + 1] = (uint32_t)(value >> 32);
    } else {
        uint32_t mask = (uint32_t)(~0ull >> (64 - width)) << at % 32;
        v[at / 32] = (v[at / 32] & ~mask) | ((uint32_t)(value << at % 32) & mask);
    }
}

// A Watch checks the rule that what was offered stays offered until it is taken.
struct Watch {
    bool waiting = false;
    uint64_t payload = 0;
    void see(const char *channel, int port, bool valid, bool ready, uint64_t now_payload) {
        if (waiting && (!valid || payload != now_payload)) {
            fprintf(stderr, "%s of port %d changed before it was taken\n", channel, port);
            exit(1);
        }
        waiting = valid && !ready;
        payload = now_payload;
    }
};

class Bench {
    VerilatedContext context;
    std::unique_ptr<Vcygraph> dut{new Vcygraph(&context)};
    Image &image;
    std::unique_ptr<Memory> memory;
    Watch ar[KERNELS], aw[KERNELS], w[KERNELS];
    uint64_t now = 0, level_began = 0;

    void edge() {
        dut->clk = 1;
        dut->eval();
        dut->clk = 0;
        dut->eval();
    }

    void drive(int k, const Heard &h) {
        set(dut->m_arready, k, 1, h.arready);
        set(dut->m_awready, k, 1, h.awready);
        set(dut->m_wready, k, 1, h.wready);
        set(dut->m_rvalid, k, 1, h.rvalid);
        set(dut->m_rid, 2 * k, 2, h.rid);
        set(dut->m_rdata, 64 * k, 64, h.rdata);
        set(dut->m_bvalid, k, 1, h.bvalid);
    }

    void serve(int k, const Heard &h) {
        bool arvalid = get(dut->m_arvalid, k, 1), awvalid = get(dut->m_awvalid, k, 1), wvalid = get(dut->m_wvalid, k, 1);
        uint64_t araddr = get(dut->m_araddr, 64 * k, 64), awaddr = get(dut->m_awaddr, 64 * k, 64);
        uint64_t wdata = get(dut->m_wdata, 64 * k, 64);
        ar[k].see("AR", k, arvalid, h.arready, araddr);
        aw[k].see("AW", k, awvalid, h.awready, awaddr);
        w[k].see("W", k, wvalid, h.wready, wdata);
        if (arvalid && h.arready)
            memory->read(k, now, get(dut->m_arid, 2 * k, 2), araddr, get(dut->m_arlen, 8 * k, 8) + 1);
        if (awvalid && h.awready) memory->write_address(k, now, awaddr);
        if (wvalid && h.wready) memory->write_data(k, now, wdata);
    }

    void cycle() {
        Heard heard[KERNELS];
        for (int k = 0; k < KERNELS; k++) drive(k, heard[k] = memory->hear(k, now));
        dut->eval();
        for (int k = 0; k < KERNELS; k++) serve(k, heard[k]);
        if (dut->level_end) {
            printf("level %llu %u\n", (unsigned long long)(now + 1 - level_began), dut->level_next);
            level_began = now + 1;
        }
        edge();
    }

    void write_register(unsigned address, uint32_t value) {
        dut->s_awvalid = dut->s_wvalid = 1;
        dut->s_awaddr = address;
        dut->s_wdata = value;
        edge();
        dut->s_awvalid = dut->s_wvalid = 0;
        dut->s_bready = 1;
        if (!dut->s_bvalid) Image::fail("a register write was not answered");
        edge();
    }

    void write_address(unsigned address, uint64_t word) {
        write_register(address, (uint32_t)(word * 8));
        write_register(address + 4, (uint32_t)(word * 8 >> 32));
    }

    uint32_t read_register(unsigned address) {
        dut->s_arvalid = 1;
        dut->s_araddr = address;
        edge();
        dut->s_arvalid = 0;
        dut->s_rready = 1;
        if (!dut->s_rvalid) Image::fail("a register read was not answered");
        uint32_t value = dut->s_rdata;
        edge();
        return value;
    }

    void configure() {
        const Header &h = image.header;
        if (read_register(0x4c) != KERNELS) Image::fail("the design has another number of kernels");
        write_address(0x08, h.rows_at);
        write_address(0x10, h.entries_at);
        write_address(0x18, h.queue0_at);
        write_address(0x20, h.queue1_at);
        write_register(0x28, h.capacity);
        write_register(0x2c, h.first);
        write_register(0x30, h.pace);
        write_register(0x34, h.split);
        write_register(0x38, h.burst);
        write_register(0x3c, h.flags);
    }

public:
    explicit Bench(Image &image) : image(image) {
        if (image.header.chaos) memory.reset(new Chaos(image, KERNELS));
        else memory.reset(new Steady(image, KERNELS));
        dut->rst = 1;
        for (int i = 0; i < 4; i++) edge();
        dut->rst = 0;
        edge();
    }

    void run() {
        configure();
        write_register(0x00, 1);
        if (!dut->busy) Image::fail("the search did not start");
        for (; dut->busy; now++) {
            if (now == image.header.max_cycles) Image::fail("the search does not end");
            cycle();
        }
        uint64_t cycles = read_register(0x40) | (uint64_t)read_register(0x44) << 32;
        printf("done %llu %u\n", (unsigned long long)cycles, read_register(0x04));
    }
};

int main(int argc, char **argv) {
    if (argc != 2) Image::fail("usage: cygraph FILE");
    Image image(argv[1]);
    Bench bench(image);
    bench.run();
    image.save(argv[1]);
    return 0;
}
