// The file that the simulation is run on: a header, then the memory. All
// numbers are 64 bits, little endian. Simulator.Run in hdl/job.go writes it and reads
// it back.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Header {
    uint64_t words;  // of memory that follow
    uint64_t rows_at, entries_at, queue0_at, queue1_at;  // word addresses
    uint64_t capacity, first;
    uint64_t pace, split, burst, flags;
    uint64_t channels, service, fast_min, fast_max, slow_min, slow_max, slow_share, stall, seed;
    uint64_t chaos;       // seed of a memory without any rhythm; 0: the model's memory
    uint64_t max_cycles;  // give up after these
};

struct Image {
    Header header;
    std::vector<uint64_t> memory;

    explicit Image(const char *path) {
        FILE *f = open(path, "rb");
        if (fread(&header, sizeof header, 1, f) != 1) fail("short header");
        memory.resize(header.words);
        if (fread(memory.data(), 8, memory.size(), f) != memory.size()) fail("short memory");
        fclose(f);
    }

    void save(const char *path) {
        FILE *f = open(path, "r+b");
        if (fseek(f, sizeof header, SEEK_SET) != 0 || fwrite(memory.data(), 8, memory.size(), f) != memory.size()
            || fclose(f) != 0)
            fail("cannot write the memory back");
    }

    // word is the memory at a byte address that came over a bus.
    uint64_t &word(uint64_t address) {
        if (address % 8 != 0 || address / 8 >= memory.size()) {
            fprintf(stderr, "access outside of memory: %#llx\n", (unsigned long long)address);
            exit(1);
        }
        return memory[address / 8];
    }

    [[noreturn]] static void fail(const char *why) {
        fprintf(stderr, "%s\n", why);
        exit(1);
    }

private:
    static FILE *open(const char *path, const char *mode) {
        FILE *f = fopen(path, mode);
        if (!f) {
            perror(path);
            exit(1);
        }
        return f;
    }
};
