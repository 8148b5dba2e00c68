# The commands of this project. The work is in .ci/; a name below says what it is for. SETUP=no installs nothing;
# DESKTOP=private gives the demo a desktop of its own although there is one; APPS=yes lets it show the larger examples too.

export BELFRY_SETUP = $(SETUP)
export BELFRY_DEMO_DESKTOP = $(DESKTOP)
export BELFRY_DEMO_APPS = $(APPS)
SETUP ?= yes

.DEFAULT_GOAL := help
.PHONY: help setup build install uninstall deb test-deb test-systemd test-flatpak plugins demo test test-random test-crash test-desktops \
    test-server test-sanitizers servers record-desktops lint format docs docs-serve \
    try-in-root api-check bench clean

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null \
	    || sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1 - \2/p' $(MAKEFILE_LIST)
	@echo 'SETUP=no installs nothing; make demo DESKTOP=private leaves your desktop alone.'

setup: ## install what is missing for all of the below (apt; says what and why)
	@.ci/setup

build: ## build everything
	@.ci/setup build
	swift build --enable-all-traits

install: ## belfry and belfryd, optimized and in need of no Swift, with man pages and articles, into PREFIX (~/.local without)
	@PREFIX='$(PREFIX)' .ci/install

uninstall: ## remove what make install wrote into PREFIX
	@PREFIX='$(PREFIX)' .ci/install remove

deb: ## the Debian packages belfry and libbelfry-plugin-dev, into .build/deb
	@.ci/setup build deb
	@.ci/deb

test-deb: ## install them in a clean Debian 12 and 13 (or SUITE), use them, remove them; after make deb, as root
	@.ci/setup deb
	@.ci/test-deb $(SUITE)

test-systemd: ## the agent under systemd in a clean Debian 13 (or SUITE): logins, crashes, the bus; after make deb, as root
	@.ci/setup deb
	@.ci/test-systemd $(SUITE)

test-flatpak: ## README's first program in Flatpak's sandbox: its popup through the portal, and the answer; as root
	@.ci/setup build desktop servers flatpak
	@.ci/test-flatpak

plugins: ## build the plug-ins that are loaded from files: .build/plugins/libbelfry-libnotify.so and json-lines.so
	@.ci/setup build
	@mkdir -p .build/plugins
	Plugins/Libnotify/build-shared .build/plugins/libbelfry-libnotify.so
	cd Plugins/CExample && $(CC) -std=c11 -O2 -Wall -Wextra -shared -fPIC -fvisibility=hidden -pthread \
	    -I../../CShims/CBelfryPlugin/include *.c -o ../../.build/plugins/json-lines.so

demo: ## show popups: on your desktop, or on a private one with a picture in demo/popup.png (APPS=yes: the server of reminders too)
	@.ci/demo

test: ## every test, on a private desktop with a real notification server; what CI runs
	@.ci/test

test-random: ## the tests with random input, with a fresh seed that is printed, and more cases; for every night
	@.ci/test-random

test-crash: ## kill a center 1,000 times and at every system call, fail every call of the disk; some minutes
	@.ci/test-crash

test-desktops: ## the conformance suite on today's desktops (DESKTOPS=trixie,sid,bookworm SERVERS=…), each release in its own root directory; as root
	@.ci/test-desktops check $(SERVERS)

test-server: ## build the example with Hummingbird (3 to 5 minutes, once), and use it: curl, SIGTERM, and again
	@.ci/setup build server
	@Examples/ReminderServer/test

test-sanitizers: ## random input under the address and the thread sanitizer; half an hour, not part of CI
	@.ci/test-sanitizers

servers: ## take the tour of this machine's small servers again, and renew docs/servers with its pictures
	@.ci/setup build desktop servers
	@.ci/servers record headless

record-desktops: ## the same for what make test-desktops runs, and docs/servers/REPORT.md
	@.ci/test-desktops record $(SERVERS)

lint: ## format, C warnings, shell scripts, what must not be committed
	@.ci/setup build lint
	@.ci/lint

docs: ## the API reference, the articles and the tutorial, as a static site in .build/docs; warnings are errors
	@.ci/setup build
	swift build --enable-all-traits
	@.ci/documentation

docs-serve: ## the same, and serve it on http://localhost:8000 (PORT=… elsewhere)
	@.ci/setup build
	swift build --enable-all-traits
	@.ci/documentation serve

api-check: ## what a change breaks for apps, since the last tag
	@.ci/check-api

format: ## put the Swift sources into the project's format
	@.ci/format

bench: ## run the benchmarks; print Belfry beside other programs, also in .build/bench.json (ONLY=word runs a part)
	@.ci/bench $(if $(ONLY),--only '$(ONLY)')

try-in-root: ## make demo (or COMMAND='make test') in a minimal Debian of another release: SUITE=trixie; as root
	@.ci/try-in-root $(or $(SUITE),trixie) $(or $(COMMAND),make demo)

clean: ## remove what the builds and the demo made
	rm -rf .build demo Examples/*/.build Benchmarks/.build
