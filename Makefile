# The verbs of Gate's repository. `make help` lists them; each works from a clean clone.
.DEFAULT_GOAL := help
.PHONY: bench bench-check build build-tests check check-sanitizers clean crash docs fast fuzz help hostile install load protos release release-protos run \
	setup setup-release simulate swift test test-app test-conformance test-desktop test-systemd uninstall

PREFIX ?= /usr
DESTDIR ?=
# Other flags than those of `make build`, and so folders of their own.
release := .build/install
for_installation := -c release --static-swift-stdlib -Xlinker -s --scratch-path $(release)
for_installation_static := -c release -Xswiftc -static-executable -Xlinker -s --scratch-path $(release)-static

# By itself the compiler marks Swift's edges in a way that libFuzzer no longer reads.
for_fuzzing := -c release --sanitize=fuzzer --sanitize=address --scratch-path .build/fuzz \
	-Xswiftc -sanitize-coverage=edge,trace-cmp,indirect-calls \
	$(addprefix -Xswiftc -Xllvm -Xswiftc ,-sanitizer-coverage-inline-8bit-counters -sanitizer-coverage-pc-table)

# From PATH, or where Swift's tarball is usually unpacked.
SWIFT := $(or $(shell command -v swift 2>/dev/null),$(wildcard /opt/swift/usr/bin/swift))
export PATH := $(if $(SWIFT),$(dir $(SWIFT)):)$(PATH)
# Swift's backtracer can hang a dying process.
export SWIFT_BACKTRACE := enable=no

BUILD_PACKAGES := git ca-certificates libprotobuf-c-dev protobuf-c-compiler protobuf-compiler libsqlite3-dev libcrypt-dev \
	libutf8proc-dev jq
# gate-revenuecat speaks HTTPS with it.
RELEASE_PACKAGES := libcurl4-openssl-dev
# The examples of the status page are in C and Python too.
TEST_PACKAGES := gcc libc6-dev python3
# The last two make and mount the file system that is cut off.
CRASH_PACKAGES := gcc libc6-dev libsqlite3-dev e2fsprogs mount
CONFORMANCE_PACKAGES := golang-go golang-github-containerd-ttrpc-dev golang-github-gogo-protobuf-dev gogoprotobuf
DESKTOP_PACKAGES := xvfb zenity xdotool
SYSTEMD_PACKAGES := systemd perl
# A container that boots systemd.
BOOT_PACKAGES := debootstrap systemd-container gcc libc6-dev
# What Gate is measured against, and what counts instructions.
BENCH_PACKAGES := gcc libsystemd-dev dbus-daemon polkitd redis-server systemd golang-go golang-github-containerd-ttrpc-dev \
	golang-google-grpc-dev valgrind binutils

# filtered_test PATTERN: a filter that matches nothing would pass.
filtered_test = swift test list --skip-build --disable-xctest 2>/dev/null | grep -q '$(1)' \
	|| { echo "there is no test called $(1)" >&2; exit 1; }; \
	swift test --skip-build --disable-xctest --filter $(1)

help: ## list the verbs
	@echo "Gate's verbs, for make:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | awk -F '\t' '{ printf "  %-18s%s\n", $$1, $$2 }'

setup: ## install the Debian packages that the build needs (YES=1: without a question)
	@.ci/packages $(BUILD_PACKAGES)

setup-release: setup
	@.ci/packages $(RELEASE_PACKAGES)

swift:
	@test -n "$(SWIFT)" || { echo "No swift here. Gate needs Swift 6.3: https://www.swift.org/install/linux/" >&2; exit 69; }

build: setup swift ## build everything but the tests
	@echo "== building"
	swift build

build-tests: setup swift
	@echo "== building everything, with the tests"
	swift build --build-tests

run: setup swift ## see it work: a daemon of your own, a question, a watcher
	@echo "== building gated and gatectl (the first time, this takes some minutes)"
	swift build --product gated
	swift build --product gatectl
	@examples/first-gate .build/debug

test: build-tests ## run all tests
	@.ci/packages $(TEST_PACKAGES)
	@echo "== running the tests"
	@log=$$(mktemp) && trap 'rm -f "$$log"' EXIT && \
	{ swift test --skip-build --disable-xctest 2>&1; echo "$$?" >"$$log.status"; } | tee "$$log"; \
	code=$$(cat "$$log.status"); rm -f "$$log.status"; \
	[ "$$code" = 0 ] || { echo "== what failed:"; grep -a '✘' "$$log"; } >&2; exit "$$code"

check: build-tests ## check format, layering, generated files, shell scripts and units
	@echo "== format"
	swift format lint --strict --recursive Package.swift Sources Tests Benchmarks
	@echo "== generated C is current"
	@work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && proto/generate "$$work" && \
	for target in CTTRPC CGateProtocol; do \
		diff -r "$$work/$$target" "Sources/$$target" || { echo "Sources/$$target is stale: run 'make protos'" >&2; exit 1; }; \
	done
	@echo "== the pages that gatectl and gated write of themselves are current"
	@work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && docs/generate markdown .build/debug/gatectl > "$$work/gatectl.md" && \
	diff "$$work/gatectl.md" docs/gatectl.md || { echo "docs/gatectl.md is stale: run 'make docs'" >&2; exit 1; }
	@echo "== layering"
	@$(call filtered_test,RepositoryTests)
	@echo "== shell scripts"
	@git ls-files -co --exclude-standard | while read -r file; do \
		case $$(head -c 32 "$$file" 2>/dev/null | head -n 1 | tr -d '\0') in \
			'#!/bin/sh'*) echo "sh -n $$file"; sh -n "$$file" ;; \
			'#!/bin/bash'* | '#!/usr/bin/env bash'*) echo "bash -n $$file"; bash -n "$$file" ;; \
		esac || exit 1; \
	done
	@echo "== units"
	@if command -v systemd-analyze >/dev/null; then systemd/verify units systemd; \
	else echo "skipped: no systemd-analyze here; 'make test-systemd' installs it"; fi

test-conformance: build-tests ## talk with Debian's Go ttrpc, both ways
	@.ci/packages $(CONFORMANCE_PACKAGES)
	@echo "== conformance with Go's ttrpc"
	Tests/Conformance/run

test-desktop: build-tests ## answer questions in windows: zenity as a presenter, on a virtual display
	@.ci/packages $(DESKTOP_PACKAGES)
	@echo "== presenting with zenity"
	Tests/Desktop/run

test-app: setup swift ## run the tests of the example app, as its author would
	@echo "== testing examples/app"
	swift test --package-path examples/app --disable-xctest

test-systemd: ## boot Debian with systemd in a container, install Gate there, and test what only systemd shows (as root)
	@.ci/packages $(SYSTEMD_PACKAGES)
	@work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && \
	umask 000 && $(MAKE) --no-print-directory install DESTDIR="$$work" PREFIX=/usr && umask 022 && \
	systemd/verify installed "$$work"
	@if [ "$${GATE_SYSTEMD_BOOT:-}" = skip ]; then \
		echo "skipped: the booted container (GATE_SYSTEMD_BOOT=skip)"; \
	else \
		.ci/packages $(BOOT_PACKAGES) && echo "== booting Debian in a container" && Tests/Systemd/run; \
	fi

simulate: export GATE_SIMULATION_SEEDS = $(or $(SEED),1..200)
simulate: export GATE_SIMULATION_STEPS = $(or $(STEPS),400)
simulate: build-tests ## run the daemon on a disk that fails (SEED=1..200, =17 or =fresh; STEPS=400; FOR=3600 goes on for so many seconds)
	@echo "== simulation, seeds $(GATE_SIMULATION_SEEDS), $(GATE_SIMULATION_STEPS) steps each$(if $(FOR), and fresh ones for $(FOR) s)"
	@$(if $(FOR),export GATE_SIMULATION_SECONDS=$(FOR);) $(call filtered_test,SimulationTests.SimulationTests/$(if $(FOR),endurance,promises))

fuzz: TIME ?= 60
fuzz: setup swift ## look for inputs that break what decodes (TIME=60 seconds a target, TARGET=, INPUT=, MERGE=1, JOBS=, PAGE=)
	@echo "== building the fuzzer"
	GATE_FUZZ=1 swift build $(for_fuzzing) --product gate-fuzz
	@TIME="$(TIME)" TARGET="$(TARGET)" INPUT="$(INPUT)" MERGE="$(MERGE)" JOBS="$(JOBS)" PAGE="$(PAGE)" Tests/Fuzz/run

crash: KILLS ?= 300
crash: setup swift ## kill gated again and again in the middle of work (KILLS=300, SEED=, DIR=, CUT=yes: cut its file system off, too)
	@.ci/packages $(CRASH_PACKAGES)
	@echo "== building gated, as it is installed"
	swift build $(for_installation) --product gated
	@echo "== killing gated $(KILLS) times"
	Tests/Crash/run --gated $(release)/release/gated --kills $(KILLS) $(if $(SEED),--seed $(SEED)) \
		$(if $(DIR),--directory $(DIR)) $(if $(CUT),--cut $(CUT)) $(if $(PAGE),--write $(PAGE))

# Where a value without a size is handed on as `inout`, like a generator of the system's random numbers, the compiler tells the
# sanitizer of an access to an address that it never set: races that are none, and a crash. Such accesses go to a function that
# does nothing; those to memory are watched as ever.
for_thread_sanitizer := -Xlinker --wrap=__tsan_external_write -Xlinker --defsym=__wrap___tsan_external_write=AnnotateTraceMemory
# Without looking for leaks: Swift keeps the case of an enum in spare bits of its pointers, and what is reached by those alone
# looks lost. `make fuzz` looks for them.
check-sanitizers: export ASAN_OPTIONS := detect_leaks=0:suppressions=$(CURDIR)/Tests/Sanitizers/address:$(ASAN_OPTIONS)
check-sanitizers: export TSAN_OPTIONS := suppressions=$(CURDIR)/Tests/Sanitizers/thread:$(TSAN_OPTIONS)
check-sanitizers: setup swift ## run all tests under the address and the thread sanitizer (two more builds)
	@echo "== address sanitizer"
	swift test --disable-xctest --sanitize=address --scratch-path .build/address
	@echo "== thread sanitizer"
	swift test --disable-xctest --sanitize=thread --scratch-path .build/thread $(for_thread_sanitizer)

bench: fast ## measure against other software, print the ratios, and write them to docs/benchmarks.md
	@.ci/packages $(BENCH_PACKAGES)
	@echo "== measuring"
	Benchmarks/run --write docs/benchmarks.md

bench-check: fast ## measure, and fail where a figure is worse than in Benchmarks/thresholds
	@.ci/packages $(BENCH_PACKAGES)
	@echo "== measuring, with thresholds"
	Benchmarks/run --check

load: SECONDS ?= 300
load: fast ## 10,000 watches and 1,000 durable commands a second, for five minutes (SECONDS=300, PAGE=docs/load.md)
	@echo "== under load, for $(SECONDS) s"
	Benchmarks/Load/run --gated $(release)/release/gated --seconds $(SECONDS) $(if $(PAGE),--write $(PAGE))

hostile: SECONDS ?= 1
hostile: setup swift ## attack gated as a hostile user, beside others (SECONDS=1, PAGE=docs/security.md, ATTACKS=); as root
	@.ci/packages $(TEST_PACKAGES)
	@echo "== building gated for speed"
	swift build $(for_installation) --product gated
	@echo "== hostile neighbours, for $(SECONDS) s each"
	Tests/Hostile/run --gated $(release)/release/gated --seconds $(SECONDS) $(if $(PAGE),--write $(PAGE)) $(ATTACKS)

# What is measured is what gets installed.
fast: setup swift
	@echo "== building for speed"
	swift build $(for_installation) --product gated
	swift build $(for_installation) --product form-benchmark
	swift build $(for_installation_static) --product gatectl

protos: setup ## write the generated C from proto/
	@echo "== generating C from proto/"
	proto/generate

release-protos: setup ## keep the wire's descriptors of this version in proto/released
	@version=$$(sed -n 's/.*version = "\(.*\)"/\1/p' Sources/GateModel/Release.swift) && mkdir -p proto/released && \
	protoc -Iproto --descriptor_set_out="proto/released/$$version.binpb" proto/gate/v1/*.proto && \
	echo "== proto/released/$$version.binpb is the wire of $$version"

docs: build ## write docs/gatectl.md from what gatectl says of itself
	@echo "== writing docs/gatectl.md"
	docs/generate markdown .build/debug/gatectl > docs/gatectl.md.new
	mv docs/gatectl.md.new docs/gatectl.md

# gatectl is wholly static, which halves the time it takes to start. gated is not: it asks for the ids of groups, and a
# static glibc can't load the name services for that.
release: setup-release swift ## build what is installed, with Swift's libraries inside
	@echo "== building for installation"
	swift build $(for_installation) --product gated
	swift build $(for_installation) -Xlinker -lcurl --product gate-revenuecat
	swift build $(for_installation_static) --product gatectl

units := gate-revenuecat.service gate-lock.service gated.service gated.socket
install: gated = $(release)/release/gated
install: revenuecat = $(release)/release/gate-revenuecat
install: gatectl = $(release)-static/release/gatectl
install: to = $(DESTDIR)$(PREFIX)
# Where gated and gatectl look for the policy, whatever the prefix.
install: etc = $(DESTDIR)/etc/gate
# What is written for this installation is written here first: each file gets its mode with its name, whatever the umask is.
install: written = $(release)/written
install: release ## install (PREFIX=/usr, DESTDIR=): programs, header, units, policy, users, completions, manual pages
	@echo "== installing into $(to)"
	rm -rf $(written)
	umask 022 && install -d -m 0755 $(written) $(addprefix $(to)/,sbin bin include lib/systemd/system lib/sysusers.d \
		lib/tmpfiles.d share/bash-completion/completions share/zsh/vendor-completions share/fish/vendor_completions.d \
		share/man/man1 share/man/man8 share/doc/gate share/applications) \
		$(addprefix $(etc),/ /policy.d /questions.d /questionnaires.d /release-notes.d /roots)
	for unit in $(units); do \
		sed 's|=/usr/\(s\{0,1\}bin\)/|=$(PREFIX)/\1/|; s|file:///usr/share|file://$(PREFIX)/share|' systemd/$$unit \
			> $(written)/$$unit || exit 1; \
	done
	for shell in bash zsh fish; do \
		$(gatectl) --generate-completion-script $$shell > $(written)/$$shell || exit 1; \
	done
	docs/generate manual $(gatectl) 1 > $(written)/gatectl.1
	docs/generate manual $(gated) 8 > $(written)/gated.8
	sed 's,Exec=gatectl,Exec=$(PREFIX)/bin/gatectl,' examples/gate-open.desktop > $(written)/gate-open.desktop
	install -m 0755 $(gated) $(to)/sbin/gated
	install -m 0755 $(revenuecat) $(to)/sbin/gate-revenuecat
	install -m 0755 $(gatectl) $(to)/bin/gatectl
	install -m 0644 Sources/CGateStatus/include/gate_status.h $(to)/include/gate_status.h
	install -m 0644 -t $(to)/lib/systemd/system $(addprefix $(written)/,$(units))
	install -m 0644 systemd/gate.sysusers $(to)/lib/sysusers.d/gate.conf
	install -m 0644 systemd/gate.tmpfiles $(to)/lib/tmpfiles.d/gate.conf
	install -m 0644 $(written)/bash $(to)/share/bash-completion/completions/gatectl
	install -m 0644 $(written)/zsh $(to)/share/zsh/vendor-completions/_gatectl
	install -m 0644 $(written)/fish $(to)/share/fish/vendor_completions.d/gatectl.fish
	install -m 0644 $(written)/gatectl.1 $(to)/share/man/man1/gatectl.1
	install -m 0644 $(written)/gated.8 $(to)/share/man/man8/gated.8
	install -m 0644 -t $(to)/share/doc/gate README.md docs/*.md
	install -m 0644 $(written)/gate-open.desktop $(to)/share/applications/gate-open.desktop
	@echo "== the example policy, into $(etc), where there is none"
	test -e $(etc)/policy.yaml || install -m 0644 examples/device/policy.yaml $(etc)/policy.yaml
	install -m 0644 examples/device/providers.yaml $(etc)/providers.yaml.example
	cd examples/device && for file in questions.d/*.yaml questionnaires.d/*.yaml; do \
		test -e "$(abspath $(etc))/$$file" || install -m 0644 "$$file" "$(abspath $(etc))/$$file" || exit 1; \
	done

uninstall: to = $(DESTDIR)$(PREFIX)
uninstall: ## stop Gate and remove what was installed; PURGE=1: the configuration and everything that was kept, too
	@echo "== stopping and disabling $(units)"
	if [ -z "$(DESTDIR)" ] && [ -d /run/systemd/system ]; then \
		for unit in $(units); do \
			test ! -e $(to)/lib/systemd/system/$$unit || systemctl disable --now $$unit || exit 1; \
		done; \
		rm -rf /run/gated; \
	fi
	@echo "== removing from $(to)"
	rm -f $(to)/sbin/gated $(to)/sbin/gate-revenuecat $(to)/bin/gatectl $(to)/include/gate_status.h
	rm -f $(addprefix $(to)/lib/systemd/system/,$(units)) $(to)/lib/sysusers.d/gate.conf $(to)/lib/tmpfiles.d/gate.conf
	rm -f $(to)/share/bash-completion/completions/gatectl $(to)/share/zsh/vendor-completions/_gatectl \
		$(to)/share/fish/vendor_completions.d/gatectl.fish
	rm -f $(to)/share/man/man1/gatectl.1 $(to)/share/man/man8/gated.8 $(to)/share/applications/gate-open.desktop
	rm -rf $(to)/share/doc/gate
	if [ -z "$(DESTDIR)" ] && [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
ifeq ($(PURGE),1)
	rm -rf $(DESTDIR)/etc/gate $(DESTDIR)/var/lib/gated
else
	@echo "== $(DESTDIR)/etc/gate and $(DESTDIR)/var/lib/gated stay; PURGE=1 removes them"
endif
	@echo "== the users gate and gate-revenuecat and their groups stay, for files may belong to them"

clean: ## remove everything that was built
	@echo "== removing .build"
	rm -rf .build
