# hops: `make help` lists the targets.

SHELL       := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

GO ?= go
# tools/go.mod pins the versions of the tools; the go command builds them.
TOOL := $(GO) tool -modfile=tools/go.mod

# hops uses no cgo; only the race detector needs it.
export CGO_ENABLED = 0

# Platforms that are compiled for but not tested. They show errors that amd64 and Linux
# hide: 32-bit integers, the Go versions of assembly and of system calls.
PLATFORMS ?= linux/386 linux/arm64 darwin/arm64 windows/amd64

# Files that are formatted: all but fixtures and outputs of builds.
SOURCES = $(shell find . \( -path ./bin -o -path ./build -o -name testdata -o -name '.?*' \) -prune -o -name '*.go' -print)

PACKAGES   ?= ./...
# Modules with dependencies that the go.mod of hops must not have.
ADAPTERS   = $(patsubst %/go.mod,%,$(wildcard adapters/*/go.mod))
BENCH      ?= .
BENCHTIME  ?= 0.1s
BENCHCOUNT ?= 6

# A Python with what scripts/needs lists for it; that of Debian, not one of a version manager.
PYTHON ?= /usr/bin/python3

# How long the soak takes, how many faults are made in each folder, and the seed of either; 0 draws one.
SOAK    ?= 1h
MUTANTS ?= 10
SEED    ?= 0
# How often the tests run beside how many busy processes.
RUNS ?= 10
LOAD ?= 20
# A copy of the vulnerability database for machines without a network: file:///srv/vulndb
VULNDB ?=

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Where CI is set, a test whose tool is missing fails instead of being skipped.
.PHONY: test
test: export CI = true
test: setup lint unit pytest python race ## everything that must pass: setup, lint, unit, pytest, python, race
	@echo "make test: setup, lint, unit, pytest, python and race passed"

.PHONY: setup
setup: ## install what the tests need beyond Go, or say what to install
	@scripts/setup

.PHONY: check
check: build static ## what a change of a line needs, without a network: build, static, short tests of packages that changed
	@$(TOOL) gotestsum --format pkgname --format-hide-empty-pkg -- -vet=off -short $(PACKAGES)

.PHONY: lint
lint: vulns static ## vulns and static (house rules are tests: internal/testing/lint)

.PHONY: static
static: ## gofumpt, go vet, staticcheck, licences
	@odd=$$($(TOOL) gofumpt -l $(SOURCES)); if [ -n "$$odd" ]; then \
		printf 'not formatted, make format mends it:\n%s\n' "$$odd"; exit 1; fi
	@$(GO) vet $(PACKAGES)
	@$(TOOL) staticcheck $(PACKAGES)
	@for m in $(ADAPTERS) packaging; do $(GO) -C $$m vet ./...; done
	@$(GO) test -vet=off ./internal/testing/lint -run Licences
	@echo "static: gofumpt, go vet, staticcheck and licences have nothing to say"

# Only a database that cannot be reached is a reason to go on without. A copy that was named must be there.
.PHONY: vulns
vulns: ## known vulnerabilities of what is compiled in (VULNDB=file:///copy-of-the-database)
	@code=0; out=$$($(TOOL) govulncheck $(if $(VULNDB),-db $(VULNDB)) $(PACKAGES) 2>&1) || code=$$?; \
	case "$$code $(VULNDB) $$out" in \
	0\ *) echo "vulns: govulncheck knows of none";; \
	1\ \ *"fetching vulnerabilities: "*) printf 'vulns: LEFT OUT, the database cannot be reached: %s\n' "$$out";; \
	*) printf '%s\nvulns: govulncheck ended with status %s\n' "$$out" "$$code"; exit 1;; \
	esac

# The private key of ssh-keygen that signs the checksums of a release.
KEY ?=

.PHONY: release
release: ## build/release: archives, packages, image and checksums of the commit (KEY=private-ssh-key signs)
	@rm -rf build/release && mkdir -p build
	@$(GO) -C packaging run . -source .. -out ../build/release $(if $(KEY),-key $(abspath $(KEY)))

.PHONY: cross
cross: ## compile for platforms other than this one, and with them Go's library: not part of test
	@for p in $(PLATFORMS); do \
		echo "cross: $$p"; GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) build $(PACKAGES); done
	@GOOS=windows $(GO) vet ./cmd/hops

.PHONY: format
format: ## format the source with gofumpt
	@$(TOOL) gofumpt -w $(SOURCES)

.PHONY: generate
generate: ## rebuild the PTX of the GPU kernels from their source (needs clang-19, no CUDA)
	@$(GO) generate ./engine/gpu

.PHONY: unit
unit: ## the whole test suite
	@echo "unit: all tests"
	@$(TOOL) gotestsum --format pkgname -- -vet=off -timeout 60m $(PACKAGES)
	@for off in cpu.avx512f=off cpu.avx512f=off,cpu.avx2=off; do \
		echo "unit: the engines of the CPU with $$off"; GODEBUG=$$off $(GO) test -vet=off -short ./engine/cpu ./engine/many ./sssp; done
	@for m in $(ADAPTERS) packaging; do $(GO) -C $$m test -vet=off -timeout 30m ./...; done

.PHONY: race
race: export CGO_ENABLED = 1
race: ## the suite with -short under the race detector
	@echo "race: the tests with -short, under the race detector"
	@$(TOOL) gotestsum --format pkgname -- -vet=off -race -short -timeout 60m $(PACKAGES)

.PHONY: pytest
pytest: ## the Python package's own tests, with PYTHON=/usr/bin/python3
	@mkdir -p build
	@$(GO) build -o build/hops ./cmd/hops
	@cd python && GOHOPS_BINARY=$(CURDIR)/build/hops $(PYTHON) -m pytest -q -p no:cacheprovider

.PHONY: python
python: ## build/python: the Python wheel, built and asked without a network
	@PYTHON=$(PYTHON) python/wheel build/python
	@$(PYTHON) python/try-wheel build/python/gohops-*.whl

.PHONY: soak
soak: ## random graphs, engines, questions, faults and fuzz targets against oracles (SOAK=1h SEED=0)
	@mkdir -p build
	@$(GO) test -c -o build/soak.test ./cmd/hops
	@cd cmd/hops && ../../build/soak.test -test.run '^TestSoak$$' -soak $(SOAK) -soak.seed $(SEED) -soak.keep ../../build/soak -soak.out ../../build/soak.json

.PHONY: steady
steady: ## make test again and again beside busy processes (RUNS=10 LOAD=20)
	@scripts/steady $(RUNS) $(LOAD)

.PHONY: mutants
mutants: ## draw faults in the program and list those that no test notices (MUTANTS=10 in a folder SEED=0)
	@mkdir -p build
	@$(GO) test -c -o build/mutants.test ./internal/testing/mutants
	@cd internal/testing/mutants && ../../../build/mutants.test -test.timeout 0 -test.run '^TestMutants$$' -mutants $(MUTANTS) -mutants.seed $(SEED) -mutants.out ../../../build/mutants.md

.PHONY: nightly
nightly: ## what takes hours: releases installed and run, the whole suite under the race detector, DuckDB, mutants, soak
	@scripts/setup scripts/needs-nightly
	@$(GO) -C packaging test -vet=off -timeout 1h ./... -full
	@PYTHON=$(PYTHON) python/wheel build/python
	@python/try-wheel build/python/gohops-*.whl bookworm
	@CGO_ENABLED=1 $(TOOL) gotestsum --format pkgname -- -vet=off -race -timeout 3h $(PACKAGES)
	@$(MAKE) duckdb mutants soak

.PHONY: duckdb
duckdb: ## DuckDB, which npm installs in build, reads the Parquet files that hops writes
	@npm install --silent --prefix build/duckdb @duckdb/node-api@1.5.6-r.1
	@$(GO) test -vet=off -count=1 ./internal/base/parquet -run TestDuckDB -duckdb $(CURDIR)/build/duckdb

.PHONY: bench
bench: ## benchmarks as a table (BENCH=regexp BENCHTIME=0.1s BENCHCOUNT=6 PACKAGES=./...)
	@mkdir -p build
	@$(GO) test -run '^$$' -bench '$(BENCH)' -benchtime $(BENCHTIME) -count $(BENCHCOUNT) $(PACKAGES) | tee build/bench.txt | grep --line-buffered '^ok' >&2 || \
		{ grep -E '^(---|FAIL|panic)' build/bench.txt; exit 1; }
	@$(TOOL) benchstat build/bench.txt

# Another program for `make graphs`: PEER='gap=OMP_NUM_THREADS={threads} PATH/bfs -s -f {graph} -n {roots}'
PEER   ?=
ROUNDS ?= 5

.PHONY: graphs
graphs: build ## hops on every kind of graph that results are of (PEER='NAME=COMMAND' ROUNDS=5)
	@PEER='$(PEER)' scripts/graphs $(ROUNDS)

.PHONY: libraries
libraries: ## hops beside other graph libraries of Go, which takes some minutes (SCALE=18)
	@$(GO) -C adapters/bench test -run '^$$' -bench . -benchtime 3x -timeout 30m -scale $(or $(SCALE),18)

.PHONY: build
build: ## bin/hops
	@$(GO) build -trimpath -buildvcs=auto -o bin/hops ./cmd/hops
