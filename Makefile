# msprof: build, test, install. Every path below build/ is generated.

VERSION := 0.9.0
CROSS ?=
PREFIX ?= /usr/local
DESTDIR ?=
BUILD ?= build$(if $(CROSS),/$(CROSS:-=))
# where this machine's build is
NATIVE := $(if $(CROSS),$(BUILD:%/$(CROSS:-=)=%),$(BUILD))

ifeq ($(origin CC),default)
CC := $(CROSS)gcc
endif
ifeq ($(origin AR),default)
AR := $(CROSS)ar
endif
# compilations are kept where ccache is
COMPILE := $(if $(shell command -v ccache 2>/dev/null),ccache) $(CC)
CFLAGS ?= -O2 -g
# Lines are short, or with V=1 the commands. $(1): what is done to the target
say = $(if $(V),,@printf '  %-7s %s\n' $(1) $@ && )
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2
# WITH_SSH=0: a program that collects on its own machine only
WITH_SSH ?= 1
WITHOUT_SSH := $(filter 0,$(WITH_SSH))
# Processors of 32 bits: files beyond 2 GiB and times beyond 2038 are asked for. They have no integers of 128 bits, in which learn computes.
NARROW := $(filter 4,$(shell echo __SIZEOF_LONG__ | $(CC) -E -P - 2>/dev/null))
WITHOUT_LEARN := $(NARROW)$(WITHOUT_SSH)
NARROW_CPPFLAGS := $(if $(NARROW),-D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64)
CPPFLAGS += -Ilib -Icli -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE $(NARROW_CPPFLAGS) $(WITHOUT_SSH:0=-DMSPROF_WITHOUT_SSH) $(if $(WITHOUT_LEARN),-DMSPROF_WITHOUT_LEARN) -DMSPROF_VERSION='"$(VERSION)"'

# What makes a mistake hard to exploit. Not with sanitizers, which do more; and _FORTIFY_SOURCE is for compilers that optimize.
# CFLAGS and LDFLAGS come later and win.
supported = $(shell $(CC) -Werror $(1) -c -x c -o /dev/null /dev/null 2>/dev/null && echo '$(1)')
ifeq ($(findstring -fsanitize,$(CFLAGS)),)
HARDEN_CFLAGS := -fPIE $(foreach f,-fstack-protector-strong -fstack-clash-protection,$(call supported,$(f)))
ifneq ($(filter-out -O0,$(filter -O%,$(CFLAGS))),)
# Larger frames would make a stack of 64 KiB too small. Tests and generators have stacks of their own.
PRODUCT_CFLAGS := -Wframe-larger-than=17408
ifeq ($(findstring _FORTIFY_SOURCE,$(CPPFLAGS) $(CFLAGS)),)
HARDEN_CFLAGS += -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
endif
endif
HARDEN_LDFLAGS := -Wl,-z,relro,-z,now,-z,noexecstack
PIE := $(if $(filter -static -no-pie -fno-pie -fno-PIE,$(CFLAGS) $(LDFLAGS)),,-pie)
endif

# The same sources give the same bytes, wherever they lie and are built. (Nothing looks at the clock: SOURCE_DATE_EPOCH has no effect.)
SAME_CFLAGS := $(call supported,-ffile-prefix-map=$(CURDIR)=.) $(call supported,-ffile-prefix-map=$(abspath $(BUILD))=build)

ALL_CFLAGS := -std=c11 $(WARNINGS) $(HARDEN_CFLAGS) $(SAME_CFLAGS) $(CFLAGS)
ALL_LDFLAGS := $(HARDEN_LDFLAGS) $(LDFLAGS)
# ISA-L compresses three times as fast as zlib, which takes its place where ISA-L is missing: it has no static library, and not all processors.
ISAL := $(if $(CROSS)$(STATIC_PROGRAM),,$(shell printf '\043include <isa-l/igzip_lib.h>\nint main(void) { return 0; }\n' | \
	$(CC) -x c -o /dev/null - -lisal 2>/dev/null && echo yes))
$(BUILD)/lib/base/deflate.o: ALL_CFLAGS += $(if $(ISAL),-DMSPROF_ISAL)
LIBS := -lsqlite3 $(if $(STATIC_PROGRAM),,-lcjson) $(if $(WITHOUT_SSH),,-lssh) -larchive -lz $(if $(ISAL),-lisal) -lpthread -lm $(MORE_LIBS)

# The one place that names packages.
BUILD_PACKAGES := gcc make libc6-dev libsqlite3-dev libcjson-dev libssh-dev libarchive-dev zlib1g-dev libisal-dev dpkg-dev
TEST_PACKAGES := g++ pkg-config libcmocka-dev bats sqlite3 jq python3 parallel mandoc openssh-server openssh-client dropbear-bin \
	busybox procps libnss-wrapper openssl shfmt util-linux zsh fish protobuf-compiler python3-protobuf
CROSS_PACKAGES := gcc-aarch64-linux-gnu gcc-arm-linux-gnueabihf libc6-dev-arm64-cross libc6-dev-armhf-cross qemu-user
LINT_PACKAGES := git clang clang-tidy clang-format cppcheck shellcheck libclang-rt-14-dev
LONG_PACKAGES := debootstrap git
# What is used where it is: tests are skipped without it, and builds take longer.
OPTIONAL_PACKAGES := ccache less valgrind
# A browser is large: only the tests of a report's page and the pictures of the documentation use one.
BROWSER_PACKAGES := chromium fonts-liberation poppler-utils pngquant
# Only `make coverage` needs it.
COVERAGE_PACKAGES := gcovr
# What tests of packages use.
PACKAGING_PACKAGES := cmake python3-pip python3-setuptools python3-wheel dpkg-dev debhelper dh-python lintian autopkgtest debootstrap gpg abigail-tools
# Other recorders, to compare with: `make bench` leaves out what is not there.
BENCH_PACKAGES := lttng-tools liblttng-ust-dev uftrace

# What public readers of profiling data need, which `make check-readers` runs.
READER_PACKAGES := git python3-pandas python3-sqlalchemy python3-tqdm python3-click python3-jinja2 python3-prettytable python3-plotly python3-ijson \
	python3-xlsxwriter python3-psutil python3-networkx python3-yaml
# Only msprof-publish links these libraries, and only its tests with real servers need the servers.
FLEET_PACKAGES := pkg-config libpq-dev libcurl4-openssl-dev postgresql-15 clickhouse-server curl

# What stands for SSH, and for what static libraries lack or have too much of
SSH_SOURCES := $(addprefix lib/board/connection/,auth.c command_ssh.c connect.c heartbeat.c hostkey.c)
STAND_INS := lib/base/without_nss.c lib/store/without_sqlite.c $(if $(WITHOUT_SSH),,lib/board/connection/without_gssapi.c)
LEFT_OUT := $(if $(WITHOUT_SSH),$(SSH_SOURCES) cli/cmd_advise.c cli/cmd_diff.c cli/cmd_report.c cli/cmd_cluster.c cli/cmd_aggregate.c cli/cluster_trace.c cli/cmd_pytorch.c cli/ranks.c lib/import/framework.c lib/fleet/% cli/cmd_publish.c cli/publish_% cli/children.c cli/pager.c cli/mcp/%) \
	lib/base/without_nss.c lib/store/without_sqlite.c lib/board/connection/without_gssapi.c \
	$(if $(WITHOUT_LEARN),lib/learn/% cli/cmd_learn.c cli/learn_tables.c)
LIB_SOURCES := $(filter-out $(LEFT_OUT),$(sort $(wildcard lib/base/*.c lib/board/*/*.c lib/config/*.c lib/raw/*.c lib/recorder/*.c lib/row/*.c lib/leaf/*.c lib/store/*.c lib/expr/*.c lib/join/*.c lib/import/*.c lib/report/*.c lib/cluster/*.c \
	lib/fleet/*.c lib/learn/*.c lib/insight/*.c lib/compare/*.c lib/trace/*.c lib/page/*.c)))
CLI_SOURCES := $(filter-out $(LEFT_OUT),$(sort $(wildcard cli/*.c cli/mcp/*.c)))
# what `msprof mcp` hands out
AGENT_DOCS := $(addprefix docs/,AGENTS.md COLUMNS.md GLOSSARY.md INSIGHT.md SCHEMA.md SCRIPTS.md STANDING.md TABLES.md TRACE.md)
SCHEMA := $(sort $(shell find schema -name "*.rec" -o -name "*.sql") $(wildcard schema/reports/*.txt schema/learn/*.txt schema/insight/*.txt schema/text/*.txt schema/help/*.txt schema/page/*.html schema/page/*.css schema/page/*.js schema/page/texts/*.txt schema/mcp/*.json)) $(AGENT_DOCS)
# rooms of lib/board with scripts for the board
SCRIPTED := $(sort $(dir $(wildcard lib/board/*/*.sh)))
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/%.o) $(SCRIPTED:%=$(BUILD)/%scripts.o) $(BUILD)/schema.o
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(BUILD)/%.o)
$(LIB_OBJECTS) $(CLI_OBJECTS): ALL_CFLAGS += $(PRODUCT_CFLAGS)

# msprof-publish, which `msprof publish` runs, is built where both its libraries are, or never with WITH_FLEET=0.
WITH_FLEET ?= $(if $(CROSS),0,$(if $(shell pkg-config --exists libpq libcurl 2>/dev/null && echo yes),1,0))
FLEET := $(if $(filter-out 0,$(WITH_FLEET)),$(BUILD)/msprof-publish)
FLEET_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard lib/fleet/engine/*.c cli/publish/*.c) cli/budget.c)) $(BUILD)/fleet_schema.o
FLEET_SCHEMA := $(sort $(wildcard schema/fleet/*/*.sql schema/fleet/ask/*/*.sql))

.PHONY: all
all: $(BUILD)/msprof recorder $(FLEET) pages
ifeq ($(FLEET),)
	@echo "msprof-publish is not built: WITH_FLEET=0, or pkg-config finds no libpq and libcurl ('make deps-fleet')"
endif

$(BUILD)/msprof $(BUILD)/msprof-1970: $(CLI_OBJECTS) $(if $(STATIC_PROGRAM),$(STAND_INS:%.c=$(BUILD)/%.o) $(BUILD)/cJSON.o) $(BUILD)/libmsprof.a
	$(call say,LINK)$(CC) $(PIE) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/msprof-publish: $(FLEET_OBJECTS) $(BUILD)/libmsprof.a
	$(call say,LINK)$(CC) $(PIE) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(shell pkg-config --libs libpq libcurl)

$(BUILD)/fleet_schema.c: schema/embed.sh $(FLEET_SCHEMA) $(BUILD)/schema.list
	@mkdir -p $(@D)
	$(call say,EMBED)schema/embed.sh fleet/postgresql fleet/clickhouse fleet/ask >$@.$$$$ && mv $@.$$$$ $@

$(BUILD)/fleet_schema.o: $(BUILD)/fleet_schema.c lib/base/schema.h
	$(call say,CC)$(COMPILE) $(CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

$(filter-out $(BUILD)/cli/budget.o,$(FLEET_OBJECTS)): CPPFLAGS += $(shell pkg-config --cflags libpq libcurl)

$(BUILD)/libmsprof.a: $(LIB_OBJECTS)
	@rm -f $@
	$(call say,AR)$(AR) rcsD $@ $^

# `make clean` and `make demo` remove only what lies in a directory with this mark: one that did not exist, or was empty.
$(BUILD)/.msprof-build:
	@mkdir -p $(@D) && { [ -n "$$(ls -A $(@D))" ] || : >$@; }

# $(1): the name below the build directory, or nothing for the whole of it
discard_build = @bash -c '. tests/scratch.bash && discard_build "$$@"' bash '$(BUILD)' $(1)

# A file that was taken away changes the list.
$(BUILD)/schema.list: FORCE | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	@echo $(EMBEDDED) $(SCHEMA) | cmp -s - $@ || echo $(EMBEDDED) $(SCHEMA) >$@
.PHONY: FORCE
FORCE:

# what no command of a board needs stays out
, := ,
EMBEDDED := records pipe sql reports insight text help beside $(if $(WITHOUT_SSH),,complete page aggregate cluster pytorch fleet/lake fleet/rows mcp $(AGENT_DOCS:%=../%)) $(if $(WITHOUT_LEARN),,learn)
$(BUILD)/schema.c: schema/embed.sh $(SCHEMA) $(BUILD)/schema.list
	@mkdir -p $(@D)
	$(call say,EMBED)schema/embed.sh $(if $(STATIC_PROGRAM),--packed) $(if $(WITHOUT_SSH),--without reports/cluster$(,)reports/pytorch) $(EMBEDDED) >$@.$$$$ && mv $@.$$$$ $@

$(BUILD)/schema.o: $(BUILD)/schema.c lib/base/schema.h
	$(call say,CC)$(COMPILE) $(CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

$(SCRIPTED:%=$(BUILD)/%scripts.c): $(BUILD)/%/scripts.c: lib/board/embed.sh $(wildcard lib/board/*/*.sh) | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	$(call say,EMBED)lib/board/embed.sh $(notdir $*) >$@.$$$$ && mv $@.$$$$ $@

$(SCRIPTED:%=$(BUILD)/%scripts.o): %.o: %.c
	$(call say,CC)$(COMPILE) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/%.o: %.c Makefile | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	$(call say,CC)$(COMPILE) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/lib/board/transfer/archive_time.o: CPPFLAGS := $(filter-out -D_TIME_BITS=64,$(CPPFLAGS))

-include $(LIB_OBJECTS:.o=.d) $(CLI_OBJECTS:.o=.d) $(FLEET_OBJECTS:.o=.d)

# ---------------------------------------------------------------- cJSON within

# Static programs and the libraries of applications contain cJSON. Its source is that of Debian, which the first build fetches, or lies
# beside a release; CJSON=DIR has another.
SOURCE := $(NATIVE)/source
CJSON ?= $(firstword $(patsubst %/cJSON.c,%,$(wildcard cjson/cJSON.c build/source/cjson/cJSON.c)))

$(SOURCE)/cjson/cJSON.c: | $(BUILD)/.msprof-build
	$(call say,FETCH)cli/cjson.sh $(SOURCE) $(CJSON)

# It is not ours: what compilers say of it is not said.
$(BUILD)/cJSON.o $(BUILD)/pic/cJSON.o: $(SOURCE)/cjson/cJSON.c
	@mkdir -p $(@D)
	$(call say,CC)$(COMPILE) $(CPPFLAGS) $(ALL_CFLAGS) $(if $(findstring /pic/,$@),$(PIC_FLAGS)) -w -DENABLE_LOCALES -c -o $@ $<

# ---------------------------------------------------------------- manual pages

# A page a command, made of its help: by the program itself, or for another processor by an msprof of this version that this machine has.
SPEAKER := $(if $(CROSS),$(shell [ "$$(msprof --version 2>/dev/null)" = 'msprof $(VERSION)' ] && command -v msprof),$(BUILD)/msprof)
MAN1 := $(if $(SPEAKER),$(patsubst %,$(BUILD)/man1/msprof-%.1,$(if $(WITHOUT_SSH),,options) \
	$(shell sed -n 's/^    \.name = "\([^"]*\)",/\1/p' $(filter cli/cmd_% cli/mcp/cmd_%,$(CLI_SOURCES)) | tr ' ' -)))
MAN5 := $(BUILD)/man5/msprof-layouts.5 $(BUILD)/man5/msprof.db.5
MAN_VALUES = -v date="$$(sed -n 's/^\.Dd //p' msprof.1)" -v version=$(VERSION)

.PHONY: pages
pages: $(MAN1) $(MAN5)

$(MAN1): $(BUILD)/man1/msprof-%.1: docs/man/man1.awk $(wildcard docs/man/*.mdoc) msprof.1 $(SPEAKER)
	@mkdir -p $(@D)
	$(call say,MAN)$(SPEAKER) help $(subst -, ,$*) | awk -v name='$(subst -, ,$*)' -v details=docs/man/details.mdoc -v more=$(wildcard docs/man/$*.mdoc) $(MAN_VALUES) \
		-v summary="$$($(SPEAKER) help | sed -n 's/^  $(subst -, ,$*)  *//p')" -f docs/man/man1.awk >$@.$$$$ && mv $@.$$$$ $@

$(BUILD)/man5/msprof-layouts.5: docs/FORMAT.md
$(BUILD)/man5/msprof-layouts.5: PART := -v about='describe raw records, for msprof' -v from='\#\# The layout language'
$(BUILD)/man5/msprof.db.5: docs/SCHEMA.md docs/COLUMNS.md
$(BUILD)/man5/msprof.db.5: PART := -v about='the database of a job' -v to='\#\# Add a record'
$(MAN5): docs/man/man5.awk msprof.1 | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	$(call say,MAN)awk -v page=$(basename $(@F)) $(PART) $(MAN_VALUES) -f docs/man/man5.awk $(filter %.md,$^) >$@.$$$$ && mv $@.$$$$ $@

# ---------------------------------------------------------------- packages

# Install packages, or say the command where that is not allowed. $(1): the packages
define install_packages
	@installed=" $$(dpkg-query -W -f '$${db:Status-Abbrev}$${Package} ' $(1) 2>/dev/null)"; missing=; \
	for p in $(1); do case $$installed in *" ii $$p "*) ;; *) missing="$$missing $$p" ;; esac; done; \
	if [ -z "$$missing" ]; then :; \
	elif [ "$$(id -u)" = 0 ]; then apt-get update -q && DEBIAN_FRONTEND=noninteractive \
		apt-get install -qy --no-install-recommends $$missing; \
	else echo "missing packages; run: sudo apt-get install -y$$missing" >&2; exit 1; fi
endef

.PHONY: deps deps-build deps-test deps-cross deps-browser deps-coverage deps-bench deps-packages deps-readers deps-fleet
deps: deps-build deps-test
	$(call install_packages,$(LINT_PACKAGES) $(LONG_PACKAGES) $(OPTIONAL_PACKAGES))
deps-build:
	$(call install_packages,$(BUILD_PACKAGES))
deps-test: deps-build
	$(call install_packages,$(TEST_PACKAGES))
deps-packages: deps-test
	$(call install_packages,$(PACKAGING_PACKAGES))
deps-readers:
	$(call install_packages,$(READER_PACKAGES))
deps-browser:
	$(call install_packages,$(BROWSER_PACKAGES))
deps-coverage:
	$(call install_packages,$(COVERAGE_PACKAGES))
deps-bench:
	$(call install_packages,$(BENCH_PACKAGES))
# The tests start servers of their own: those of the system are not started when packages are installed, if root may say so.
deps-fleet:
	@policy=/usr/sbin/policy-rc.d; made=; if [ "$$(id -u)" = 0 ] && [ ! -e $$policy ]; then \
		printf '#!/bin/sh\nexit 101\n' >$$policy && chmod 755 $$policy && made=1; fi; \
	$(MAKE) deps-fleet-packages; status=$$?; [ -z "$$made" ] || rm -f $$policy; exit $$status
.PHONY: deps-fleet-packages
deps-fleet-packages:
	$(call install_packages,$(FLEET_PACKAGES))
# Engines that read a lake, and a current ClickHouse, as packages of npm: only tests/fleet uses them.
.PHONY: deps-lake
deps-lake: deps-fleet
	$(call install_packages,nodejs npm)
	npm install --prefix $(BUILD)/node --no-save --no-audit --no-fund @duckdb/node-api chdb @chdb/lib-linux-x64-gnu
# To build for boards: compilers, and an emulator to try the result. cli/static.mk fetches libraries.
deps-cross: deps-test
	$(call install_packages,$(CROSS_PACKAGES))

# ---------------------------------------------------------------- demo, lint, clean

SAMPLE := $(firstword $(wildcard tests/data/JOB*))

# The main job on the shipped sample: import, both exports, show.
.PHONY: demo
demo: deps-build
	$(MAKE) -j$$(nproc) $(BUILD)/msprof
	$(call discard_build,demo)
	mkdir -p $(BUILD)/demo/$(notdir $(SAMPLE)) && \
	cp -r $(SAMPLE)/data $(SAMPLE)/info.json.* $(BUILD)/demo/$(notdir $(SAMPLE))/
	umask 0027; set -e; job=$(BUILD)/demo/$(notdir $(SAMPLE)); set -x; \
	$(BUILD)/msprof import -dir $$job; \
	$(BUILD)/msprof export timeline -dir $$job; \
	$(BUILD)/msprof export summary -dir $$job; \
	$(BUILD)/msprof show -dir $$job --top 5; \
	ls $$job/sqlite $$job/timeline $$job/summary

.PHONY: lint
lint: | $(BUILD)/.msprof-build
	tests/lint/lint.sh

.PHONY: clean
clean:
	$(call discard_build)

# ---------------------------------------------------------------- parts

include $(wildcard lib/recorder/recorder.mk cli/install.mk tests/programs.mk tests/checks.mk cli/static.mk .packaging/dist.mk)
