# `make` lists the tasks; `make run` and `make test` do all the set-up that a fresh machine with Swift needs.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# The compiler spends an eighth of its time in the C library's malloc.
ALLOCATOR = $(patsubst %,LD_PRELOAD=%,$(firstword $(wildcard /usr/lib/*-linux-gnu/libjemalloc.so.2)))
# Otherwise the compiler's arguments would say whether it talks to a terminal, and `make run` after `make build | tee log` would build
# everything once more.
SWIFT_BUILD = $(SWIFT) build --no-color-diagnostics
# A build of all tests from nothing takes less time without what only editors and debuggers need. Its directory is its own: with other flags
# than those of a daily `swift build`, each would compile everything once more after the other.
TEST_BUILD = WHOLE_TESTS=1 $(ALLOCATOR) $(SWIFT_BUILD) --scratch-path .build/tests --disable-index-store -Xswiftc -gline-tables-only
RUN_TESTS = BUNDLE=.build/tests/debug/turnstonePackageTests.xctest .ci/test
# The packages that only other programs and the tests use aren't even resolved.
TRAITS = --traits Program
BUILD_FLAGS = -c release $(TRAITS) --static-swift-stdlib --product turnstone $(if $(filter Linux,$(shell uname)),$(LINUX_FLAGS))

# They can't stand in Package.swift: SwiftPM takes no package with such flags as a dependency. lld comes with Swift, and links in a tenth of
# gold's time. A program exports no symbols; what moves it to its address in memory is packed; and of the C++ library's two thousand
# places it fills in the few that the Swift runtime uses. So it is a tenth smaller, and starts with a tenth fewer instructions. Line tables
# are for debug builds: their making takes time, and installing strips them; those of C make Debian 12's valgrind give up. The hash of each
# module that the compiler leaves for itself has the directory in it, so without it the same sources give the same bytes elsewhere, too.
#
# Each function has a section of its own, which the linker drops when nothing calls it: an eighth of our code. The compiler names the
# metadata of generic types of known arguments directly, where the runtime would look through all conformances: a sixth of a start.
LINUX_FLAGS = -Xswiftc -gnone $(foreach flag,-Xfrontend -disable-incremental-llvm-codegen -Xfrontend -function-sections \
	-Xfrontend -internalize-at-link -Xfrontend -disable-concrete-type-metadata-mangled-name-accessors,-Xswiftc $(flag)) \
	-Xswiftc -use-ld=lld -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
	-Xlinker -L$(CURDIR)/.build/static $(foreach flag,--no-export-dynamic --icf=safe --strip-debug -O2 $(PACKED),-Xlinker $(flag))
# Older C libraries don't know them.
PACKED = $(shell printf '%s\n' 2.36 $$(getconf GNU_LIBC_VERSION | cut -d' ' -f2) | sort -CV && echo -z pack-relative-relocs)
SOURCES = Package.swift Library/Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources

# What building needs, and what the tests need besides: real servers, and programs that the tests compare with.
BUILD_PACKAGES = libcurl4-openssl-dev libidn2-dev libjemalloc2 libjq-dev libncurses-dev libpcre2-dev libsqlite3-dev libssl-dev libxml2-dev libyaml-dev pkg-config zlib1g-dev
TEST_PACKAGES = $(BUILD_PACKAGES) nginx-light nghttp2-server openssl curl jq python3 libxml2-utils python3-tap python3-more-itertools python3-yaml python3-hpack python3-websockets zsh fish

.DEFAULT_GOAL := help
.PHONY: help run build embedded test conformance machines test-locust test-graphql test-mcp bench sanitize torture torture-short fuzz typing soak pictures docs behaviours reference format lint install uninstall deb tarball sbom deps clean

help: ## List the tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Build, and open the explorer on the demo collection (its server runs inside: no network needed)
	@.build/release/turnstone demo

build: .build/packages-to-build .build/static/libstdc++.a .build/static/libxml-2.0.pc ## Build the release: .build/release/turnstone, with the Swift runtime inside
	PKG_CONFIG_PATH=$(CURDIR)/.build/static:$$PKG_CONFIG_PATH SMALL=1 $(ALLOCATOR) $(SWIFT_BUILD) $(BUILD_FLAGS) $(SWIFT_BUILD_OPTIONS)

test: .build/packages-to-test ## Run all tests
	$(TEST_BUILD) --build-tests
	$(RUN_TESTS)

conformance: .build/packages-to-test ## Compare with other programs row by row: curl, shells, xmllint, tap.py; SAMPLE=N for each N-th row
	$(TEST_BUILD) --build-tests
	CONFORMANCE=$(or $(SAMPLE),1) $(RUN_TESTS) --filter ConformanceTests

machines: ## Build and test in roots of Debian 12, 13 and unstable, which it makes: takes root, and about an hour; SUITES="trixie"
	.ci/machines $(SUITES)

# Locust is on PyPI only. Without the internet the test is left out: of `make test` it is no part.
LOCUST = $(CURDIR)/.build/locust
test-locust: .build/packages-to-test ## Run what `export locust` writes with Locust itself, which it gets from PyPI into .build/locust
	python3 -c 'import ensurepip' 2>/dev/null || .ci/install-packages python3-venv
	test -x $(LOCUST)/bin/locust || { python3 -m venv $(LOCUST) && $(LOCUST)/bin/pip install --quiet locust; }
	$(TEST_BUILD) --build-tests
	PATH=$(LOCUST)/bin:$$PATH $(RUN_TESTS) --filter LocustRunTests

# Debian's graphql-core goes by an older specification.
GRAPHQL = $(CURDIR)/.build/graphql
test-graphql: ## Hold the verdicts about queries against graphql-core, which it gets from PyPI into .build/graphql
	python3 -c 'import ensurepip' 2>/dev/null || .ci/install-packages python3-venv
	test -x $(GRAPHQL)/bin/python || { python3 -m venv $(GRAPHQL) && $(GRAPHQL)/bin/pip install --quiet graphql-core==3.3.2; }
	$(GRAPHQL)/bin/python Tests/GraphQLLanguageTests/Corpus/judge.py

# The official SDK is on PyPI only.
MCP = $(CURDIR)/.build/mcp
test-mcp: .build/packages-to-test ## Talk to `turnstone mcp` with the official SDK
	python3 -c 'import ensurepip' 2>/dev/null || .ci/install-packages python3-venv
	test -x $(MCP)/bin/mcp || { python3 -m venv $(MCP) && $(MCP)/bin/pip install --quiet 'mcp[cli]'; }
	$(SWIFT_BUILD) --product turnstone
	$(MCP)/bin/python Tests/MCPClient/client.py .build/debug/turnstone

# AsyncHTTPClient brings NIO and BoringSSL, nine tenths of the build: PEERS=no goes without it. BUILD=1 times a clean build, too.
bench: .build/packages-to-test build ## Measure against curl and others, beside budgets; 3 % more instructions fail
	$(SWIFT_BUILD) -c release --package-path Benchmarks $(if $(filter no,$(PEERS)),--disable-default-traits) -Xswiftc -gnone -Xswiftc -use-ld=lld
	$(if $(BUILD),.ci/build-time,@echo 'The clean build (at most 240 s) is timed with BUILD=1.')
	Benchmarks/.build/release/benchmarks
	$(TEST_BUILD) --build-tests
	TURNSTONE_BENCH=1 $(RUN_TESTS) --filter 'phases are right within a millisecond'
	.ci/instructions

# The sanitizer needs its shadow where address randomisation might put something else. Its status is 66 when it has found something.
sanitize: .build/packages-to-test ## Look for data races: 20 s of everything at random under the thread sanitizer
	$(SWIFT_BUILD) --sanitize=thread --scratch-path .build/sanitize --product network-storm
	TSAN_OPTIONS=suppressions=Tests/NetworkLayerStorm/sanitizer-suppressions.txt \
		setarch -R .build/sanitize/debug/network-storm --seconds 20

# The address sanitizer sees what libcurl does with memory that was freed, though libcurl isn't built with it: it takes the place of free()
# and of strlen() and their like, and fills what is freed with a byte that makes no good pointer. (Debian 12's valgrind crashes itself when
# libdispatch starts its threads.) Leaks are looked for by what is left open and alive.
torture: .build/packages-to-test ## Play a server that answers almost well, by a SEED, for SECONDS: nothing may crash, hang or be mixed up
	$(SWIFT_BUILD) --sanitize=address --scratch-path .build/asan --product torture
	$(SWIFT_BUILD) --sanitize=address --scratch-path .build/asan --product turnstone
	SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:max_free_fill_size=4096:free_fill_byte=253 \
		.build/asan/debug/torture \
		--turnstone .build/asan/debug/turnstone --seconds $(or $(SECONDS),60) \
		$(if $(SEED),--seed $(SEED)) $(if $(ROUND),--round $(ROUND)) $(WITHOUT)

torture-short: .build/packages-to-test ## The same for a minute or so by one seed, with what `make test` has built: without the sanitizer
	$(TEST_BUILD) --product torture
	SWIFT_BACKTRACE=enable=no .build/tests/debug/torture --turnstone .build/tests/debug/turnstone --seed 8 --rounds 8 $(WITHOUT)

fuzz: .build/packages-to-test ## Give everything that reads what comes from outside made-up bytes, for SECONDS (60) each; TARGET=json
	.ci/fuzz $(or $(SECONDS),60) $(TARGET)

typing: .build/packages-to-test ## Type at random into the explorer while things come up by themselves: SEEDS (10000), a few minutes
	$(TEST_BUILD) --build-tests
	TYPING_SEEDS=$(or $(SEEDS),10000) BUSY_OPERATIONS=1000 $(RUN_TESTS) --filter 'no key reaches anything but|BusyExplorerTests'

pictures: .build/packages-to-test ## Draw the pictures of the manual anew: what the explorer draws now, as SVG
	$(TEST_BUILD) --build-tests
	mkdir -p docs/pictures
	DRAW_PICTURES=1 $(RUN_TESTS) --filter 'pictures of the documentation'

# The pages are read as files, too; this makes a site of them, with what PyPI has, in .build/site.
ZENSICAL = $(CURDIR)/.build/zensical
docs: ## Make a site of the manual in .build/site, with Zensical from PyPI
	python3 -c 'import ensurepip' 2>/dev/null || .ci/install-packages python3-venv
	test -x $(ZENSICAL)/bin/zensical || { python3 -m venv $(ZENSICAL) && $(ZENSICAL)/bin/pip install --quiet zensical; }
	$(ZENSICAL)/bin/zensical build --clean --strict -f mkdocs.yml

soak: .build/packages-to-test ## Send 20,000 requests through one queue: nothing may be lost, and nothing left in memory
	$(SWIFT_BUILD) -c release $(TRAITS) --product network-storm
	.build/release/network-storm --operations 20000

behaviours: ## Name the behaviours of the network layer whose id no test carries
	@.ci/check-behaviours

reference: build ## Write docs/format.md, the reference page of the collection format, from its table of fields
	.build/release/turnstone schema --reference > docs/format.md

format: ## Format all sources in place
	$(SWIFT) format --in-place --recursive --parallel $(wildcard $(SOURCES))

lint: ## Check the format, strictly
	$(SWIFT) format lint --strict --recursive --parallel $(wildcard $(SOURCES))

embedded: ## Pack the demo collection and the themes into the program, after a change of theirs
	.ci/embed > Sources/turnstone/Resources/share.pack

install: build ## Install below PREFIX (/usr/local)
	install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/man/man1
	install -d $(SHARE)/bash-completion/completions $(SHARE)/zsh/vendor-completions $(SHARE)/fish/vendor_completions.d
	install -s -m 755 .build/release/turnstone $(DESTDIR)$(PREFIX)/bin/turnstone
	.build/release/turnstone man > $(SHARE)/man/man1/turnstone.1
	.build/release/turnstone completion bash > $(SHARE)/bash-completion/completions/turnstone
	.build/release/turnstone completion zsh > $(SHARE)/zsh/vendor-completions/_turnstone
	.build/release/turnstone completion fish > $(SHARE)/fish/vendor_completions.d/turnstone.fish

SHARE = $(DESTDIR)$(PREFIX)/share

uninstall: ## Remove what `install` put there
	rm -rf $(DESTDIR)$(PREFIX)/bin/turnstone $(SHARE)/turnstone $(SHARE)/man/man1/turnstone.1 \
		$(SHARE)/bash-completion/completions/turnstone $(SHARE)/zsh/vendor-completions/_turnstone \
		$(SHARE)/fish/vendor_completions.d/turnstone.fish

# To give to others, in .build/dist: each starts from an empty folder.
STAGED = rm -rf .build/package && $(MAKE) --no-print-directory install DESTDIR=$(CURDIR)/.build/package PREFIX=/usr
deb: build ## Make a Debian package in .build/dist
	@.ci/install-packages dpkg-dev binutils
	$(STAGED) && .ci/package deb .build/dist

# Its relocations aren't packed: then the program that is built on Debian 12 runs on Ubuntu 22.04, too, whose C library is older.
tarball: ## Make an archive with the program, for other distributions, and its checksum in .build/dist
	@.ci/install-packages binutils
	$(STAGED) PACKED= && .ci/package tarball .build/dist

sbom: build ## Say in SPDX what is in the program, in .build/dist
	@.ci/install-packages binutils python3
	$(STAGED) && .ci/package sbom .build/dist

deps: ## Install the system packages that building and testing need
	@.ci/install-packages $(TEST_PACKAGES)

clean: ## Remove what was built
	rm -rf .build Benchmarks/.build

# A directory in which the linker finds this one, and not the shared one.
.build/static/libstdc++.a:
	@mkdir -p $(dir $@) && ln -sf "$$(clang -print-file-name=libstdc++.a)" $@

# Where libxml2's headers are, without the library: CLate loads it when there is XPath.
.build/static/libxml-2.0.pc: .build/packages-to-build
	@mkdir -p $(dir $@) && printf 'Name: libxml2\nDescription: headers\nVersion: %s\nCflags: %s\n' \
		"$$(pkg-config --modversion libxml-2.0)" "$$(pkg-config --cflags libxml-2.0)" > $@

.build/packages-to-build: Makefile .ci/install-packages
	@.ci/install-packages $(BUILD_PACKAGES)
	@mkdir -p .build && touch $@

.build/packages-to-test: Makefile .ci/install-packages
	@.ci/install-packages $(TEST_PACKAGES)
	@mkdir -p .build && touch $@
