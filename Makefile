# Deskhand. `make run` and `make test` set up what is missing and say what they do.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# Where `make run` keeps its sample shop; `make run DATA=DIR` takes another.
DATA ?= $(CURDIR)/build/bin/sample
BIN  := build/bin

# One set of flags for every build and test, so that all share one build cache. On Linux the tags in PURE make net and
# os/user the same with and without cgo. A -tags on the command line replaces the one in GOFLAGS: builds with cgo repeat it.
ifeq ($(shell go env GOOS 2>/dev/null),linux)
PURE := netgo,osusergo
endif
FLAGS := -trimpath $(PURE:%=-tags=%)
export GOFLAGS := $(strip $(filter-out $(FLAGS),$(shell go env GOFLAGS 2>/dev/null)) $(FLAGS))
TAGS     := desktop,production,webkit2_41$(PURE:%=,%)
DEV_TAGS := dev,webkit2_41$(PURE:%=,%)

# The compiler and the tests of Go collect garbage less often, up to this much memory: a tenth less time.
LARGE_HEAP := GOGC=400 GOMEMLIMIT=1500MiB

# How long a log `make bench` asks, and where it keeps it.
RECORDS ?= 20000
LOG     ?= $(CURDIR)/build/bin/bench-$(RECORDS).db
# How many customers the shop of `make bench` has, and where it keeps it.
CUSTOMERS ?= 2000
MANY      ?= $(CURDIR)/build/bin/shop-$(CUSTOMERS).db
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.7.0
GOCYCLO     := github.com/fzipp/gocyclo/cmd/gocyclo@v0.6.0
APIDIFF     := golang.org/x/exp/cmd/apidiff@v0.0.0-20261113113407-e3970619a1a4
VALE        := github.com/errata-ai/vale/v3/cmd/vale@v3.18.0

GO_SOURCES := $(wildcard $(shell git ls-files --cached --others --exclude-standard '*.go' go.mod go.sum agent audit bus internal shop 2>/dev/null))
UI_SOURCES := $(wildcard $(shell git ls-files --cached --others --exclude-standard frontend/src frontend/public frontend/index.html frontend/vite.config.ts frontend/tsconfig.json 2>/dev/null))

say = @printf '\n\033[1m== %s\033[0m\n' "$(1)"

.PHONY: help
help: ## Show what there is
	@awk 'BEGIN{FS=":.*## "} /^[a-z-]+:.*## /{printf "  make %-12s %s\n",$$1,$$2}' $(MAKEFILE_LIST)

.PHONY: run
run: ## Set up what is missing and open the window on a sample shop
	@build/run.sh "$(DATA)"

.PHONY: build
build: ## Build the window and the command line into build/bin
	@build/setup.sh window
	@$(MAKE) --no-print-directory $(BIN)/deskhand $(BIN)/deskhand-cli

.PHONY: test
test: ## Set up and check what a stranger wants to know: Go, page, browser flows, the real window
	@build/steps.sh \
	 'Set-up' '!set-up' 'Programs and page' '!programs' 'Go tests' test-go 'Page: types and unit tests' test-ui \
	 $(if $(filter check,$(THEN)),,'Browser flows over the real bindings' test-flows 'The real window' test-window)

.PHONY: check
check: ## What a maintainer wants besides: races, static checks, licences, vulnerabilities, all flows, each surface in four looks
	@build/steps.sh 'Set-up' '!set-up-check' 'Formatting and vet, each platform' check-vet 'Page: lint' check-ui \
	 'Complexity and columns' check-shape 'English of comments, documents and messages' check-prose \
	 'Generated files are fresh' check-fresh 'Static checks' check-static \
	 'Licences' '&check-licences' 'Known vulnerabilities' '&check-vulnerabilities' \
	 'Exported names against the last release' '&check-api' 'Types of the client in Python' '&check-python' \
	 "The protocol's conformance suite" '&check-mcp' 'Programs and page' '!programs' \
	 'Programs share their packages' '&check-cache' 'Size of the program' '&check-size' 'Go tests that take long' check-long \
	 'Browser flows, the long ones too, in four looks' check-flows \
	 'Go tests with the race detector' check-race 'Examples, each a module of its own' check-examples \
	 'The real window, again and again' '&check-window' 'Answers come after their sync, and outlive a power cut' '&check-sync' \
	 'Limits hold over programs that are killed' '&check-limits' 'Cards show what is executed' '&check-cards' 'A second application with the page kit' '&check-tickets'

.PHONY: flags
flags:
	@echo "export GOFLAGS='$(GOFLAGS)'"

.PHONY: set-up
set-up:
	@build/setup.sh test

.PHONY: set-up-check
set-up-check:
	@build/setup.sh check

.PHONY: programs
programs: frontend/dist/index.html $(BIN)/deskhand-dev $(BIN)/deskhand
	@cd frontend && npm run --silent check:built

# What takes more than half of the time of all Go tests: check-long runs it, and so does `go test ./...`.
# They are long walks of one goroutine each, so the race detector has nothing to see in them.
LONG := EveryCapabilityConforms|PhrasesLead|ServiceDeskInWords|Kill|EachTampering|ADamagedPage|DocumentedCommands|TheGuide|InBoundedMemory|AfterRandomDeskWork|RandomDeskWorkAddsUp|ALongHistory|AsIfAllWereLookedAt|ReportsAddUp|DamagedFilesAreRefused|ReplayReaches|ARunIsTheSameCallsByHand|TheSameIsAsByHand|AMergeDoesWhatWasShown|SeededMistakes|AnOrderSaysWhat|RandomDaysAgree|TheCounterIsUnderstood|EachPartOfTheSchemaOfAShop|EachDerivedTableOfAShop|WhatAReportReads|ActsOnEveryPage|EveryChangeHasARecord|AProgramIsAsByHand|TriedOnPastSentences

# Without cgo, as the command line is built, with the seeds of the fuzz targets. The slowest package takes a little over a minute;
# -timeout counts for each package, so a hang ends in minutes and prints its stacks. Vet is a step of make check.
.PHONY: test-go
test-go:
	@$(LARGE_HEAP) CGO_ENABLED=0 build/in-memory.sh go test -p 3 -vet=off -timeout 6m -skip '$(LONG)' ./...

.PHONY: check-long
check-long:
	@CGO_ENABLED=0 go test -tags host -run 'AHostServes|AHostPublishes|AHostSays' ./internal/cli
	@$(LARGE_HEAP) CGO_ENABLED=0 build/in-memory.sh build/go-again.sh -vet=off -timeout 15m -run '$(LONG)' -- ./...

.PHONY: test-ui
test-ui: frontend/node_modules/.ready
	@cd frontend && npm run --silent typecheck && npm run --silent test

# What is tagged @long, and the look of all but the pages, is left to check-flows.
.PHONY: test-flows
test-flows: frontend/dist/index.html $(BIN)/deskhand-dev
	@DESKHAND_LOOK=pages build/flows.sh $(BIN)/deskhand-dev

.PHONY: test-window
test-window: $(BIN)/deskhand
	@build/window.sh $(BIN)/deskhand

.PHONY: check-vet
check-vet:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	 test -z "$$unformatted" || { echo "$$unformatted" >&2; echo "run: gofmt -w ." >&2; exit 1; }
	@CGO_ENABLED=0 go vet ./... && CGO_ENABLED=0 go vet -tags soak,conformance,host ./...
	@go vet -tags $(TAGS) . ./internal/window ./internal/cli && go vet -tags $(DEV_TAGS) . ./internal/window
	@GOOS=windows CGO_ENABLED=0 go vet ./... && GOOS=darwin CGO_ENABLED=0 go vet ./...

.PHONY: check-static
check-static:
	@build/tool.sh $(STATICCHECK) ./...

.PHONY: check-ui
check-ui: frontend/node_modules/.ready
	@cd frontend && npm run --silent lint

.PHONY: check-shape
check-shape:
	@build/shape.sh $(GOCYCLO)

# Vale parses the sources with a C library.
.PHONY: check-prose
check-prose:
	@CGO_ENABLED=1 node build/prose.mjs $(VALE)

.PHONY: lower-prose
lower-prose: ## Lower the limits of check-prose to the hits that are left
	@CGO_ENABLED=1 node build/prose.mjs $(VALE) --lower

.PHONY: check-api
check-api:
	@build/api.sh $(APIDIFF)

.PHONY: check-licences
check-licences:
	@node build/licences.mjs --check

# Packages that the window and the command line compile differently: those that import Wails, and ours above them.
.PHONY: check-cache
check-cache: $(BIN)/deskhand-cli $(BIN)/deskhand
	@build/cache.sh $(TAGS)

.PHONY: check-size
check-size: $(BIN)/deskhand-cli
	@node build/size.mjs --check

.PHONY: check-vulnerabilities
check-vulnerabilities: frontend/node_modules/.ready
	@build/vulnerabilities.sh

.PHONY: check-python
check-python:
	@build/python.sh

.PHONY: check-mcp
check-mcp:
	@build/mcp.sh

.PHONY: check-fresh
check-fresh:
	@CGO_ENABLED=0 go test -count 1 ./internal/gen ./internal/repo ./bus/codegen

# SQLite in pure Go is ten times slower under the race detector, and it is not ours to
# mend: it is compiled without, what is ours is watched. It takes its locks from sync,
# which the detector still sees.
RACE := -race '-gcflags=modernc.org/...=-race=false'

# Shorter walks of one goroutine each, and what costs on purpose: the detector has nothing to
# see in them either, and test-go runs them. One that is missing here only takes longer.
ONE_GOROUTINE := TheTreeIsThatOfAllRecords|ALogWithoutATree|EachChangeOfTheSchema|EverySingleChange|NamesTheFirstBad|AByteThatFlips|FirstOfManyBad|UndoRestores|ErasedRowsLeave|DaysBegin|OnEveryRun|Reversible|PIN|OneDoor|ADayAt|ABombOfGzip|EveryBoundIsSaid|AModelIsTriedOnPastSentences|OneQueryFails|AnySliceOfTheLog|ToldTitlesAndNoNames|TheDemonstrationOf|NothingHappensBeyond|AProposedGrantNever|ATrialSaysWhat|SameWordsSameAnswer|SentencesLeadToTheirCall

# The packages that start goroutines or have channels. What another one does with goroutines it does through these: the
# tests of internal/desk and internal/host have the whole shop in several of them, and those of internal/e2e are programs.
CONCURRENT = $$(git ls-files '*.go' | grep -Ev '_test\.go$$|^(docs|build)/|testdata' | \
	xargs grep -lE '^\s*go |\.Go\(|make\(chan' | xargs -n 1 dirname | sort -u | sed 's,^,./,')

.PHONY: check-race
check-race:
	@$(LARGE_HEAP) build/in-memory.sh build/go-again.sh $(RACE) -vet=off -timeout 15m -skip '$(LONG)|$(ONE_GOROUTINE)' -- $(CONCURRENT)

.PHONY: check-examples
check-examples: frontend/node_modules/.ready
	@build/examples.sh $(RACE)

.PHONY: check-flows
check-flows: frontend/dist/index.html $(BIN)/deskhand-dev
	@DESKHAND_FLOWS=all DESKHAND_LOOK=four DESKHAND_RETRIES=1 build/flows.sh $(BIN)/deskhand-dev

.PHONY: check-window
check-window: $(BIN)/deskhand
	@AGAIN=8 build/window.sh $(BIN)/deskhand
	@build/till-window.sh $(BIN)/deskhand

# The short form of the suites of `make soak` that trace system calls.
.PHONY: check-sync
check-sync:
	@SCALE=0 ONLY='^(answers after their sync|power cut)$$' build/soak.sh

# A minute of what `make soak` does for an hour.
.PHONY: check-limits
check-limits:
	@SCALE=0.016 ONLY='^limits over programs$$' build/soak.sh

.PHONY: check-cards
check-cards: frontend/node_modules/.ready
	@build/cards.sh 0

# docs/examples/tickets, with the packages and the page kit as somebody else has them.
.PHONY: check-tickets
check-tickets: frontend/node_modules/.ready
	@build/tickets.sh

.PHONY: gen
gen: ## Write everything generated again: clients, schemas, reference, words, licences, status of the tests
	@CGO_ENABLED=0 go run ./internal/gen
	@go test ./bus/codegen -update >/dev/null
	@for example in tickets rooms; do (cd docs/examples/$$example && CGO_ENABLED=0 go test . -run Fresh -update >/dev/null); done
	@mkdir -p $(BIN) && node build/licences.mjs > $(BIN)/licences.md && mv $(BIN)/licences.md docs/licences.md

.PHONY: bench
bench: ## Run the benchmarks; RECORDS=1000000 for a log of that size, kept in LOG
	@mkdir -p $(BIN)
	$(call say,One invocation beside the libraries that do part of it)
	cd build/bench && go run .
	$(call say,The bus)
	go test -run '^$$' -bench . -benchmem ./bus
	$(call say,A durable write and a recorded read beside a raw row)
	go test -run '^$$' -bench Durable -benchtime 9x ./audit
	$(call say,The rest of the journal; a log of $(RECORDS) records warm and cold)
	go test -run '^$$' -skip Durable -bench . -benchmem -timeout 0 ./audit -records $(RECORDS) -log $(LOG)
	go test -run '^$$' -bench Search -benchtime 5x -timeout 0 ./audit -records $(RECORDS) -log $(LOG) -cold
	$(call say,Lists and reports of a shop with $(CUSTOMERS) customers, four times as many orders)
	go test -run '^$$' -bench ManyOrders -benchtime 20x -timeout 0 ./shop -customers $(CUSTOMERS) -kept $(MANY)

.PHONY: performance
performance: ## Measure, and write docs/performance.md and its tables; ONLY=PATTERN measures the sections of those titles
	@build/setup.sh test
	@$(MAKE) --no-print-directory $(BIN)/deskhand $(BIN)/oneword $(BIN)/painted frontend/dist/index.html $(BIN)/deskhand-dev
	@build/performance.sh > $(BIN)/measurements.md && mv $(BIN)/measurements.md docs/evidence/measurements.md
	@node build/performance.mjs > $(BIN)/performance.md && mv $(BIN)/performance.md docs/performance.md

.PHONY: window-figures
window-figures: $(BIN)/deskhand $(BIN)/oneword $(BIN)/painted ## Measure the window: first paint, memory after MINUTES of use, idle processor
	@build/setup.sh test
	$(call say,The window in figures)
	@build/window-figures.sh $(BIN)/deskhand $(BIN)/oneword $(BIN)/painted

$(BIN)/oneword: build/testdata/oneword/main.go build/testdata/oneword/page/index.html go.sum
	@go build -tags $(TAGS) -ldflags '-s -w' -o $@ ./build/testdata/oneword

$(BIN)/painted: build/testdata/painted/main.go
	@go build -o $@ ./build/testdata/painted

.PHONY: soak
soak: ## Long suites, all of them, into docs/reliability.md; SCALE=0.1 for a tenth of their length
	@build/setup.sh check
	@$(MAKE) --no-print-directory frontend/dist/index.html $(BIN)/deskhand-dev
	@build/soak.sh

.PHONY: mutants
mutants: ## Change the bus, the policy and the log's chain place by place: which changes does no test see?
	@CGO_ENABLED=0 go test -count 1 -timeout 0 -v -run MutantsDie ./internal/repo -mutants .

.PHONY: fuzz
fuzz: ## Fuzz what reads bytes of others: ten minutes for each target, SCALE=0.1 for a tenth, one after the other
	@ONLY='^Fuzz' build/soak.sh

.PHONY: package
package: ## Make what people install: a .deb, a portable archive, the same for Windows, and what is in it
	@build/setup.sh package
	@$(MAKE) --no-print-directory build
	@build/package.sh

.PHONY: reproducible
reproducible: ## Make the packages of the last commit twice, in two places: are they the same bytes?
	@build/reproducible.sh

.PHONY: try-package
try-package: package ## Install the .deb over an earlier one in a bare Debian 12 and 13, use it there and remove it (as root)
	@build/setup.sh try
	@build/trydeb.sh $(BIN)/packages/deskhand_*_$$(dpkg --print-architecture).deb $(BIN)/packages/deskhand-*-linux-*.tar.gz

.PHONY: try-windows
try-windows: ## Do with the command line for Windows, under Wine, what a shop does with it (as root, unless Wine 9 is there)
	@build/setup.sh try
	@build/wine.sh

.PHONY: dev
dev: frontend/dist/index.html $(BIN)/deskhand-dev ## Serve the page to a browser over the real bindings (development only)
	@test -e "$(DATA)/shop.db" || CGO_ENABLED=0 go run . --data "$(DATA)" init --sample
	assetdir=frontend/dist devserver=127.0.0.1:34115 $(BIN)/deskhand-dev --data "$(DATA)"

.PHONY: screenshots
screenshots: frontend/dist/index.html $(BIN)/deskhand-dev ## Take the pictures in docs/ again
	@build/setup.sh test
	@build/flows.sh $(BIN)/deskhand-dev --grep @screenshot

.PHONY: clean
clean: ## Remove what was built
	rm -rf $(BIN) frontend/node_modules frontend/test-results docs/examples/tickets/frontend/node_modules
	find frontend/dist -mindepth 1 ! -name .gitkeep -delete

frontend/node_modules/.ready: frontend/package-lock.json
	$(call say,Packages of the page: downloading takes about half a minute)
	@cd frontend && npm ci --no-audit --no-fund --loglevel=error && touch node_modules/.ready

frontend/dist/index.html: frontend/node_modules/.ready $(UI_SOURCES)
	$(call say,Page)
	@cd frontend && npm run --silent build

$(BIN)/deskhand: frontend/dist/index.html $(GO_SOURCES)
	$(call say,Window: compiling takes 1 to 4 minutes the first time and seconds after that)
	@mkdir -p $(BIN)
	@$(LARGE_HEAP) go build -buildvcs=auto -tags $(TAGS) -ldflags '-s -w' -o $@ .

$(BIN)/deskhand-dev: frontend/dist/index.html $(GO_SOURCES)
	@mkdir -p $(BIN)
	@$(LARGE_HEAP) go build -tags $(DEV_TAGS),host -o $@ .

$(BIN)/deskhand-cli: $(GO_SOURCES)
	@mkdir -p $(BIN)
	$(call say,Command line: compiling takes 1 to 3 minutes the first time and seconds after that)
	@$(LARGE_HEAP) CGO_ENABLED=0 go build -buildvcs=auto -ldflags '-s -w' -o $@ .
