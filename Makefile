# Flags for debug builds; the same for build, test and demo, or everything is compiled anew.
SWIFT_FLAGS ?=
PREFIX ?= /usr/local
DESTDIR ?=

# So that what is installed needs no Swift on its machine.
ifeq ($(shell uname),Linux)
RELEASE_FLAGS ?= --static-swift-stdlib
endif

.DEFAULT_GOAL := help
.PHONY: help demo test test-threads test-threads-all bench build install format lint clean

help: ## Show these commands
	@sed -n 's/^\([a-z-]*\): ##/\1:/p' $(firstword $(MAKEFILE_LIST)) | while IFS=: read -r name text; do \
	  printf '  make %-16s %s\n' "$$name" "$$text"; done

demo: ## Plan and run a manifest against a server of its own, here and now
	@.ci/install-dependencies
	@.ci/demo

test: ## Run all tests
	@.ci/install-dependencies --test
	swift test $(SWIFT_FLAGS)

# The sanitizer's own build: `Mutex` is replaced by a lock that it knows, whose members come from another module.
THREAD_FLAGS = --sanitize=thread --scratch-path .build/threads $(SWIFT_FLAGS) -Xswiftc -DTHREAD_SANITIZER \
  -Xswiftc -disable-upcoming-feature -Xswiftc MemberImportVisibility

test-threads: ## Run the tests under the thread sanitizer, all but the end-to-end ones
	@.ci/install-dependencies --test
	swift build --build-tests $(THREAD_FLAGS)
# One after the other: side by side, slowed down as they are, they keep each other waiting for longer than tests are
# patient.
	swift test --no-parallel --skip-build $(THREAD_FLAGS) --skip EndToEndTests

test-threads-all: test-threads ## Run the end-to-end tests under the thread sanitizer too, which takes its time
	swift test --skip-build $(THREAD_FLAGS) --filter EndToEndTests

# Words for the benchmark, such as BENCH="--scenarios small".
BENCH ?=

bench: ## Measure bulkget beside other programs; BENCH takes options
	@.ci/install-dependencies --test
	@.ci/install-dependencies --bench || echo "going on without them" >&2
	swift build -c release --product bulkget $(RELEASE_FLAGS)
	swift build -c release --product bulkget-bench $(RELEASE_FLAGS)
	"$$(swift build -c release --show-bin-path $(RELEASE_FLAGS))/bulkget-bench" $(BENCH)

build: ## Build for debugging
	@.ci/install-dependencies
	swift build $(SWIFT_FLAGS)

install: ## Build for release and install into PREFIX (/usr/local), below DESTDIR
	@.ci/install-dependencies
	swift build -c release --product bulkget $(RELEASE_FLAGS)
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 "$$(swift build -c release --show-bin-path $(RELEASE_FLAGS))/bulkget" "$(DESTDIR)$(PREFIX)/bin/bulkget"

format: ## Format all Swift files
	swift format -i -r -p Package.swift Sources Tests Benchmarks

lint: ## Check format, imports and text
	swift format lint --strict -r -p Package.swift Sources Tests Benchmarks
	.ci/check-imports --self-test
	.ci/check-imports
	.ci/check-text --self-test
	.ci/check-text

clean: ## Remove everything that was built
	swift package clean
