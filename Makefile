# The commands of contributors. After the modules are downloaded, most targets need no
# network.

GO          ?= go
# The targets of make fuzz as DIRECTORY:NAME, and the time for each.
FUZZ         = $(shell grep -roE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' . | sed 's|^\./\(.*\)/[^/]*:func |\1:|' | sort)
FUZZTIME    ?= 30s
# The pattern of the benchmarks of make bench.
BENCH       ?= .

# The fuzz targets of make fuzz-exposed, which are the most exposed to input of strangers.
EXPOSED := \
	auditlog:FuzzScan \
	internal/cli:FuzzAuditLog \
	internal/cli:FuzzLintTree \
	internal/cli/auditfollow:FuzzFollow \
	internal/cli/auditserve:FuzzPost \
	internal/report:FuzzHostile \
	manifestlint:FuzzSpellings \
	manifestlint/checks:FuzzFix \
	manifestlint/checks:FuzzLint \
	manifestlint/internal/document:FuzzSplit \
	manifestlint/internal/yamltree:FuzzRead \
	manifestlint/source/helmchart:FuzzRender

# The texts and directories with Go files that make prose checks. A path is added when its
# last finding is fixed. LEVEL=warning also lists long sentences.
PROSE := README.md CONTRIBUTING.md rules/*.md docs/*.md docs/cases
PROSE += FOUND.md SECURITY.md rules/apiserver/README.md rules/*/gen/*.md rules/apiserver/*/testdata/README.md
PROSE += CHANGELOG.md BENCHMARKS.md examples/*.md deploy/audit/*.md editors/vscode/*.md golangci/*.md internal/oracle/README.md
PROSE_GO := analyzers auditlog beam cmd examples golangci internal manifestlint rules
LEVEL ?= error

# The directories of the other Go modules in this repository.
NESTED := $(patsubst ./%/go.mod,%,$(shell find . -mindepth 2 -name go.mod -not -path '*/testdata/*' -not -path './.*'))

.DEFAULT_GOAL := help
.PHONY: help build install test lint prose corpus generate projects verify snapshot release-tools release-check fuzz fuzz-exposed golangci oracle bench bench-go playground site

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

build: ## build ./kubevet
	$(GO) build -o kubevet$(shell $(GO) env GOEXE) ./cmd/kubevet

install: ## install kubevet into $(go env GOBIN), or GOPATH's bin
	$(GO) install ./cmd/kubevet

test: ## gofmt, go vet, staticcheck and all tests, in every module
	$(GO) run internal/runtests/main.go

lint: ## gofmt, go vet and staticcheck, in every module
	$(GO) run internal/runtests/main.go -lint

prose: ## check Markdown and Go comments with Vale; .vale.ini has the style
	$(GO) tool -modfile=.vale/go.mod vale --no-global --minAlertLevel=$(LEVEL) --output=line $(PROSE)
	$(GO) tool -modfile=.vale/go.mod vale --no-global --minAlertLevel=$(LEVEL) --output=line --glob='*.go' $(PROSE_GO)

corpus: ## run the tests that read external data below KUBEVET_CORPUS
	@test -n "$(KUBEVET_CORPUS)" || { echo "set KUBEVET_CORPUS to the directory of the data; see docs/testing.md"; exit 1; }
	@set -e; grep -rlE --include='*_test.go' 'KUBEVET_CORPUS|internal/corpustest|internal/recorded' . | xargs -n 1 dirname | sort -u | while read -r dir; do \
		$(GO) test -C "$$dir" -count=1 .; \
	done

generate: ## write every generated file; downloads Kubernetes releases from the module proxy
	$(GO) generate ./...
	$(GO) run -C rules/lifecycle/gen .
	$(GO) run -C rules/components/gen .

projects: ## write the table of projects' custom resources; downloads their repositories
	$(GO) run -C rules/projects/gen .

verify: ## fail if a generated file or a go.mod is out of date
	$(GO) mod tidy -diff
	@set -e; for module in $(NESTED); do $(GO) mod tidy -C $$module -diff; done
	@before=$$(git diff; git status --porcelain); $(MAKE) --no-print-directory generate; \
	after=$$(git diff; git status --porcelain); \
	if [ "$$before" != "$$after" ]; then echo "make generate changes these files:"; git status --short; exit 1; fi

# Go builds the programs that make a release, in the versions of their module.
RELEASE_TOOLS := $(CURDIR)/internal/tools/release/bin

# The steps that make snapshot leaves out: images need Docker, and signatures need the workflow.
SKIP ?= docker,sign

release-tools: ## build GoReleaser and its programs in internal/tools/release/bin
	$(GO) build -C internal/tools/release -ldflags='-s -w' -o bin/ tool

snapshot: release-tools ## build the files of a release in dist, for six platforms; SKIP=sign also builds images
	PATH="$(RELEASE_TOOLS):$$PATH" goreleaser check
	PATH="$(RELEASE_TOOLS):$$PATH" goreleaser release --snapshot --clean --skip=$(SKIP)

release-check: ## unpack, compare and run the files in dist that this machine can run
	KUBEVET_DIST='$(CURDIR)/dist' $(GO) test -count=1 -v -run '^TestDist' ./internal/release

# The fuzzer makes an interesting input smaller in 50 steps. The default, a minute for each
# input, would leave slow targets no time for new inputs.
fuzz: ## run each fuzz target for FUZZTIME (30s)
	@failed=; for target in $(FUZZ); do \
		dir=$${target%:*} name=$${target#*:}; \
		echo "$$dir $$name"; \
		grep -qs "^func $$name(" "$$dir"/*_test.go || { echo "there is no such target"; failed="$$failed $$target"; continue; }; \
		$(GO) test -C "$$dir" -run='^$$' -fuzz="^$$name\$$" -fuzztime=$(FUZZTIME) -fuzzminimizetime=50x . || failed="$$failed $$target"; \
	done; \
	if [ -n "$$failed" ]; then echo "failed:$$failed"; exit 1; fi

fuzz-exposed: ## run the twelve most exposed fuzz targets for FUZZTIME (30s)
	@$(MAKE) --no-print-directory fuzz FUZZ='$(EXPOSED)'

golangci: ## build a golangci-lint with the plugin and test it
	$(GO) test -C golangci -tags=custom -timeout=30m -run='^TestCustom$$' -count=1 .

playground: ## build the playground of the site; needs xz
	$(GO) run internal/playground/publish/main.go site/static/playground

site: playground ## build the documentation site in site/public and check its links
	cd site && $(GO) tool hugo --cleanDestinationDir --panicOnWarning --quiet
	$(GO) run -C site ./linkcheck public

oracle: ## build released kube-apiservers and record their answers to all cases
	$(GO) run -C internal/oracle ./record
	$(GO) run -C internal/oracle ./convert
	$(GO) run -C internal/oracle ./convert -code
	$(GO) run -C internal/oracle ./policies
	$(GO) run -C internal/oracle ./policies -scenes policies/heldout -answers ../../rules/apiserver/policy/testdata/heldout

bench: ## run the benchmarks that match BENCH; inputs are generated or, with KUBEVET_CORPUS, recorded
	$(GO) test -run='^$$' -bench='$(BENCH)' -benchmem ./...

bench-go: ## measure the Go rules on real modules, which it downloads; GOBENCH_CACHE keeps them
	$(GO) run -C internal/gobench . run
	$(GO) run -C internal/gobench . score
	$(GO) run -C internal/gobench . places
