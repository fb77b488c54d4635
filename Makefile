# make run    builds everything, loads the sample library, answers a question, then serves on http://localhost:8080
# make test   installs what the tests need, lints, runs all tests
# make bench  prints the speeds that the documentation names
# make crash  kills processes, cuts the power and fails the disk below the audit log, N times each
# make fuzz   runs every fuzz target for T, or those of a folder IN, and names those that found something
# make build  gives bin/ibid
# make ui     builds the page into it (part of make build where there is npm)

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)
SAMPLE  := .sample
IBID    := bin/ibid --data $(SAMPLE)

# No part of the program or of its tests is C. What the tests compile serves the build too, and a path that is not trimmed is
# the one difference that would have all of it compiled again.
export CGO_ENABLED := 0
TRIM ?= -trimpath

.PHONY: build ui run serve test lint unit page tools bench crash fuzz clean

# The page is part of the program where there is npm; without it a page without script is served in its place.
build: $(if $(shell command -v npm),ui)
	go build $(TRIM) -ldflags "-s -w -X main.version=$(VERSION)" -o bin/ibid ./cmd/ibid

ui: web/ui/dist/index.html

web/ui/dist/index.html: web/ui/node_modules/.package-lock.json $(shell find web/ui/src web/ui/public web/ui/index.html web/ui/vite.config.ts -type f)
	cd web/ui && npm run --silent build

web/ui/node_modules/.package-lock.json: web/ui/package.json web/ui/package-lock.json
	cd web/ui && npm ci --prefer-offline --no-audit --no-fund --loglevel=error
	@touch $@

run: build
	$(IBID) ingest examples/library
	$(IBID) ask "When was the first transatlantic cable laid?"
	$(IBID) serve --addr localhost:8080

test: tools lint unit page

lint:
	@test -z "$$(gofmt -l .)" || { echo "not formatted:"; gofmt -l .; exit 1; }
	go vet ./...
	go tool staticcheck ./...

# Vetted above, all of it.
unit:
	go test -vet=off ./...

# The page: its logic, then all of it in a real browser against the built program. Screenshots come to web/ui/shots.
page:
	@command -v npm >/dev/null || { echo "make test: no npm, so the tests of the page are left out"; exit 0; }; \
	$(MAKE) --no-print-directory build TRIM= && cd web/ui && npm test && npm run e2e

# The independent readers that our exports are held against. Tests that miss one are skipped by name.
DEBS := bibutils pandoc citation-style-language-styles citation-style-language-locales chromium
tools:
	@dpkg -s $(DEBS) >/dev/null 2>&1 || ! command -v apt-get >/dev/null || { \
	  [ "$$(id -u)" = 0 ] || { echo "make test: some tests need $(DEBS); not root, so they may be skipped"; exit 0; }; \
	  apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $(DEBS); }

bench:
	go test -run '^$$' -bench . -benchtime 1s ./...
	cite/csl/bench/compare.sh
	entail/bench/compare.sh
	cd bench/bleve && go test -run '^$$' -bench Beside -benchtime 1x .

N ?= 1000
crash:
	IBID_TEST_CRASHES=$(N) go test -count=1 -timeout 2h -v -run 'KilledWhileAppending|PowerCut|Faults' ./sqlite

# A target that found something leaves the input in its package's testdata/fuzz.
T ?= 30s
IN ?= .
fuzz:
	@failed=; for t in $$(grep -rHo --include=*_test.go '^func Fuzz[A-Za-z0-9]*' $(IN) | sed 's|/[^/]*_test.go:func |:|' | sort); do \
	  go test -run '^$$' -fuzz "^$${t#*:}\$$" -fuzztime $(T) -fuzzminimizetime 20x ./$${t%:*} || failed="$$failed $$t"; \
	done; [ -z "$$failed" ] || { echo "found something:$$failed"; exit 1; }

clean:
	rm -rf bin $(SAMPLE) web/ui/shots
	find web/ui/dist -mindepth 1 ! -name placeholder.txt -delete
