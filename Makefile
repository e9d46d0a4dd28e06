# hops: `make help` says what can be made.

SHELL       := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

GO ?= go
# Tools are pinned by tools/go.mod and built by Go itself.
TOOL := $(GO) tool -modfile=tools/go.mod

# hops has no cgo; only the race detector is written in C.
export CGO_ENABLED = 0

# Platforms on which we do not test, but which show what amd64 and Linux hide:
# 32-bit integers, the Go twins of assembly and of system calls.
PLATFORMS ?= linux/386 darwin/arm64

# What is formatted: not fixtures, nor what builds leave behind.
SOURCES = $(shell find . \( -path ./bin -o -path ./build -o -name testdata -o -name '.?*' \) -prune -o -name '*.go' -print)

PACKAGES   ?= ./...
# Modules of their own, which keep other libraries out of go.mod.
ADAPTERS   = $(patsubst %/go.mod,%,$(wildcard adapters/*/go.mod))
BENCH      ?= .
BENCHTIME  ?= 0.1s
BENCHCOUNT ?= 6

.PHONY: help
help: ## what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: test
test: setup lint unit race ## everything that must pass: setup, lint, unit, race
	@echo "make test: setup, lint, unit and race passed"

.PHONY: setup
setup: ## install what the tests need beyond Go, or say what to install
	@scripts/setup

.PHONY: lint
lint: ## gofumpt, go vet, staticcheck (house rules are tests: internal/lint)
	@odd=$$($(TOOL) gofumpt -l $(SOURCES)); if [ -n "$$odd" ]; then \
		printf 'not formatted, make format mends it:\n%s\n' "$$odd"; exit 1; fi
	@$(GO) vet $(PACKAGES)
	@$(TOOL) staticcheck $(PACKAGES)
	@for m in $(ADAPTERS); do $(GO) -C $$m vet ./...; done
	@echo "lint: gofumpt, go vet and staticcheck have nothing to say"

.PHONY: cross
cross: ## compile for platforms other than this one, and with them Go's library: not part of test
	@for p in $(PLATFORMS); do \
		echo "cross: $$p"; GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) build $(PACKAGES); done

.PHONY: format
format: ## rewrite the source as gofumpt likes it
	@$(TOOL) gofumpt -w $(SOURCES)

.PHONY: generate
generate: ## rebuild the PTX of the GPU kernels from their source (needs clang-19, no CUDA)
	@$(GO) generate ./engine/gpu

.PHONY: unit
unit: ## the whole test suite
	@echo "unit: all tests"
	@$(TOOL) gotestsum --format pkgname -- -vet=off -timeout 20m $(PACKAGES)
	@for m in $(ADAPTERS); do $(GO) -C $$m test -vet=off ./...; done

.PHONY: race
race: export CGO_ENABLED = 1
race: ## the suite with -short under the race detector
	@echo "race: the tests with -short, under the race detector"
	@$(TOOL) gotestsum --format pkgname -- -vet=off -race -short -timeout 20m $(PACKAGES)

.PHONY: bench
bench: ## benchmarks as a table (BENCH=regexp BENCHTIME=0.1s BENCHCOUNT=6 PACKAGES=./...)
	@mkdir -p build
	@$(GO) test -run '^$$' -bench '$(BENCH)' -benchtime $(BENCHTIME) -count $(BENCHCOUNT) $(PACKAGES) | tee build/bench.txt | grep --line-buffered '^ok' >&2 || \
		{ grep -E '^(---|FAIL|panic)' build/bench.txt; exit 1; }
	@$(TOOL) benchstat build/bench.txt

.PHONY: libraries
libraries: ## hops beside other graph libraries of Go, which takes some minutes (HOPS_SCALE=18)
	@$(GO) -C adapters/bench test -run '^$$' -bench . -benchtime 3x -timeout 30m

.PHONY: build
build: ## bin/hops
	@$(GO) build -trimpath -buildvcs=auto -o bin/hops ./cmd/hops
