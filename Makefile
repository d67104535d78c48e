# make run    sets up what is missing and checks the reference against the best PHP
# make test   sets up what is missing and runs the tests
# make bench  sets up what is missing and measures the reference beside PHP and others
# make matrix writes what the ports that are here do, into docs/
# make mutants  breaks the reference in thousands of small ways, and tells what notices
# make php-all, lint, build: see below

ARGS ?=
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
ACTIONLINT = github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

.PHONY: run test bench build matrix php-all mutants lint clean

run: build
	.ci/setup php
	bin/phpwire run $(ARGS)

test:
	.ci/setup tests
	go vet ./...
	GOARCH=386 go vet ./codec ./floatfmt ./frames
	go test -timeout 20m ./...

# ARGS='--time 200ms --markdown docs/bench.md' writes the page.
bench: build
	.ci/setup bench
	bin/phpwire bench $(ARGS)

build:
	go build -o bin/phpwire .

matrix: build
	.ci/setup ports
	bin/phpwire matrix --docs docs --out out/matrix

# Every WebAssembly PHP, 7.2 to 8.5.
php-all:
	.ci/setup php-all

# The table of docs/mutants.md, anew.
mutants:
	.ci/setup php
	go run ./fuzz/mutants --table docs/mutants.md $(ARGS)

lint:
	test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...
	go run $(ACTIONLINT) .github/workflows/*.yml

clean:
	rm -rf bin out
