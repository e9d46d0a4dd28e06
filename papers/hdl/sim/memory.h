// The memory behind the ports.
//
// A Memory receives the requests of each port and returns the signals that the port
// sees, cycle by cycle. Steady is the memory of the Go model
// (papers/cygraph/memory.go) with the same pseudo-random latencies. Chaos does
// whatever AXI allows: any delay, address and data of a write accepted apart, reads
// and writes overtaking each other, ids out of order.
#pragma once
#include <algorithm>
#include <deque>
#include "image.h"

// mix is the finalizer of splitmix64.
inline uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// The signals that a port sees in a cycle.
struct Heard {
    bool arready = false, awready = false, wready = false;
    bool rvalid = false, bvalid = false;
    unsigned rid = 0;
    uint64_t rdata = 0;
};

class Memory {
public:
    virtual ~Memory() = default;
    virtual Heard hear(int port, uint64_t now) = 0;
    virtual void read(int port, uint64_t now, unsigned id, uint64_t address, unsigned beats) = 0;
    virtual void write_address(int port, uint64_t now, uint64_t address) = 0;
    virtual void write_data(int port, uint64_t now, uint64_t data) = 0;
};

class Steady : public Memory {
    struct Response { uint64_t data, ready; };
    struct Port {
        std::deque<Response> reads[4];
        std::deque<uint64_t> acks;
        uint64_t seq = 0, address = 0;
    };
    Image &image;
    const Header &h;
    std::vector<Port> ports;
    std::vector<uint64_t> free_at;  // tick from which each channel is free
    static constexpr uint64_t tick = 64;

    uint64_t latency(uint64_t x) const {
        bool slow = (x & 255) < h.slow_share;
        uint64_t from = slow ? h.slow_min : h.fast_min, to = slow ? h.slow_max : h.fast_max;
        return from + ((x >> 32) * (to - from + 1) >> 32);
    }

    uint64_t arrival(int port, uint64_t address, unsigned beats, uint64_t now) {
        uint64_t &channel = free_at[((address / 64) * 0x9e3779b97f4a7c15ull >> 48) % h.channels];
        uint64_t start = std::max(now * tick, channel);
        channel = start + h.service * beats;
        return start / tick + latency(mix(h.seed ^ (uint64_t)port << 40 ^ ports[port].seq++));
    }

public:
    Steady(Image &image, int kernels) : image(image), h(image.header), ports(kernels), free_at(h.channels, 0) {}

    Heard hear(int port, uint64_t now) override {
        Heard heard;
        uint64_t stall = h.stall == 0 ? 1023 : mix(h.seed ^ 0x57414c4cull << 32 ^ (uint64_t)port << 40 ^ now) & 1023;
        heard.arready = heard.awready = heard.wready = stall >= h.stall;
        Port &p = ports[port];
        for (unsigned id = 3; id >= 1 && !heard.rvalid; id--) {
            auto &q = p.reads[id];
            if (q.empty() || q.front().ready > now) continue;
            heard.rvalid = true;
            heard.rid = id;
            heard.rdata = q.front().data;
            q.pop_front();
        }
        if (!p.acks.empty() && p.acks.front() <= now) {
            heard.bvalid = true;
            p.acks.pop_front();
        }
        return heard;
    }

    void read(int port, uint64_t now, unsigned id, uint64_t address, unsigned beats) override {
        uint64_t ready = arrival(port, address, beats, now);
        for (unsigned i = 0; i < beats; i++) ports[port].reads[id].push_back({image.word(address + 8 * i), ready});
    }

    void write_address(int port, uint64_t, uint64_t address) override { ports[port].address = address; }

    // Both halves are taken in one cycle here, the address first.
    void write_data(int port, uint64_t now, uint64_t data) override {
        uint64_t address = ports[port].address;
        image.word(address) = data;
        ports[port].acks.push_back(arrival(port, address, 1, now));
    }
};

class Chaos : public Memory {
    struct Read { uint64_t address, data; bool sampled; };
    struct Port {
        std::deque<Read> reads[4];
        std::deque<uint64_t> addresses, data;  // halves of writes
        unsigned acks = 0;
        unsigned mood = 512;  // of 1024: how willing the port is, for a while
    };
    Image &image;
    std::vector<Port> ports;
    uint64_t state;

    uint64_t draw() { return state = mix(state); }
    bool chance(unsigned of1024) { return (draw() & 1023) < of1024; }

public:
    Chaos(Image &image, int kernels) : image(image), ports(kernels), state(image.header.chaos) {}

    Heard hear(int port, uint64_t) override {
        Heard heard;
        Port &p = ports[port];
        if (chance(8)) p.mood = draw() & 1023;
        heard.arready = chance(p.mood + 16);
        heard.awready = chance(p.mood + 16);
        heard.wready = chance(p.mood + 16);
        unsigned id = 1 + draw() % 3;
        if (!p.reads[id].empty() && chance(p.mood + 16)) {
            Read r = p.reads[id].front();
            p.reads[id].pop_front();
            heard.rvalid = true;
            heard.rid = id;
            heard.rdata = r.sampled ? r.data : image.word(r.address);
        }
        if (!p.addresses.empty() && !p.data.empty() && chance(p.mood / 4 + 16)) {
            image.word(p.addresses.front()) = p.data.front();
            p.addresses.pop_front();
            p.data.pop_front();
            p.acks++;
        }
        if (p.acks > 0 && chance(p.mood / 4 + 16)) {
            heard.bvalid = true;
            p.acks--;
        }
        return heard;
    }

    void read(int port, uint64_t, unsigned id, uint64_t address, unsigned beats) override {
        for (unsigned i = 0; i < beats; i++) {
            uint64_t at = address + 8 * i;
            ports[port].reads[id].push_back({at, image.word(at), chance(512)});
        }
    }

    void write_address(int port, uint64_t, uint64_t address) override { ports[port].addresses.push_back(address); }
    void write_data(int port, uint64_t, uint64_t data) override { ports[port].data.push_back(data); }
};
