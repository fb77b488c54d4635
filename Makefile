# make run    builds everything, loads the sample library, answers a question, then serves on http://localhost:8080
# make test   installs what the tests need, lints, runs all tests
# make bench  prints the speeds that the documentation names
# make crash  kills processes, cuts the power and fails the disk below the audit log, N times each
# make build  gives bin/ibid

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)
SAMPLE  := .sample
IBID    := bin/ibid --data $(SAMPLE)

.PHONY: build run serve test lint unit tools bench crash fuzz clean

build:
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o bin/ibid ./cmd/ibid

run: build
	$(IBID) ingest examples/library
	$(IBID) ask "When was the first transatlantic cable laid?"
	$(IBID) serve --addr localhost:8080

test: tools lint unit

lint:
	@test -z "$$(gofmt -l .)" || { echo "not formatted:"; gofmt -l .; exit 1; }
	go vet ./...
	go tool staticcheck ./...

unit:
	go test ./...

# The independent readers that our exports are held against. Tests that miss one are skipped by name.
DEBS := bibutils pandoc citation-style-language-styles citation-style-language-locales
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

clean:
	rm -rf bin $(SAMPLE)
