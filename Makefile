# The verbs of Gate's repository. `make help` lists them. Each works from a clean clone. Verbs of more than a few lines
# call a script.
.DEFAULT_GOAL := help
here := $(dir $(lastword $(MAKEFILE_LIST)))
.PHONY: $(shell sed -n 's/^\([a-z_-]*\):.*/\1/p' $(here)Makefile)

# Swift from PATH, or from where its tarball is usually unpacked.
SWIFT := $(or $(shell command -v swift 2>/dev/null),$(wildcard /opt/swift/usr/bin/swift))
export PATH := $(if $(SWIFT),$(dir $(SWIFT)):)$(PATH)
# Swift's backtracer can make a crashing process hang.
export SWIFT_BACKTRACE := enable=no

# The build for installation has a folder of its own, since its flags differ from those of `make build`.
programs = $(CURDIR)/.build/install/release
# Where the programs of a build look for translations, below the build's folder.
locale := $(shell uname -m)-unknown-linux-gnu/share/locale
# The programs with windows. SCREENS=1 builds and installs them.
windowed := gate-presenter gate-settings
# With the last option, compiled functions make the metadata of types. By default each type is looked up by its name at
# its first use, which searches the types and conformances of the whole program. That took 40 % of a program's start.
# The two options before it let the linker leave out functions that are never called, even those that a module offers to
# others.
build_release := GATE_RELEASE=1 swift build -c release --static-swift-stdlib -Xlinker -s --scratch-path .build/install \
	$(foreach flag,-function-sections -internalize-at-link -disable-concrete-type-metadata-mangled-name-accessors,\
		-Xswiftc -Xfrontend -Xswiftc $(flag))

# All other builds have the same flags, since other flags would rebuild everything. Omitting debug information and
# linking with lld makes a first build a tenth shorter. If you need a debugger, run `swift build`.
build_flags := -debug-info-format none -Xswiftc -use-ld=lld
swift_build := swift build $(build_flags)

help: ## list the verbs
	@echo "Gate's verbs, for make:"
	@sed -n 's/^\([a-z_-]*\):.*## \(.*\)/\1\t\2/p' $(here)Makefile | awk -F '\t' '{ printf "  %-18s%s\n", $$1, $$2 }'

# MARK: building

setup: ## install the Debian packages that the build needs (YES=1: without a question)
	@.ci/packages git ca-certificates libprotobuf-c-dev protobuf-c-compiler protobuf-compiler libsqlite3-dev libcrypt-dev \
		libutf8proc-dev libyaml-dev libcurl4-openssl-dev libmosquitto-dev gettext jq

swift:
	@test -n "$(SWIFT)" || { echo "No swift here. Gate needs Swift 6.3: https://www.swift.org/install/linux/" >&2; exit 69; }

# With GATE_SCREENS=1 in the environment, all verbs also build the programs with windows.
build: setup swift ## build everything but the tests
	@echo "== building"
	@if [ -n "$$GATE_SCREENS" ]; then .ci/packages libadwaita-1-dev; fi
	$(swift_build)
	@Sources/clients/po/texts install .build/$(locale)

build-tests: setup swift ## build everything, with the tests
	@echo "== building everything, with the tests"
	@if [ -n "$$GATE_SCREENS" ]; then .ci/packages libadwaita-1-dev; fi
	$(swift_build) --build-tests
	@Sources/clients/po/texts install .build/$(locale)

release: setup swift ## build what is installed, with Swift's libraries inside (SCREENS=1: the programs with windows, too; HOUSEHOLD=1: gate-household)
	@.ci/packages lowdown
	@echo "== building for installation"
	$(build_release) --product gated
	$(build_release) --product gate-revenuecat
	$(build_release) --product gatectl
	@if [ -n "$(SCREENS)" ]; then .ci/packages libadwaita-1-dev; fi
	$(if $(SCREENS),$(foreach program,$(windowed),GATE_SCREENS=1 $(build_release) --product $(program) &&) true)
	$(if $(HOUSEHOLD),$(build_release) --product gate-household)
	@Sources/clients/po/texts install .build/install/$(locale)

libgate: ## build the C library, in .build/libgate: libgate.so.0, headers, gate.pc
	@.ci/packages gcc libc6-dev libprotobuf-c-dev
	@echo "== building libgate"
	Sources/clients/libgate/build .build/libgate "$(PREFIX)"

pam_gate: libgate ## build pam_gate.so, a gated action before a log-in, in .build/pam_gate
	@.ci/packages libpam0g-dev
	@echo "== building pam_gate"
	Sources/clients/pam_gate/build "$(CURDIR)/.build/pam_gate" "$(CURDIR)/.build/libgate"

gate-launcher: libgate ## build gate-launcher, which starts guarded apps, in .build/gate-launcher
	@echo "== building gate-launcher"
	Sources/clients/gate-launcher/build "$(CURDIR)/.build/gate-launcher" "$(CURDIR)/.build/libgate"

gate-portal: libgate ## build gate-portal, which asks Gate for sandboxed apps, in .build/gate-portal
	@.ci/packages libglib2.0-dev pkg-config
	@echo "== building gate-portal"
	Sources/clients/gate-portal/build "$(CURDIR)/.build/gate-portal" "$(CURDIR)/.build/libgate"

protos: setup ## write the generated code from proto/
	@echo "== generating code from proto/"
	proto/generate

release-protos: setup ## keep the wire's descriptors of this version in proto/released
	@version=$$(sed -n 's/.*version = "\(.*\)"/\1/p' Sources/core/GateModel/GateRelease.swift) && mkdir -p proto/released && \
	protoc -Iproto --descriptor_set_out="proto/released/$$version.binpb" proto/gate/v1/*.proto && \
	echo "== proto/released/$$version.binpb is the wire of $$version"

texts: setup ## take new texts of the sources into Sources/clients/po, for translators
	@echo "== texts that people read"
	Sources/clients/po/texts update

docs: build ## write docs/gatectl.md, and the documentation of the Swift library as web pages in .build/documentation
	@echo "== writing docs/gatectl.md"
	docs/generate markdown .build/debug/gatectl > docs/gatectl.md.new
	mv docs/gatectl.md.new docs/gatectl.md
	@echo "== writing .build/documentation"
	docs/library .build/documentation

clean: ## remove everything that was built
	@echo "== removing .build"
	rm -rf .build

# MARK: trying

run: setup swift ## see it work: a daemon of your own, a question, a watcher (SCREENS=1: the questions in windows, on a desktop)
	@echo "== building gated and gatectl (the first time, this takes some minutes)"
	$(swift_build) --product gated
	$(swift_build) --product gatectl
	@Sources/clients/po/texts install .build/$(locale)
	@if [ -n "$(SCREENS)" ]; then .ci/packages libadwaita-1-dev && GATE_SCREENS=1 $(swift_build) --product gate-presenter; fi
	@GATE_SCREENS="$(SCREENS)" examples/first-gate .build/debug
	@if [ -z "$(SCREENS)" ] && [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
	    echo "On this desktop the questions can stand in windows, too: make run SCREENS=1"; fi

run-household: setup swift ## see a household work: a broker, three devices, a lock for all of them, a cable that is pulled
	@.ci/packages mosquitto
	@echo "== building gated, gatectl and gate-household (the first time, this takes some minutes)"
	$(swift_build) --product gated
	$(swift_build) --product gatectl
	$(swift_build) --product gate-household
	@Sources/clients/po/texts install .build/$(locale)
	@examples/household/three-devices .build/debug

# The tests of the status page compile an example in C and run one in Python; those of `make install` make manual pages.
test: build-tests ## run the tests
	@.ci/packages gcc libc6-dev lowdown python3
	@echo "== running the tests"
	@.ci/tests

test-all: export GATE_ALL_ROUNDS := 1
test-all: test ## run the tests, with all rounds of those that repeat themselves

check: build-tests ## check format, layering, generated files, the Swift in pages, shell scripts and units
	@.ci/packages systemd
	@.ci/check

# The examples use this package's scratch folder and versions, so that shared modules are built once. The build plan in
# that folder is this package's, so it must not be reused.
test-app: build-tests ## build and run examples/app, examples/panel and examples/wire, as their authors would
	@echo "== examples/app: an app that asks for older versions of what Gate uses too"
	cp Package.resolved examples/app/
	swift test $(build_flags) --package-path examples/app --scratch-path .build --skip-update --disable-build-manifest-caching --disable-xctest
	@echo "== examples/panel: GateClient in a shared library, which a program in C loads"
	cp Package.resolved examples/panel/
	$(swift_build) --package-path examples/panel --scratch-path .build --skip-update --disable-build-manifest-caching
	examples/panel/try .build/debug
	@.ci/packages gcc libc6-dev python3 python3-protobuf
	@echo "== examples/wire: clients in C and Python, without a library of Gate's"
	examples/wire/try .build/debug

test-household: build-tests ## connect devices of a household over a real mosquitto; cables and programs fail, and the broker lies (as root; SLOW=1: one that hangs, too; CASES="question killed": of the failures, only those with one of these words in their names)
	@.ci/packages mosquitto mosquitto-clients openssl iproute2 python3 python3-cryptography
	@echo "== a household on a real broker"
	GATE_BROKER=needed $(if $(SLOW),GATE_SLOW=1) .ci/tests HouseholdBroker
	@echo "== a household under attack"
	SEED=$(SEED) Tests/Household/run .build/debug $(CASES)

test-libgate: KILLS ?= 25
test-libgate: TIME ?= 10
test-libgate: build ## test the C library: tables of events, a real gated, hostile ones, one that is killed, dialogues (KILLS=25, TIME=10, SEED=)
	@.ci/packages gcc gcc-multilib g++ libc6-dev binutils libprotobuf-c-dev python3 pkg-config libglib2.0-dev libsdl2-dev python3-protobuf bubblewrap \
		python3-cryptography python3-yaml protobuf-compiler
	@echo "== libgate"
	KILLS=$(KILLS) TIME=$(TIME) SEED=$(SEED) Tests/libgate/run .build/debug

test-pam: build libgate ## log in through pam_gate.so, with services of a folder of its own (as root)
	@.ci/packages gcc libc6-dev libprotobuf-c-dev libpam0g-dev pamtester python3
	@echo "== pam_gate"
	Tests/pam_gate/run .build/debug .build/libgate .build/pam_gate

test-launcher: build ## start guarded apps through gate-launcher, without systemd (as root; TIME=5, SEED=)
	@.ci/packages gcc libc6-dev libprotobuf-c-dev python3
	@echo "== gate-launcher"
	TIME=$(TIME) SEED=$(SEED) Tests/gate-launcher/run .build/debug

test-apps: build ## guard and release apps of a copy of a device, with real packages (as root; KILLS=20, SEED=)
	@.ci/packages dpkg-dev gcc libc6-dev python3
	@echo "== guarded apps"
	KILLS=$(KILLS) SEED=$(SEED) Tests/Apps/run .build/debug/gatectl

test-polkit: build ## put actions of the real polkitd behind gates, on a bus of its own (as root)
	@.ci/packages dbus-daemon polkitd pkexec python3
	@echo "== polkit"
	Tests/polkit/run .build/debug

test-portal: build ## let sandboxed apps ask through gate-portal, with the real xdg-desktop-portal and Flatpak (as root; TIME=5, SEED=, PARTS=)
	@.ci/packages gcc libc6-dev libprotobuf-c-dev libglib2.0-dev libglib2.0-bin pkg-config python3 python3-gi python3-protobuf \
		protobuf-compiler dbus-daemon bubblewrap xdg-dbus-proxy xdg-desktop-portal flatpak
	@echo "== the relay"
	TIME=$(TIME) SEED=$(SEED) Tests/portal/relay/run .build/debug
	@echo "== sandboxed apps"
	PARTS="$(PARTS)" Tests/portal/run .build/debug

test-timekpr: build ## carry a grown-up's answers to the real timekpr while everything is killed (as root; KILLS=8, SEED=)
	@.ci/packages dbus-daemon python3 python3-dbus python3-gi python3-protobuf python3-psutil protobuf-compiler
	@echo "== each step of the bridge to timekpr"
	/usr/bin/python3 Sources/clients/python/generate.py
	cd Tests/timekpr && PYTHONPATH=../../Sources/clients/timekpr:../../Sources/clients/python /usr/bin/python3 -B -m unittest
	@echo "== timekpr"
	Tests/timekpr/run .build/debug

test-libgate-abi: ## compare the C library with what programs were built with: Sources/clients/libgate/libgate.abi
	@.ci/packages gcc libc6-dev binutils libprotobuf-c-dev abigail-tools
	Tests/libgate/abi

fuzz-libgate: TIME ?= 60
fuzz-libgate: swift ## look for frames that break the C library, with libFuzzer (TIME=60)
	@.ci/packages libprotobuf-c-dev libc6-dev
	@echo "== fuzzing libgate, for $(TIME) s"
	TIME=$(TIME) Tests/libgate/fuzz-with-libfuzzer

test-python: KILLS ?= 15
test-python: build-tests ## check and test the Python client, with Debian's protobuf and with PyPI's (KILLS=15 for each face, SEED=)
	@.ci/packages python3 python3-protobuf python3-gi python3-build python3-venv python3-setuptools python3-wheel mypy pyflakes3 protobuf-compiler \
		python3-cryptography python3-yaml bubblewrap
	@echo "== the Python client"
	KILLS=$(KILLS) SEED=$(SEED) Tests/python/run .build/debug

test-conformance: build-tests ## talk with Debian's Go ttrpc, both ways
	@.ci/packages golang-go golang-github-containerd-ttrpc-dev golang-github-gogo-protobuf-dev gogoprotobuf
	@echo "== conformance with Go's ttrpc"
	Tests/Conformance/run

test-fhirpath: build-tests ## run HL7's test cases of FHIRPath, as far as Gate has it (CASES=: a folder that has them; else they are fetched)
	@.ci/packages git python3
	@echo "== conformance with HL7's FHIRPath"
	Tests/Conformance/fhirpath/run $(CASES)

test-desktop: build-tests ## answer questions in windows: zenity as a presenter, on a virtual display
	@.ci/packages xvfb zenity xdotool
	@echo "== presenting with zenity"
	Tests/Desktop/run

# The package has the programs with windows only on demand, since only they need GTK.
test-screens: setup swift ## answer questions in windows, and click through gate-settings, on a virtual display (PICTURES=FOLDER keeps pictures; ONLY="sums paywall": these of the questions, and the settings; ALL=1: each kind in each way and each language, on Wayland, and on a screen of its own, too)
	@.ci/packages libadwaita-1-dev xvfb openbox xdotool x11-utils x11-xserver-utils dbus at-spi2-core gir1.2-atspi-2.0 python3-gi imagemagick mosquitto
	@echo "== building gated, gatectl, gate-household, gate-presenter and gate-settings"
	$(swift_build) --product gated
	$(swift_build) --product gatectl
	$(swift_build) --product gate-household
	GATE_SCREENS=1 $(swift_build) --product gate-presenter
	GATE_SCREENS=1 $(swift_build) --product gate-settings
	@Sources/clients/po/texts install .build/$(locale)
	@echo "== questions in windows"
	GATE_ONLY="$(ONLY)" GATE_PICTURES="$(PICTURES)" Tests/Screens/run $(if $(ALL),--all)
	@echo "== the grown-up's window"
	GATE_PICTURES="$(PICTURES)" Tests/Screens/run --settings
	@echo "== questions that wait"
	GATE_PICTURES="$(PICTURES)" Tests/Screens/run --asks
	$(if $(ONLY),,@echo "== time that ends" && GATE_PICTURES="$(PICTURES)" Tests/Screens/run --times)
	@echo "== the time that was used"
	GATE_PICTURES="$(PICTURES)" Tests/Screens/run --used
	@echo "== apps that are guarded"
	GATE_PICTURES="$(PICTURES)" Tests/Screens/run --apps
	$(if $(ONLY),,@echo "== the whole story, in a family's language" && \
	    GATE_ALL="$(ALL)" GATE_PICTURES="$(PICTURES)" Tests/Screens/run --story)
	@if [ -n "$(ALL)" ]; then .ci/packages weston cage grim && echo "== on Wayland, and on a screen of its own" && \
	    Tests/Screens/run --wayland && GATE_PICTURES="$(PICTURES)" Tests/Screens/own-screen; fi

screens: setup swift ## a picture of each screen in four languages, light and dark, in docs/screens
	@.ci/packages libadwaita-1-dev xvfb openbox xdotool x11-utils x11-xserver-utils dbus at-spi2-core gir1.2-atspi-2.0 python3-gi imagemagick fonts-noto-cjk
	@echo "== taking pictures"
	$(swift_build) --product gated
	$(swift_build) --product gatectl
	GATE_SCREENS=1 $(swift_build) --product gate-presenter
	GATE_SCREENS=1 $(swift_build) --product gate-settings
	@Sources/clients/po/texts install .build/$(locale)
	GATE_PICTURES=docs/screens Tests/Screens/run --pictures

# Installs with a umask that would let everybody write, to test that no installed file is writable for others.
test-systemd: $(if $(PROGRAMS),setup,release) ## boot Debian with systemd in a container, install Gate there, and test what only systemd shows (as root; SCREENS=1, PROGRAMS=.build/debug: these, in place of ones built for installation, SUBJECTS=)
	@.ci/packages systemd perl lowdown
	@work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && \
	umask 000 && packaging/install --destdir "$$work" --programs "$(or $(PROGRAMS),$(programs))" --screens "$(SCREENS)" \
	    --household "$(HOUSEHOLD)" && umask 022 && \
	systemd/verify installed "$$work"
	$(if $(PROGRAMS),,@echo "== how large the programs are" && packaging/weight $(programs))
	@if [ "$${GATE_SYSTEMD_BOOT:-}" = skip ]; then \
		echo "skipped: the booted container (GATE_SYSTEMD_BOOT=skip)"; \
	else \
		.ci/packages debootstrap systemd-container gcc libc6-dev && \
		echo "== booting Debian in a container" && \
		Tests/Systemd/run --programs "$(or $(PROGRAMS),$(programs))" $(SUBJECTS); \
	fi

# The programs with windows are in a package of their own.
deb: ## build Debian packages into .build/deb, and let lintian read them (PROGRAMS=.build/debug: of these, to try how they install)
	$(if $(PROGRAMS),,@$(MAKE) --no-print-directory release SCREENS=1 HOUSEHOLD=1)
	@.ci/packages debhelper dh-python dpkg-dev lintian gcc libc6-dev libglib2.0-dev libprotobuf-c-dev libpam0g-dev pkg-config python3 python3-protobuf python3-build \
		python3-setuptools python3-wheel protobuf-compiler
	packaging/deb --programs "$(or $(PROGRAMS),$(programs))" --trial "$(if $(PROGRAMS),yes)"

test-packages: deb ## install, upgrade, downgrade, remove and purge the packages in a Debian that is booted in a container (as root; SUITE=trixie: another one, PROGRAMS=.build/debug: with these, in place of ones built for installation)
	@.ci/packages systemd debootstrap systemd-container gcc g++ libc6-dev binutils libprotobuf-c-dev protobuf-c-compiler dpkg-dev \
		python3 python3-protobuf apt-utils gnupg xz-utils
	@echo "== what is in the packages"
	Tests/Packages/contents
	$(if $(PROGRAMS),,packaging/weight $(programs))
	@echo "== the packages, in a booted Debian"
	Tests/Packages/run $(if $(SUITE),--suite $(SUITE)) $(if $(PROGRAMS),--programs "$(PROGRAMS)")

repository: ## write a signed repository for apt of the packages in .build/deb into .build/repository (KEY=: the key that signs, as gpg knows it)
	@.ci/packages apt-utils gnupg xz-utils
	packaging/repository --key "$(KEY)"

verify: ## run what .ci/run leaves out, and say how long each part takes: some hours, as root, on an idle machine
	@.ci/verify

# MARK: trying hard

simulate: export GATE_SIMULATION_SEEDS = $(or $(SEED),1..200)
simulate: export GATE_SIMULATION_STEPS = $(or $(STEPS),400)
simulate: export GATE_SIMULATION_SECONDS = $(FOR)
simulate: build-tests ## run the daemon on a disk that fails (SEED=1..200, =17 or =fresh; STEPS=400; FOR=3600 goes on for so many seconds)
	@echo "== simulation, seeds $(GATE_SIMULATION_SEEDS), $(GATE_SIMULATION_STEPS) steps each$(if $(FOR), and fresh ones for $(FOR) s)"
	@.ci/tests SimulationTests.SimulationTests/$(if $(FOR),endurance,promises)

# The last two packages create and mount the file system that CUT=yes cuts off.
crash: KILLS ?= 300
crash: release ## kill gated again and again in the middle of work (KILLS=300, SEED=, DIR=, CUT=yes: cut its file system off, too)
	@.ci/packages gcc libc6-dev libsqlite3-dev e2fsprogs mount
	@echo "== killing gated $(KILLS) times"
	Tests/Crash/run --gated $(programs)/gated --kills $(KILLS) $(if $(SEED),--seed $(SEED)) \
		$(if $(DIR),--directory $(DIR)) $(if $(CUT),--cut $(CUT)) $(if $(PAGE),--write $(PAGE))

hostile: SECONDS ?= 1
hostile: release ## attack gated as a hostile user, beside others (SECONDS=1, PAGE=docs/quality/neighbours.md, ATTACKS=); as root
	@.ci/packages gcc libc6-dev
	@echo "== hostile neighbours, for $(SECONDS) s each"
	Tests/Hostile/run --gated $(programs)/gated --seconds $(SECONDS) $(if $(PAGE),--write $(PAGE)) $(ATTACKS)

# By default the compiler marks edges in Swift code in a form that libFuzzer no longer reads.
fuzz: TIME ?= 60
fuzz: setup swift ## look for inputs that break what decodes (TIME=60 seconds a target, TARGET=, INPUT=, MERGE=1, JOBS=, PAGE=)
	@echo "== building the fuzzer"
	GATE_FUZZ=1 swift build -c release --sanitize=fuzzer --sanitize=address --scratch-path .build/fuzz --product gate-fuzz \
		-Xswiftc -sanitize-coverage=edge,trace-cmp,indirect-calls $(addprefix -Xswiftc -Xllvm -Xswiftc \
		,-sanitizer-coverage-inline-8bit-counters -sanitizer-coverage-pc-table)
	@TIME="$(TIME)" TARGET="$(TARGET)" INPUT="$(INPUT)" MERGE="$(MERGE)" JOBS="$(JOBS)" PAGE="$(PAGE)" Tests/Fuzz/run

# Leaks are not checked, since Swift keeps the case of an enum in spare bits of pointers, so memory that only such
# pointers reach would look leaked. `make fuzz` checks for leaks.
# If a value without size is passed as `inout`, like a generator of the system's random numbers, the compiler reports an
# access to an undefined address to the thread sanitizer. That causes false races and a crash. So the linker redirects
# these reports to a function that does nothing; accesses to memory are checked as usual. mutex.c tells the sanitizer of
# Swift's `Mutex`.
check-sanitizers: export ASAN_OPTIONS := detect_leaks=0:suppressions=$(CURDIR)/Tests/Sanitizers/address:$(ASAN_OPTIONS)
check-sanitizers: export TSAN_OPTIONS := suppressions=$(CURDIR)/Tests/Sanitizers/thread:$(TSAN_OPTIONS)
check-sanitizers: address := --sanitize=address --scratch-path .build/address
check-sanitizers: thread := --sanitize=thread --scratch-path .build/thread -Xlinker $(CURDIR)/.build/thread/mutex.o \
	$(foreach half,9_lockSlowyys6UInt32VF 11_unlockSlowyyF,-Xlinker '--wrap=$$s15Synchronization12_MutexHandleV$(half)') \
	-Xlinker --wrap=__tsan_external_write -Xlinker --defsym=__wrap___tsan_external_write=AnnotateTraceMemory
check-sanitizers: setup swift ## run all tests under the address and the thread sanitizer (two more builds)
	@for kind in address thread; do Sources/clients/po/texts install .build/$$kind/$(locale); done
	@echo "== address sanitizer"
	swift build --build-tests $(address)
	.ci/tests '' $(address)
	@echo "== thread sanitizer"
	clang -O1 -fPIC -c Tests/Sanitizers/mutex.c -o $(CURDIR)/.build/thread/mutex.o
	swift build --build-tests $(thread)
	.ci/tests '' $(thread)

# MARK: measuring

# Installs the software that Gate is compared with, and valgrind, which counts instructions.
peers: release
	@.ci/packages gcc libsystemd-dev dbus-daemon polkitd redis-server systemd golang-go golang-github-containerd-ttrpc-dev \
		golang-google-grpc-dev valgrind binutils
	$(build_release) --product form-benchmark

bench: peers ## measure against other software, print the ratios, and write them to docs/quality/benchmarks.md
	@echo "== measuring"
	Benchmarks/run --write docs/quality/benchmarks.md

instructions: release ## count the instructions of calls, and fail where they take 2 % more than Benchmarks/counts says
	@.ci/packages gcc libc6-dev valgrind binutils
	@echo "== instructions"
	Benchmarks/instructions --gated $(programs)/gated --check

bench-check: peers ## measure, and fail where a figure is worse than in Benchmarks/thresholds
	@echo "== measuring, with thresholds"
	Benchmarks/run --check

bench-screens: ## measure how soon a window asks, beside zenity and polkit's agent, and write that to docs/quality/benchmarks.md
	@$(MAKE) --no-print-directory release SCREENS=1
	@.ci/packages xvfb openbox x11-utils dbus python3 coreutils zenity polkitd policykit-1-gnome
	@echo "== measuring windows"
	Benchmarks/Screens/run $(programs) --write docs/quality/benchmarks.md

load-household: DEVICES ?= 100 250
load-household: setup swift ## lock households of simulated devices on a real broker (DEVICES="100 250", TLS=1)
	@.ci/packages mosquitto
	$(foreach program,gated gate-household household-load,$(build_release) --product $(program) &&) true
	@echo "== a household under load"
	DEVICES="$(DEVICES)" TLS=$(TLS) Benchmarks/Household/run $(programs)

load: SECONDS ?= 300
load: release ## 10,000 watches and 1,000 durable commands a second, for five minutes (SECONDS=300, PAGE=docs/quality/load.md)
	@.ci/packages gcc libc6-dev
	@echo "== under load, for $(SECONDS) s"
	Benchmarks/Load/run --gated $(programs)/gated --seconds $(SECONDS) $(if $(PAGE),--write $(PAGE))

# MARK: installing

PREFIX ?= /usr
DESTDIR ?=
install: release ## install (PREFIX=/usr, DESTDIR=, SCREENS=1, HOUSEHOLD=1): programs, header, units, policy, users, completions, manual pages
	packaging/install --prefix "$(PREFIX)" --destdir "$(DESTDIR)" --programs "$(programs)" --screens "$(SCREENS)" \
		--household "$(HOUSEHOLD)"

uninstall: ## stop Gate and remove what was installed; PURGE=1: the configuration and everything that was kept, too
	$(here)packaging/uninstall --prefix "$(PREFIX)" --destdir "$(DESTDIR)" $(if $(filter 1,$(PURGE)),--purge)
