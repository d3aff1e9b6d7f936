# msprof: build, test, install. Every path below build/ is generated.

VERSION := 0.9.0
CROSS ?=
PREFIX ?= /usr/local
DESTDIR ?=
BUILD ?= build$(if $(CROSS),/$(CROSS:-=))

ifeq ($(origin CC),default)
CC := $(CROSS)gcc
endif
ifeq ($(origin AR),default)
AR := $(CROSS)ar
endif
CFLAGS ?= -O2 -g
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
LIBS := -lsqlite3 $(if $(WITHOUT_SSH),,-lssh) -larchive -lz $(if $(ISAL),-lisal) -lpthread -lm $(MORE_LIBS)

# The one place that names packages.
BUILD_PACKAGES := gcc make libc6-dev libsqlite3-dev libssh-dev libarchive-dev zlib1g-dev libisal-dev
TEST_PACKAGES := g++ pkg-config libcmocka-dev libcjson-dev bats sqlite3 jq python3 parallel mandoc openssh-server openssh-client dropbear-bin \
	busybox procps libnss-wrapper openssl shfmt util-linux zsh fish protobuf-compiler python3-protobuf
CROSS_PACKAGES := gcc-aarch64-linux-gnu gcc-arm-linux-gnueabihf libc6-dev-arm64-cross libc6-dev-armhf-cross qemu-user
LINT_PACKAGES := git clang clang-tidy clang-format cppcheck shellcheck libclang-rt-14-dev
LONG_PACKAGES := debootstrap git valgrind
# A browser is large: only the tests of a report's page and the pictures of the documentation use one.
BROWSER_PACKAGES := chromium fonts-liberation poppler-utils pngquant
# Only `make coverage` needs it.
COVERAGE_PACKAGES := gcovr
# What tests of packages use.
PACKAGING_PACKAGES := cmake python3-pip python3-setuptools python3-wheel dpkg-dev debhelper dh-python lintian autopkgtest debootstrap gpg abigail-tools
# Only msprof-publish links these libraries, and only its tests with real servers need the servers.
FLEET_PACKAGES := pkg-config libpq-dev libcurl4-openssl-dev postgresql-15 clickhouse-server curl

# What stands for SSH, and for what static libraries lack or have too much of
SSH_SOURCES := $(addprefix lib/board/connection/,auth.c command_ssh.c connect.c heartbeat.c hostkey.c)
STAND_INS := lib/base/without_nss.c lib/store/without_modules.c lib/store/without_angles.c $(if $(WITHOUT_SSH),,lib/board/connection/without_gssapi.c)
LEFT_OUT := $(if $(WITHOUT_SSH),$(SSH_SOURCES) cli/cmd_advise.c cli/cmd_diff.c cli/cmd_report.c cli/cmd_cluster.c cli/cmd_aggregate.c cli/ranks.c cli/workers.c cli/job_aggregates.c lib/fleet/% cli/cmd_publish.c cli/publish_% cli/loader.c cli/pager.c,lib/board/connection/without_ssh.c) \
	lib/base/without_nss.c lib/store/without_modules.c lib/store/without_angles.c lib/board/connection/without_gssapi.c \
	$(if $(WITHOUT_LEARN),lib/learn/% cli/cmd_learn.c cli/learn_tables.c)
LIB_SOURCES := $(filter-out $(LEFT_OUT),$(sort $(wildcard lib/base/*.c lib/board/*/*.c lib/config/*.c lib/raw/*.c lib/recorder/*.c lib/row/*.c lib/leaf/*.c lib/store/*.c lib/expr/*.c lib/join/*.c lib/import/*.c lib/report/*.c lib/aggregate/*.c lib/cluster/*.c \
	lib/fleet/*.c lib/learn/*.c lib/insight/*.c lib/compare/*.c lib/trace/*.c lib/page/*.c)))
CLI_SOURCES := $(filter-out $(LEFT_OUT),$(sort $(wildcard cli/*.c)))
SCHEMA := $(sort $(shell find schema -name "*.rec" -o -name "*.sql") $(wildcard schema/learn/*.txt schema/insight/*.txt schema/page/*.html schema/page/*.css schema/page/*.js))
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

$(BUILD)/msprof $(BUILD)/msprof-1970: $(CLI_OBJECTS) $(if $(STATIC_PROGRAM),$(STAND_INS:%.c=$(BUILD)/%.o)) $(BUILD)/libmsprof.a
	$(CC) $(PIE) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/msprof-publish: $(FLEET_OBJECTS) $(BUILD)/libmsprof.a
	$(CC) $(PIE) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(shell pkg-config --libs libpq libcurl)

$(BUILD)/fleet_schema.c: schema/embed.sh $(FLEET_SCHEMA) $(BUILD)/schema.list
	@mkdir -p $(@D)
	schema/embed.sh fleet/postgresql fleet/clickhouse fleet/ask >$@.$$$$ && mv $@.$$$$ $@

$(BUILD)/fleet_schema.o: $(BUILD)/fleet_schema.c lib/base/schema.h
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

$(filter-out $(BUILD)/cli/budget.o,$(FLEET_OBJECTS)): CPPFLAGS += $(shell pkg-config --cflags libpq libcurl)

$(BUILD)/libmsprof.a: $(LIB_OBJECTS)
	rm -f $@
	$(AR) rcsD $@ $^

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
EMBEDDED := records pipe sql reports insight $(if $(WITHOUT_SSH),,complete page aggregate cluster fleet/rows) $(if $(WITHOUT_LEARN),,learn)
$(BUILD)/schema.c: schema/embed.sh $(SCHEMA) $(BUILD)/schema.list
	@mkdir -p $(@D)
	schema/embed.sh $(if $(STATIC_PROGRAM),--packed) $(EMBEDDED) >$@.$$$$ && mv $@.$$$$ $@

$(BUILD)/schema.o: $(BUILD)/schema.c lib/base/schema.h
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

$(SCRIPTED:%=$(BUILD)/%scripts.c): $(BUILD)/%/scripts.c: lib/board/embed.sh $(wildcard lib/board/*/*.sh) | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	lib/board/embed.sh $(notdir $*) >$@.$$$$ && mv $@.$$$$ $@

$(SCRIPTED:%=$(BUILD)/%scripts.o): %.o: %.c
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/%.o: %.c Makefile | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/lib/board/transfer/archive_time.o: CPPFLAGS := $(filter-out -D_TIME_BITS=64,$(CPPFLAGS))

-include $(LIB_OBJECTS:.o=.d) $(CLI_OBJECTS:.o=.d) $(FLEET_OBJECTS:.o=.d)

# ---------------------------------------------------------------- what applications link

# The recorder needs nothing but the C library: it runs on boards. Of the schema it has the layouts of records.
RECORDER_ABI := 0
RECORDER_SOURCES := $(filter-out $(LEFT_OUT) $(addprefix lib/base/,deflate.c gzip.c packer.c sandbox.c schema_unpack.c),$(sort $(wildcard lib/base/*.c lib/config/*.c lib/raw/*.c lib/recorder/*.c)))
PIC_OBJECTS := $(RECORDER_SOURCES:%.c=$(BUILD)/pic/%.o) $(BUILD)/pic/schema.o
RECORDER_SCHEMA := records pipe
PIC_FLAGS := -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections
RECORDER := $(BUILD)/libmsprof_recorder
# The vendor's names, thin and apart: a program may link the vendor's own library beside the recorder.
FACES := $(BUILD)/libmsprof_aclprof.so $(BUILD)/libmsprof_svp.so
# Its name is the vendor's, too: programs that link it ask for this file.
MSTX := $(BUILD)/libms_tools_ext.so
# The headers as manual pages; each function is a link to its page.
MAN3 := $(foreach h,msprof_recorder acl/acl acl/acl_prof acl/acl_msprof acl/svp_acl_prof mstx/ms_tools_ext mstx/ms_tools_ext_mem,$(BUILD)/man3/$(h).3)

.PHONY: recorder
recorder: $(RECORDER).so $(RECORDER).a $(FACES) $(MSTX) $(BUILD)/libmsprof_preload.so $(BUILD)/libmsprof_audit.so \
	$(BUILD)/libmsprof_wrap.a $(BUILD)/msprof_wrap.rsp $(MAN3)

$(BUILD)/pic/%.o: %.c Makefile | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(PIC_FLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/pic/schema.c: schema/embed.sh $(filter $(RECORDER_SCHEMA:%=schema/%/%),$(SCHEMA)) $(BUILD)/schema.list
	@mkdir -p $(@D)
	schema/embed.sh $(RECORDER_SCHEMA) >$@.$$$$ && mv $@.$$$$ $@

$(BUILD)/pic/schema.o: $(BUILD)/pic/schema.c lib/base/schema.h
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(PIC_FLAGS) -c -o $@ $<

# Symbol versions: a list of calls, all of which are defined.
versions = -Wl,--version-script=$(1) -Wl,--no-undefined-version

# nodelete: threads of the application may be within it when somebody closes it
$(RECORDER).so.$(RECORDER_ABI): $(PIC_OBJECTS) lib/recorder/recorder.map
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -Wl,-soname,$(@F) $(call versions,lib/recorder/recorder.map) -Wl,-z,nodelete -Wl,--gc-sections \
		-Wl,-z,defs -o $@ $(PIC_OBJECTS) -lpthread -lm

$(RECORDER).so: $(RECORDER).so.$(RECORDER_ABI)
	ln -sf $(<F) $@

$(FACES): $(BUILD)/libmsprof_%.so: $(BUILD)/pic/lib/recorder/faces/%.o $(BUILD)/pic/lib/recorder/faces/next.o lib/recorder/faces/%.map $(RECORDER).so
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -Wl,-soname,$(@F).$(RECORDER_ABI) $(call versions,$(filter %.map,$^)) -Wl,-z,defs -Wl,-rpath,'$$ORIGIN' -o $@.$(RECORDER_ABI) \
		$(filter %.o,$^) -L$(BUILD) -lmsprof_recorder -ldl
	ln -sf $(@F).$(RECORDER_ABI) $@

$(MSTX): $(BUILD)/pic/lib/recorder/faces/ms_tools_ext.o $(RECORDER).so
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,-z,nodelete -Wl,-z,defs -Wl,-rpath,'$$ORIGIN' -o $@ $< -L$(BUILD) -lmsprof_recorder

# One object in which only the names of the header are left.
$(RECORDER).a: $(PIC_OBJECTS)
	$(CROSS)ld -r -o $(BUILD)/pic/recorder.o $(PIC_OBJECTS)
	$(CROSS)objcopy --wildcard --keep-global-symbol='msprof_*' $(BUILD)/pic/recorder.o
	rm -f $@
	$(AR) rcsD $@ $(BUILD)/pic/recorder.o

$(MAN3): $(BUILD)/man3/%.3: lib/recorder/include/%.h lib/recorder/man3.awk msprof.1 | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	awk -v date="$$(sed -n 's/^\.Dd //p' msprof.1)" -v include=$*.h -f lib/recorder/man3.awk $< >$@.$$$$ && mv $@.$$$$ $@
# the functions of a page; asked for once, not for each line of LIST
MAN3_LINKS = $(eval MAN3_LINKS := $(foreach m,$(MAN3),$(addprefix $(notdir $(m))=,\
	$(shell awk -v names=1 -f lib/recorder/man3.awk $(m:$(BUILD)/man3/%.3=lib/recorder/include/%.h)))))$(MAN3_LINKS)

# Wrappers of the vendor's functions, made from a table: as a library that is loaded first, and for the linker.
WRAPPED := $(sort $(wildcard schema/wrap/*.txt))
WRAP_COMMON := $(patsubst %.c,$(BUILD)/pic/%.o,lib/base/error.c lib/base/text.c lib/recorder/log.c lib/recorder/shield.c lib/recorder/wrap/wrap.c)

$(BUILD)/wrap_calls.c: lib/recorder/wrap/generate.sh $(WRAPPED) | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	lib/recorder/wrap/generate.sh c $(WRAPPED) >$@.$$$$ && mv $@.$$$$ $@

$(BUILD)/msprof_wrap.rsp: lib/recorder/wrap/generate.sh $(WRAPPED) | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	lib/recorder/wrap/generate.sh rsp $(WRAPPED) >$@.$$$$ && mv $@.$$$$ $@

$(BUILD)/pic/wrap_calls.o $(BUILD)/pic/wrap_linked.o: $(BUILD)/wrap_calls.c lib/recorder/wrap/wrap.h
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(PIC_FLAGS) $(if $(filter %linked.o,$@),-DMP_WRAP_LINKED) -c -o $@ $<

$(BUILD)/libmsprof_preload.so: $(WRAP_COMMON) $(BUILD)/pic/lib/recorder/wrap/preload.o $(BUILD)/pic/wrap_calls.o $(RECORDER).so
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -Wl,-z,nodelete -Wl,-z,defs -Wl,--hash-style=both -Wl,-rpath,'$$ORIGIN' -o $@ \
		$(filter %.o,$^) -L$(BUILD) -lmsprof_recorder -ldl

# It is loaded apart from the program: it links nothing but the C library, and a sanitizer's runtime cannot be loaded twice.
$(BUILD)/pic/lib/recorder/wrap/audit.o: lib/recorder/wrap/audit.c lib/recorder/wrap/wrap.h lib/recorder/include/msprof_recorder.h | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(filter-out -fsanitize% -fno-sanitize%,$(ALL_CFLAGS) $(PIC_FLAGS)) -c -o $@ $<
$(BUILD)/libmsprof_audit.so: $(BUILD)/pic/lib/recorder/wrap/audit.o
	$(CC) $(filter-out -fsanitize% -fno-sanitize%,$(ALL_CFLAGS) $(ALL_LDFLAGS)) -shared -Wl,-z,defs -o $@ $<

$(BUILD)/libmsprof_wrap.a: $(WRAP_COMMON) $(BUILD)/pic/wrap_linked.o
	$(CROSS)ld -r -o $(BUILD)/pic/wrap.o $^
	$(CROSS)objcopy --wildcard --keep-global-symbol='__wrap_*' $(BUILD)/pic/wrap.o
	rm -f $@
	$(AR) rcsD $@ $(BUILD)/pic/wrap.o

-include $(PIC_OBJECTS:.o=.d) $(patsubst $(BUILD)/libmsprof_%.so,$(BUILD)/pic/lib/recorder/faces/%.d,$(FACES)) $(BUILD)/pic/lib/recorder/faces/ms_tools_ext.d $(BUILD)/pic/lib/recorder/faces/next.d $(WRAP_COMMON:.o=.d) $(BUILD)/pic/lib/recorder/wrap/preload.d

# ---------------------------------------------------------------- manual pages

# A page a command, made of its help: by the program itself, or for another processor by an msprof of this version that this machine has.
SPEAKER := $(if $(CROSS),$(shell [ "$$(msprof --version 2>/dev/null)" = 'msprof $(VERSION)' ] && command -v msprof),$(BUILD)/msprof)
MAN1 := $(if $(SPEAKER),$(patsubst %,$(BUILD)/man1/msprof-%.1,$(if $(WITHOUT_SSH),,options) \
	$(shell sed -n 's/^    \.name = "\([^"]*\)",/\1/p' $(filter cli/cmd_%,$(CLI_SOURCES)) | tr ' ' -)))
MAN5 := $(BUILD)/man5/msprof-layouts.5 $(BUILD)/man5/msprof.db.5
MAN_VALUES = -v date="$$(sed -n 's/^\.Dd //p' msprof.1)" -v version=$(VERSION)

.PHONY: pages
pages: $(MAN1) $(MAN5)

$(MAN1): $(BUILD)/man1/msprof-%.1: docs/man/man1.awk $(wildcard docs/man/*.mdoc) msprof.1 $(SPEAKER)
	@mkdir -p $(@D)
	$(SPEAKER) help $(subst -, ,$*) | awk -v name='$(subst -, ,$*)' -v details=docs/man/details.mdoc -v more=$(wildcard docs/man/$*.mdoc) $(MAN_VALUES) \
		-v summary="$$($(SPEAKER) help | sed -n 's/^  $(subst -, ,$*)  *//p')" -f docs/man/man1.awk >$@.$$$$ && mv $@.$$$$ $@

$(BUILD)/man5/msprof-layouts.5: docs/FORMAT.md
$(BUILD)/man5/msprof-layouts.5: PART := -v about='describe raw records, for msprof' -v from='\#\# The layout language'
$(BUILD)/man5/msprof.db.5: docs/SCHEMA.md
$(BUILD)/man5/msprof.db.5: PART := -v about='the database of a job' -v to='\#\# Add a record'
$(MAN5): docs/man/man5.awk msprof.1 | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	awk -v page=$(basename $(@F)) $(PART) $(MAN_VALUES) -f docs/man/man5.awk $(filter %.md,$^) >$@.$$$$ && mv $@.$$$$ $@

# ---------------------------------------------------------------- packages

# Install packages, or say the command where that is not allowed. $(1): the packages
define install_packages
	@missing=; for p in $(1); do dpkg-query -W -f '$${db:Status-Abbrev}\n' $$p 2>/dev/null | grep -q ^ii || missing="$$missing $$p"; done; \
	if [ -z "$$missing" ]; then :; \
	elif [ "$$(id -u)" = 0 ]; then apt-get update -q && DEBIAN_FRONTEND=noninteractive \
		apt-get install -qy --no-install-recommends $$missing; \
	else echo "missing packages; run: sudo apt-get install -y$$missing" >&2; exit 1; fi
endef

.PHONY: deps deps-build deps-test deps-cross deps-browser deps-coverage deps-valgrind deps-packages deps-fleet
deps: deps-build deps-test
	$(call install_packages,$(LINT_PACKAGES) $(LONG_PACKAGES))
deps-build:
	$(call install_packages,$(BUILD_PACKAGES))
deps-test: deps-build
	$(call install_packages,$(TEST_PACKAGES))
deps-packages: deps-test
	$(call install_packages,$(PACKAGING_PACKAGES))
deps-browser:
	$(call install_packages,$(BROWSER_PACKAGES))
deps-coverage:
	$(call install_packages,$(COVERAGE_PACKAGES))
deps-valgrind:
	$(call install_packages,valgrind)
# The tests start servers of their own: those of the system are not started when packages are installed, if root may say so.
deps-fleet:
	@policy=/usr/sbin/policy-rc.d; made=; if [ "$$(id -u)" = 0 ] && [ ! -e $$policy ]; then \
		printf '#!/bin/sh\nexit 101\n' >$$policy && chmod 755 $$policy && made=1; fi; \
	$(MAKE) deps-fleet-packages; status=$$?; [ -z "$$made" ] || rm -f $$policy; exit $$status
.PHONY: deps-fleet-packages
deps-fleet-packages:
	$(call install_packages,$(FLEET_PACKAGES))
# To build for boards: compilers, and an emulator to try the result. cli/static.mk fetches libraries.
deps-cross: deps-test
	$(call install_packages,$(CROSS_PACKAGES))

# ---------------------------------------------------------------- demo

SAMPLE := $(firstword $(wildcard tests/data/JOB*))

# The main job on the shipped sample: import, both exports, show.
.PHONY: demo
demo: deps-build
	$(MAKE) $(BUILD)/msprof
	$(call discard_build,demo)
	mkdir -p $(BUILD)/demo/$(notdir $(SAMPLE)) && \
	cp -r $(SAMPLE)/data $(SAMPLE)/info.json.* $(BUILD)/demo/$(notdir $(SAMPLE))/
	umask 0027; set -e; job=$(BUILD)/demo/$(notdir $(SAMPLE)); set -x; \
	$(BUILD)/msprof import -dir $$job; \
	$(BUILD)/msprof export timeline -dir $$job; \
	$(BUILD)/msprof export summary -dir $$job; \
	$(BUILD)/msprof show -dir $$job --top 5; \
	ls $$job/sqlite $$job/timeline $$job/summary

# Pictures of the documentation: a report of a generated job, in a headless Chromium.
.PHONY: pictures
pictures: deps-browser
	$(MAKE) $(BUILD)/msprof $(BUILD)/tests/genjob
	$(call discard_build,pictures)
	mkdir -p $(BUILD)/pictures docs/pictures
	umask 0027; $(BUILD)/tests/genjob --out $(BUILD)/pictures/JOBRESNET50 --seed 929 --model resnet50 --tasks 24 --aicpu 2 --pictures 20 \
		--calls 300 --threads 2 --fused 40
	$(BUILD)/msprof report -q -dir $(BUILD)/pictures/JOBRESNET50 -o $(BUILD)/pictures/report.html
	PYTHONDONTWRITEBYTECODE=1 python3 tests/browser/pictures.py $(BUILD)/pictures/report.html $(BUILD)/pictures docs/pictures

# ---------------------------------------------------------------- tests

# Are wrong numbers shown without a word? Near misses of jobs of boards, by kind: docs/STANDING.md.
.PHONY: judge
judge:
	$(MAKE) $(BUILD)/msprof $(BUILD)/tests/genjob $(BUILD)/tests/genprof
	PYTHONDONTWRITEBYTECODE=1 python3 tests/svp/nearmiss.py $(BUILD)/msprof $(BUILD)/tests/genjob --seeds 25
	PYTHONDONTWRITEBYTECODE=1 python3 tests/prof/nearmiss.py $(BUILD)/msprof $(BUILD)/tests/genprof --seeds 25

UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(filter-out $(if $(WITHOUT_LEARN),$(shell grep -lE '"(learn/|reference_support)' tests/unit/*.c)),\
	$(sort $(wildcard tests/unit/test_*.c))))
BOARD_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/board/test_*.c)))
BOARD_TOOLS := $(BUILD)/tests/board/boardsh $(BUILD)/tests/board/xfer $(BUILD)/tests/board/proxy
GEN := $(BUILD)/tests/genjob $(BUILD)/tests/genprof $(BUILD)/tests/genrec $(BUILD)/tests/goturn
GEN_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard tests/gen/*.c)))
GEN_COMMON := $(filter-out $(patsubst $(BUILD)/tests/%,$(BUILD)/tests/gen/%.o,$(GEN)),$(GEN_OBJECTS))
TABLE_OBJECTS := $(addprefix $(BUILD)/cli/,table.o table_layout.o term.o)

# $(1): libraries. Their objects are compiled as those of the product are, so a change of the library links them anew and no more.
link_test = $(CC) $(PIE) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(1) $(LIBS)

$(GEN): $(BUILD)/tests/%: $(BUILD)/tests/gen/%.o $(GEN_COMMON) $(BUILD)/libmsprof.a
	$(call link_test)

$(UNIT_TESTS): $(BUILD)/tests/%: $(BUILD)/tests/unit/%.o $(TABLE_OBJECTS) $(BUILD)/libmsprof.a
	$(call link_test,-lcmocka -lcjson)

$(BOARD_TESTS): %: %.o $(BUILD)/libmsprof.a
	$(call link_test,-lcmocka)

$(BOARD_TOOLS): %: %.o $(BUILD)/libmsprof.a
	$(call link_test)

# The fuzz targets without a fuzzer, over their seeds: where a sanitizer watches.
REPLAYS := $(if $(findstring -fsanitize=address,$(CFLAGS)),$(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/fuzz/fuzz_*.c))))
FUZZ_SEEDS := -DFUZZ_SEEDS='"$(abspath tests/fuzz/seeds)"'
$(BUILD)/tests/fuzz/%.o: CPPFLAGS += $(FUZZ_SEEDS)
$(REPLAYS): %: %.o $(BUILD)/tests/fuzz/replay.o $(BUILD)/libmsprof.a
	$(call link_test,-lcjson)

-include $(REPLAYS:=.d) $(GEN_OBJECTS:.o=.d) $(UNIT_TESTS:$(BUILD)/tests/%=$(BUILD)/tests/unit/%.d) $(addsuffix .d,$(BOARD_TESTS) $(BOARD_TOOLS))

# Applications that record: with the shared library, and with the archive.
RECORD := $(BUILD)/tests/record $(BUILD)/tests/record-static $(BUILD)/tests/dlopen
$(BUILD)/tests/record: tests/recorder/record.c $(RECORDER).so
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Ilib/recorder/include $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< -L$(BUILD) -Wl,-rpath,'$$ORIGIN/..' -lmsprof_recorder -lpthread
$(BUILD)/tests/record-static: tests/recorder/record.c $(RECORDER).a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Ilib/recorder/include $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ -lpthread -lm
$(BUILD)/tests/dlopen: tests/recorder/dlopen.c $(RECORDER).so
	$(CC) $(CPPFLAGS) -Ilib/recorder/include $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< -ldl

# A real network on this processor; and an application of the vendor's library, of which a stub is there.
STUBS := $(BUILD)/tests/cnn $(BUILD)/tests/stub/app $(BUILD)/tests/stub/app-svp $(BUILD)/tests/stub/app-linked $(BUILD)/tests/stub/opens
$(BUILD)/tests/cnn: tests/recorder/cnn.c $(RECORDER).so
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Ilib/recorder/include $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< -L$(BUILD) -Wl,-rpath,'$$ORIGIN/..' -lmsprof_recorder
$(BUILD)/tests/stub/libascendcl.so: tests/recorder/stub_acl.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -fPIC -shared -Wl,-soname,$(@F) -o $@ $<
$(BUILD)/tests/stub/app: tests/recorder/stub_app.c $(BUILD)/tests/stub/libascendcl.so
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< -L$(@D) -Wl,-rpath,'$$ORIGIN' -lascendcl -lpthread
$(BUILD)/tests/stub/app-svp: tests/recorder/stub_app.c $(BUILD)/tests/stub/libascendcl.so
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -DSTUB_SVP -o $@ $< -L$(@D) -Wl,-rpath,'$$ORIGIN' -lascendcl -lpthread
$(BUILD)/tests/stub/app-linked: tests/recorder/stub_app.c tests/recorder/stub_acl.c $(BUILD)/libmsprof_wrap.a $(BUILD)/msprof_wrap.rsp $(RECORDER).a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) @$(BUILD)/msprof_wrap.rsp -o $@ $(filter %.c %wrap.a,$^) $(RECORDER).a -lpthread -lm
$(BUILD)/tests/stub/opens: tests/recorder/stub_opens.c $(BUILD)/tests/stub/libascendcl.so
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< -ldl

# Tests of the public calls, for each family of names; and applications for the tests that read what they record.
FAMILIES := acl svp
FAMILY_LIB_acl := aclprof
FAMILY_LIB_svp := svp
RECORDER_TESTS := $(filter-out %/svp/test_stamps,$(foreach f,$(FAMILIES),\
	$(patsubst tests/recorder/%.c,$(BUILD)/tests/$(f)/%,$(sort $(wildcard tests/recorder/test_*.c)))))
RECORDER_APPS := $(FAMILIES:%=$(BUILD)/tests/%/app) $(FAMILIES:%=$(BUILD)/tests/%/documented)

define family_rules
$(BUILD)/tests/$(1)/%: tests/recorder/%.c tests/recorder/sequence.c $(wildcard tests/recorder/*.h lib/recorder/include/acl/*.h) $(FACES)
	@mkdir -p $$(@D)
	$$(CC) $$(CPPFLAGS) -Ilib/recorder/include -DFAMILY_$(if $(filter svp,$(1)),SVP,ACL) $$(ALL_CFLAGS) $$(LDFLAGS) -o $$@ $$< \
		tests/recorder/sequence.c -L$(BUILD) -Wl,-rpath,'$$$$ORIGIN/../..' -lmsprof_$(FAMILY_LIB_$(1)) -lmsprof_recorder \
		$$(if $$(filter test_%,$$(*F)),-lcmocka) -lpthread

$(BUILD)/tests/$(1)/documented: tests/recorder/documented_$(1).c $(FACES)
	@mkdir -p $$(@D)
	$$(CC) -Ilib/recorder/include $$(ALL_CFLAGS) $$(LDFLAGS) -o $$@ $$< -L$(BUILD) -Wl,-rpath,'$$$$ORIGIN/../..' \
		-Wl,-rpath-link,$(BUILD) -lmsprof_$(FAMILY_LIB_$(1)) -lpthread
endef
$(foreach f,$(FAMILIES),$(eval $(call family_rules,$(f))))

# The tests of commands: all of them, or BATS=... for some.
BATS ?= tests/cli tests/recorder

# The inner loop: every program, and of the tests of commands quick files that touch each area: the house itself, the three
# families of data, a collection, the recorder. What waits, kills, harms or needs servers is left to `make check`.
FAST_BATS := $(patsubst %,tests/cli/%.bats,structure docs compat titles import check summary timeline ascend2022 prof prof_join \
	prof_kinds locked acljson collect_many collect_space) $(patsubst %,tests/recorder/%.bats,job prof families preload)

.PHONY: check check-fast check-programs
check: deps-test
	$(MAKE) -j$$(nproc) check-programs
	BUILD=$(abspath $(BUILD)) tests/run.sh $(UNIT_TESTS) $(BOARD_TESTS) $(RECORDER_TESTS) $(REPLAYS) -- $(BATS)
check-fast:
	$(MAKE) -j$$(nproc) check-programs
	BUILD=$(abspath $(BUILD)) tests/run.sh $(UNIT_TESTS) $(BOARD_TESTS) $(RECORDER_TESTS) -- $(FAST_BATS)
check-programs: all $(UNIT_TESTS) $(BOARD_TESTS) $(GEN) $(BOARD_TOOLS) $(RECORD) $(STUBS) $(RECORDER_TESTS) $(RECORDER_APPS) $(REPLAYS)

# The tests that mount something, where nothing can be mounted: they skip, and touch nothing.
.PHONY: check-refused
check-refused: deps-test
	$(MAKE) -j$$(nproc) check-programs
	BUILD=$(abspath $(BUILD)) PATH="$(abspath tests/refused):$$PATH" tests/run.sh -- $(shell grep -rlE --include='*.bats' '(needs|private)_mounts' tests/cli tests/recorder)

# The titles of all reports, for tests/cli/titles.bats; the difference shows what users and scripts will see.
.PHONY: bless
bless:
	python3 tests/cli/helpers/schema_titles.py >tests/data/titles.txt

# The ABI of the libraries, for tests/packages/abi.bats; the difference shows what programs that link them will see.
.PHONY: bless-abi
bless-abi: recorder
	tests/packages/abi.sh dump $(BUILD)

# What is equal to the reference tools' outputs, in numbers, where their recorded outputs lie beside the checkout.
REFERENCE := ../shared
.PHONY: compat
compat: $(BUILD)/msprof
	@if [ -f $(REFERENCE)/oracle/check.py ]; then \
		PYTHONDONTWRITEBYTECODE=1 python3 tests/cli/helpers/reference.py $(BUILD)/msprof $(REFERENCE) docs/COMPAT.md; \
	else echo 'compat: skipped: $(REFERENCE)/oracle is not there'; fi

# What `msprof learn` learns of made-up boards with counters in hidden places, a line a seed.
SEEDS := 200
.PHONY: check-learn
check-learn: $(BUILD)/msprof
	PYTHONDONTWRITEBYTECODE=1 python3 tests/cli/helpers/learn_seeds.py $(BUILD)/msprof 1 $(SEEDS)

# What `msprof diff` finds in simulated pairs of collections, and its false alarms; a line a kind.
PAIRS := 1000
.PHONY: check-diff
check-diff: $(BUILD)/msprof
	@mkdir -p $(BUILD)/tests/pairs
	PYTHONDONTWRITEBYTECODE=1 python3 tests/cli/helpers/diff_pairs.py $(BUILD)/msprof $(BUILD)/tests/pairs $(PAIRS)

# Findings that are planted in made-up jobs of every family, alone and in pairs: how many are found, false alarms, and wrong numbers; a line a finding.
ADVISE_SEEDS := 100
.PHONY: check-advise
check-advise: $(BUILD)/msprof $(BUILD)/tests/genprof
	PYTHONDONTWRITEBYTECODE=1 python3 tests/cli/helpers/advise_seeds.py $(BUILD)/msprof $(BUILD)/tests/genprof $(ADVISE_SEEDS)

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

.PHONY: check-asan
check-asan:
	ASAN_OPTIONS=detect_stack_use_after_return=1 $(MAKE) check BUILD=$(BUILD)/asan CFLAGS='-O1 -g1 $(SANITIZE)' LDFLAGS='$(SANITIZE)'

# What tests run of lib/ and cli/, by gcc's counters: `make check`, and what lets calls fail or needs servers. Slow.
COVERAGE := $(BUILD)/coverage
COVERAGE_CFLAGS := -O1 -g --coverage -fprofile-update=atomic -DMSPROF_COUNTERS='\"$(abspath $(COVERAGE))\"'
COVERAGE_LDFLAGS := --coverage $(abspath $(COVERAGE))/counters.o -Wl,--wrap=_exit,--wrap=execv,--wrap=execl,--wrap=__gcov_exit
COVERAGE_BATS := tests/cli tests/recorder tests/fleet $(sort $(wildcard tests/long/fault*.bats)) tests/long/recorder.bats
COVERAGE_LINES := 92
COVERAGE_BRANCHES := 80
MAKE_COVERAGE = $(MAKE) BUILD=$(COVERAGE) CFLAGS="$(COVERAGE_CFLAGS)" LDFLAGS='$(COVERAGE_LDFLAGS)'

.PHONY: coverage coverage-table
coverage: deps-test deps-coverage
	$(MAKE_COVERAGE) $(COVERAGE)/counters.o
	find $(COVERAGE) -name '*.gcda' -exec rm -f {} +
	status=0; FAULT_STEP=997 FAULT_TIMES=6 $(MAKE_COVERAGE) check BATS='$(COVERAGE_BATS)' || status=1; $(MAKE) coverage-table || status=1; exit $$status
coverage-table:
	gcovr -j $$(nproc) --root . --filter lib/ --filter cli/ --exclude-unreachable-branches --json-summary $(COVERAGE)/summary.json \
		--txt $(COVERAGE)/files.txt $(COVERAGE)/lib $(COVERAGE)/cli $(COVERAGE)/pic
	tests/coverage/table.py $(COVERAGE)/summary.json $(COVERAGE_LINES) $(COVERAGE_BRANCHES)
$(BUILD)/counters.o: tests/coverage/counters.c | $(BUILD)/.msprof-build
	$(CC) -O1 -fPIC -c -o $@ $<

include cli/static.mk

# What threads share: the recorder's rings and names, the parts of a report that several write, pieces of a compressed file, tasks that are joined while others are stored.
.PHONY: check-tsan check-tsan-programs
check-tsan: deps-test
	TSAN_OPTIONS='halt_on_error=1 suppressions=$(abspath tests/recorder/tsan.txt)' $(MAKE) check-tsan-programs BUILD=$(BUILD)/tsan CFLAGS='-O1 -g -fsanitize=thread' LDFLAGS=-fsanitize=thread
check-tsan-programs: $(BUILD)/tests/test_ordered $(BUILD)/tests/test_split_rows $(BUILD)/tests/test_gzip $(BUILD)/tests/test_bundles $(BUILD)/tests/test_ring $(BUILD)/tests/test_names $(BUILD)/tests/test_recorder $(BUILD)/tests/test_op_pipe $(RECORDER_TESTS) $(BUILD)/msprof $(BUILD)/tests/genprof
	BUILD=$(abspath $(BUILD)) tests/run.sh $(filter-out $(BUILD)/msprof $(BUILD)/tests/genprof,$^) -- tests/cli/prof_join.bats

# The recorder's memory: programs that record under valgrind, where there is one: `make deps-valgrind`.
.PHONY: check-valgrind
check-valgrind: deps-test
	$(MAKE) -j$$(nproc) check-programs
	tests/long/valgrind.sh $(BUILD)

# SQLite alone, without the fast paths: what reads data of boards and cards gives the same.
PLAIN_BATS := $(wildcard tests/cli/prof*.bats tests/cli/ascend*.bats) $(foreach t,svp summary timeline import show hostile,tests/cli/$(t).bats)
.PHONY: check-plain
check-plain: deps-test
	$(MAKE) check-programs
	MSPROF_PLAIN=1 BUILD=$(abspath $(BUILD)) tests/run.sh -- $(PLAIN_BATS)

# The page of a report in a headless Chromium, where there is one: `make deps-browser`.
.PHONY: check-browser
check-browser: deps-test
	$(MAKE) -j$$(nproc) check-programs
	BUILD=$(abspath $(BUILD)) tests/run.sh -- tests/browser

# Packages, of each kind that the tools of `make deps-packages` make.
.PHONY: check-packages
check-packages: deps-test
	$(MAKE) -j$$(nproc) check-programs
	BUILD=$(abspath $(BUILD)) tests/run.sh -- tests/packages
# `msprof publish` with real servers of PostgreSQL and ClickHouse, where they are: `make deps-fleet`.
.PHONY: check-fleet bench-fleet
check-fleet: deps-test
	$(MAKE) -j$$(nproc) check-programs
	BUILD=$(abspath $(BUILD)) tests/run.sh -- tests/fleet
bench-fleet: all $(BUILD)/tests/genprof
	BUILD=$(abspath $(BUILD)) tests/fleet/bench.sh

.PHONY: check-long
check-long: deps-test
	$(MAKE) -j$$(nproc) check-programs
	BUILD=$(abspath $(BUILD)) tests/run.sh -- tests/long
	tests/lint/lint.sh --deep
	$(MAKE) check-fuzz
	$(MAKE) check-plain
	$(MAKE) check-refused
	$(MAKE) check-browser
	$(MAKE) check-packages
	$(MAKE) check-fleet
	$(MAKE) check-fresh

# README's two commands on machines that have nothing but `make`; needs root, debootstrap and a mirror.
.PHONY: check-fresh
check-fresh:
	tests/fresh.sh

# ---------------------------------------------------------------- fuzzing

FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_SECONDS ?= 60
FUZZ_FLAGS := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all $(FUZZ_SEEDS)
FUZZ_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/fuzz/%.o) $(SCRIPTED:%=$(BUILD)/fuzz/%scripts.o) $(BUILD)/fuzz/schema.o

$(BUILD)/fuzz/%.o: %.c Makefile
	@mkdir -p $(@D)
	clang $(CPPFLAGS) -std=c11 $(WARNINGS) $(FUZZ_FLAGS) -MMD -MP -c -o $@ $<

$(SCRIPTED:%=$(BUILD)/fuzz/%scripts.o): $(BUILD)/fuzz/%.o: $(BUILD)/%.c
	@mkdir -p $(@D)
	clang $(CPPFLAGS) -std=c11 $(WARNINGS) $(FUZZ_FLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/fuzz/schema.o: $(BUILD)/schema.c
	@mkdir -p $(@D)
	clang $(CPPFLAGS) -std=c11 $(WARNINGS) $(FUZZ_FLAGS) -c -o $@ $<

$(FUZZERS): $(BUILD)/fuzz/%: $(BUILD)/fuzz/tests/fuzz/%.o $(FUZZ_OBJECTS)
	clang $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $^ -lcjson $(LIBS)

-include $(FUZZ_OBJECTS:.o=.d) $(FUZZERS:$(BUILD)/fuzz/%=$(BUILD)/fuzz/tests/fuzz/%.d)

FUZZ_RUNS := $(FUZZERS:$(BUILD)/fuzz/%=run-%)
.PHONY: fuzz check-fuzz $(FUZZ_RUNS)
fuzz: $(FUZZ_RUNS)
$(FUZZ_RUNS): run-%: $(BUILD)/fuzz/%
	cd $(BUILD)/fuzz && $(abspath tests/fuzz/run.sh) $(abspath $<) -max_total_time=$(FUZZ_SECONDS)

# What reads whole jobs, databases and foreign bytes of the recorder, for an hour each, as many at a time as there are processors.
FUZZ_LONG := job database events deflate ops
check-fuzz:
	if command -v clang >/dev/null; then $(MAKE) -j$$(nproc) FUZZERS='$(FUZZ_LONG:%=$(BUILD)/fuzz/fuzz_%)' FUZZ_SECONDS=$${FUZZ_SECONDS:-3600} fuzz; \
		else echo 'skipped: no clang'; fi

# ---------------------------------------------------------------- lint, bench

.PHONY: lint
lint: | $(BUILD)/.msprof-build
	tests/lint/lint.sh

BENCH_PROGRAMS := $(BUILD)/tests/bare $(BUILD)/tests/recorder-bench $(BUILD)/tests/bench/preload
$(BUILD)/tests/bench/libascendcl.so: tests/bench/instant.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -fPIC -shared -Wl,-soname,$(@F) -o $@ $<
$(BUILD)/tests/bench/preload: tests/bench/preload.c $(BUILD)/tests/bench/libascendcl.so $(BUILD)/libmsprof_preload.so
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< -L$(@D) -Wl,-rpath,'$$ORIGIN' -lascendcl
$(BUILD)/tests/recorder-bench: tests/bench/recorder.c $(RECORDER).so
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Ilib/recorder/include $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< -L$(BUILD) -Wl,-rpath,'$$ORIGIN/..' -lmsprof_recorder -lpthread
$(BUILD)/tests/bare: tests/bench/bare.c $(BUILD)/libmsprof.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

.PHONY: bench bench-collect
bench: $(BUILD)/msprof $(GEN) $(BENCH_PROGRAMS)
	BUILD=$(abspath $(BUILD)) tests/bench/bench.sh
	BUILD=$(abspath $(BUILD)) tests/bench/recorder.sh
	$(MAKE) bench-collect
bench-collect: $(BOARD_TOOLS) $(BENCH_PROGRAMS)
	BUILD=$(abspath $(BUILD)) tests/bench/collect.sh

# ---------------------------------------------------------------- dist

# The sources as a tarball, with a checksum and a bill of materials; the signing key is that of the user: GPG_KEY=, or gpg's own.
DIST := $(BUILD)/dist/msprof-$(VERSION)
GPG_KEY ?=

.PHONY: dist dist-sign deb
dist: | $(BUILD)/.msprof-build
	.packaging/dist.sh $(VERSION) $(BUILD)/dist
dist-sign: dist
	for f in $(DIST).tar.gz $(DIST).spdx.json $(DIST).sha256; do \
		gpg --batch --yes --armor --detach-sign $(GPG_KEY:%=--local-user '%') --output $$f.asc $$f || exit; done

# Debian packages, from that tarball: build/deb
deb: dist
	$(call discard_build,deb)
	.packaging/deb.sh $(VERSION) $(DIST).tar.gz $(BUILD)/deb

# ---------------------------------------------------------------- install

LIBDIR ?= $(PREFIX)/lib
DOCDIR := $(PREFIX)/share/doc/msprof
STRIP ?= $(CROSS)strip
# Where msprof and its Python module look for libraries, whatever LIBDIR is.
FIXED_LIBDIR := $(PREFIX)/lib/msprof

define newline


endef
# $(1): kind; $(2): files; $(3): directory
into = $(foreach f,$(2),$(1) $(f) $(3)/$(notdir $(f))$(newline))
# $(1): text of the link; $(2): the link
link = link $(1) $(2)$(newline)

# The one list of what `make install` writes and `make uninstall` removes: kind, file, place.
define LIST
$(call into,elf,$(BUILD)/msprof,$(PREFIX)/bin)
$(call into,elf,$(FLEET),$(PREFIX)/libexec/msprof)
$(call into,file,msprof.1 $(MAN1),$(PREFIX)/share/man/man1)
$(call into,file,$(MAN5),$(PREFIX)/share/man/man5)
$(call into,file,$(MAN3),$(PREFIX)/share/man/man3)
$(foreach l,$(MAN3_LINKS),$(call link,$(firstword $(subst =, ,$(l))),$(PREFIX)/share/man/man3/$(lastword $(subst =, ,$(l))).3))
file cli/msprof.bash $(PREFIX)/share/bash-completion/completions/msprof
file cli/msprof.zsh $(PREFIX)/share/zsh/site-functions/_msprof
file cli/msprof.fish $(PREFIX)/share/fish/vendor_completions.d/msprof.fish
$(call into,file,README.md LICENSE cli/board.ini,$(DOCDIR))
$(call into,file,$(sort $(wildcard docs/*.md)),$(DOCDIR)/docs)
$(call into,file,$(sort $(wildcard docs/pictures/*.png)),$(DOCDIR)/docs/pictures)
$(call into,file,schema/README.md,$(DOCDIR)/schema)
$(call into,file,lib/recorder/include/msprof_recorder.h,$(PREFIX)/include)
$(call into,file,$(sort $(wildcard lib/recorder/include/acl/*.h)),$(PREFIX)/include/acl)
$(call into,file,$(sort $(wildcard lib/recorder/include/mstx/*.h)),$(PREFIX)/include/mstx)
$(call into,file,lib/recorder/python/msprof_acl.py lib/recorder/python/mstx.py,$(PREFIX)/share/msprof/python)
$(call into,archive,$(RECORDER).a $(BUILD)/libmsprof_wrap.a,$(LIBDIR))
$(call into,elf,$(LINKED:%=%.$(RECORDER_ABI)) $(BUILD)/libmsprof_preload.so $(BUILD)/libmsprof_audit.so $(MSTX),$(LIBDIR))
$(foreach l,$(notdir $(LINKED)),$(call link,$(l).$(RECORDER_ABI),$(LIBDIR)/$(l)))
$(call into,file,$(BUILD)/msprof_wrap.rsp,$(LIBDIR))
$(foreach p,msprof_recorder msprof_aclprof msprof_svp,pc lib/recorder/$(p).pc.in $(LIBDIR)/pkgconfig/$(p).pc$(newline))
$(foreach c,msprofConfig msprofConfigVersion,pc lib/recorder/cmake/$(c).cmake.in $(LIBDIR)/cmake/msprof/$(c).cmake$(newline))
$(if $(filter-out $(PREFIX)/lib,$(LIBDIR)),$(foreach l,libmsprof_preload.so libmsprof_audit.so $(notdir $(MSTX)) $(notdir $(LINKED:%=%.$(RECORDER_ABI))),\
	$(call link,$(shell realpath -ms --relative-to=$(FIXED_LIBDIR) $(LIBDIR))/$(l),$(FIXED_LIBDIR)/$(l))))
endef
LINKED := $(RECORDER).so $(FACES)

# $(1): install, strip or uninstall
with_installed = @printf '%s' "$$INSTALLED" | DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' VERSION=$(VERSION) STRIP=$(STRIP) \
	cli/install.sh $(1)
install install-strip uninstall: export INSTALLED = $(LIST)

.PHONY: install install-strip uninstall
install: all
	$(call with_installed,install)
install-strip: install
	$(call with_installed,strip)
uninstall:
	$(call with_installed,uninstall)

.PHONY: clean
clean:
	$(call discard_build)
