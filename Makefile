# msprof: build, test, install. Every path below build/ is generated.

VERSION := 0.1.0
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
CPPFLAGS += -Ilib -Icli -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -DMSPROF_VERSION='"$(VERSION)"'
ALL_CFLAGS := -std=c11 $(WARNINGS) $(CFLAGS)
LIBS := -lsqlite3 -lcjson -lssh -larchive -lpthread -lm

# The one place that names packages.
BUILD_PACKAGES := gcc make libc6-dev libsqlite3-dev libcjson-dev libssh-dev libarchive-dev
TEST_PACKAGES := g++ pkg-config libcmocka-dev bats sqlite3 jq python3 mandoc openssh-server openssh-client dropbear-bin \
	busybox procps parallel
CROSS_ARCH := arm64
CROSS_PACKAGES := gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user $(addsuffix :$(CROSS_ARCH),libsqlite3-dev libcjson-dev libssh-dev libarchive-dev libcmocka-dev)
LINT_PACKAGES := clang clang-tidy clang-format cppcheck shellcheck libclang-rt-14-dev

LIB_SOURCES := $(sort $(wildcard lib/base/*.c lib/board/*.c lib/config/*.c lib/raw/*.c lib/recorder/*.c lib/store/*.c lib/report/*.c))
CLI_SOURCES := $(sort $(wildcard cli/*.c))
SCHEMA := $(sort $(shell find schema -name "*.rec" -o -name "*.sql"))
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/schema.o
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(BUILD)/%.o)

.PHONY: all
all: $(BUILD)/msprof recorder

$(BUILD)/msprof: $(CLI_OBJECTS) $(BUILD)/libmsprof.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/libmsprof.a: $(LIB_OBJECTS)
	rm -f $@
	$(AR) rcs $@ $^

# A file that was taken away changes the list.
$(BUILD)/schema.list: FORCE
	@mkdir -p $(@D)
	@echo $(SCHEMA) | cmp -s - $@ || echo $(SCHEMA) >$@
.PHONY: FORCE
FORCE:

$(BUILD)/schema.c: schema/embed.sh $(SCHEMA) $(BUILD)/schema.list
	@mkdir -p $(@D)
	schema/embed.sh >$@.$$$$ && mv $@.$$$$ $@

$(BUILD)/schema.o: $(BUILD)/schema.c lib/base/schema.h
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

-include $(LIB_OBJECTS:.o=.d) $(CLI_OBJECTS:.o=.d)

# ---------------------------------------------------------------- what applications link

# The recorder needs neither SQLite nor SSH: it runs on boards. cJSON is part of it where there is a static one.
RECORDER_ABI := 0
RECORDER_SOURCES := $(sort $(wildcard lib/base/*.c lib/config/*.c lib/raw/*.c lib/recorder/*.c))
PIC_OBJECTS := $(RECORDER_SOURCES:%.c=$(BUILD)/pic/%.o) $(BUILD)/pic/schema.o
PIC_FLAGS := -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections
CJSON := $(if $(filter /%,$(shell $(CC) -print-file-name=libcjson.a)),-l:libcjson.a,-lcjson)
RECORDER := $(BUILD)/libmsprof_recorder
# The vendor's names, thin and apart: a program may link the vendor's own library beside the recorder.
FACES := $(BUILD)/libmsprof_aclprof.so $(BUILD)/libmsprof_svp.so

.PHONY: recorder
recorder: $(RECORDER).so $(RECORDER).a $(FACES) $(BUILD)/libmsprof_preload.so \
	$(BUILD)/libmsprof_wrap.a $(BUILD)/msprof_wrap.rsp

$(BUILD)/pic/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(PIC_FLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/pic/schema.o: $(BUILD)/schema.c lib/base/schema.h
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(PIC_FLAGS) -c -o $@ $<

# nodelete: threads of the application may be within it when somebody closes it
$(RECORDER).so.$(RECORDER_ABI): $(PIC_OBJECTS) lib/recorder/recorder.map
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,--version-script=lib/recorder/recorder.map -Wl,-z,nodelete -Wl,--gc-sections \
		-Wl,-z,defs -o $@ $(PIC_OBJECTS) $(CJSON) -lpthread -lm

$(RECORDER).so: $(RECORDER).so.$(RECORDER_ABI)
	ln -sf $(<F) $@

$(FACES): $(BUILD)/libmsprof_%.so: $(BUILD)/pic/lib/recorder/faces/%.o $(RECORDER).so
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F).$(RECORDER_ABI) -Wl,-z,defs -Wl,-rpath,'$$ORIGIN' -o $@.$(RECORDER_ABI) \
		$< -L$(BUILD) -lmsprof_recorder
	ln -sf $(@F).$(RECORDER_ABI) $@

# One object in which only the names of the header are left.
$(RECORDER).a: $(PIC_OBJECTS)
	$(CROSS)ld -r -o $(BUILD)/pic/recorder.o $(PIC_OBJECTS)
	$(CROSS)objcopy --wildcard --keep-global-symbol='msprof_*' $(BUILD)/pic/recorder.o
	rm -f $@
	$(AR) rcs $@ $(BUILD)/pic/recorder.o

# Wrappers of the vendor's functions, made from a table: as a library that is loaded first, and for the linker.
WRAPPED := schema/wrap/calls.txt
WRAP_COMMON := $(patsubst %.c,$(BUILD)/pic/%.o,lib/base/error.c lib/base/text.c lib/recorder/log.c lib/recorder/shield.c lib/recorder/wrap/wrap.c)

$(BUILD)/wrap_calls.c: lib/recorder/wrap/generate.sh $(WRAPPED)
	@mkdir -p $(@D)
	lib/recorder/wrap/generate.sh c $(WRAPPED) >$@.$$$$ && mv $@.$$$$ $@

$(BUILD)/msprof_wrap.rsp: lib/recorder/wrap/generate.sh $(WRAPPED)
	@mkdir -p $(@D)
	lib/recorder/wrap/generate.sh rsp $(WRAPPED) >$@.$$$$ && mv $@.$$$$ $@

$(BUILD)/pic/wrap_calls.o $(BUILD)/pic/wrap_linked.o: $(BUILD)/wrap_calls.c lib/recorder/wrap/wrap.h
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(PIC_FLAGS) $(if $(filter %linked.o,$@),-DMP_WRAP_LINKED) -c -o $@ $<

$(BUILD)/libmsprof_preload.so: $(WRAP_COMMON) $(BUILD)/pic/lib/recorder/wrap/preload.o $(BUILD)/pic/wrap_calls.o $(RECORDER).so
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-z,nodelete -Wl,-z,defs -Wl,-rpath,'$$ORIGIN' -o $@ \
		$(filter %.o,$^) -L$(BUILD) -lmsprof_recorder -ldl

$(BUILD)/libmsprof_wrap.a: $(WRAP_COMMON) $(BUILD)/pic/wrap_linked.o
	$(CROSS)ld -r -o $(BUILD)/pic/wrap.o $^
	$(CROSS)objcopy --wildcard --keep-global-symbol='__wrap_*' $(BUILD)/pic/wrap.o
	rm -f $@
	$(AR) rcs $@ $(BUILD)/pic/wrap.o

-include $(PIC_OBJECTS:.o=.d) $(patsubst $(BUILD)/libmsprof_%.so,$(BUILD)/pic/lib/recorder/faces/%.d,$(FACES)) $(WRAP_COMMON:.o=.d) $(BUILD)/pic/lib/recorder/wrap/preload.d

# ---------------------------------------------------------------- packages

# Install packages, or say the command where that is not allowed. $(1): the packages
define install_packages
	@missing=; for p in $(1); do dpkg-query -W -f '$${db:Status-Abbrev}\n' $$p 2>/dev/null | grep -q ^ii || missing="$$missing $$p"; done; \
	if [ -z "$$missing" ]; then :; \
	elif [ "$$(id -u)" = 0 ]; then apt-get update -q && DEBIAN_FRONTEND=noninteractive \
		apt-get install -qy --no-install-recommends $$missing; \
	else echo "missing packages; run: sudo apt-get install -y$$missing" >&2; exit 1; fi
endef

.PHONY: deps deps-build deps-test deps-cross
deps: deps-build deps-test
	$(call install_packages,$(LINT_PACKAGES))
deps-build:
	$(call install_packages,$(BUILD_PACKAGES))
deps-test: deps-build
	$(call install_packages,$(TEST_PACKAGES))
# To build for a board: a compiler, the libraries for it, and an emulator to try the result.
deps-cross: deps-test
	@dpkg --print-foreign-architectures | grep -qx $(CROSS_ARCH) || \
	if [ "$$(id -u)" = 0 ]; then dpkg --add-architecture $(CROSS_ARCH); \
	else echo "run: sudo dpkg --add-architecture $(CROSS_ARCH)" >&2; exit 1; fi
	$(call install_packages,$(CROSS_PACKAGES))

# ---------------------------------------------------------------- demo

SAMPLE := $(firstword $(wildcard tests/data/JOB*))

# The main job on the shipped sample: import, both exports, show.
.PHONY: demo
demo: deps-build
	$(MAKE) $(BUILD)/msprof
	rm -rf $(BUILD)/demo && mkdir -p $(BUILD)/demo/$(notdir $(SAMPLE)) && \
	cp -r $(SAMPLE)/data $(SAMPLE)/info.json.* $(BUILD)/demo/$(notdir $(SAMPLE))/
	umask 0027; set -e; job=$(BUILD)/demo/$(notdir $(SAMPLE)); set -x; \
	$(BUILD)/msprof import -dir $$job; \
	$(BUILD)/msprof export timeline -dir $$job; \
	$(BUILD)/msprof export summary -dir $$job; \
	$(BUILD)/msprof show -dir $$job --top 5; \
	ls $$job/sqlite $$job/timeline $$job/summary

# ---------------------------------------------------------------- tests

UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/unit/test_*.c))) \
	$(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/board/test_*.c)))
BOARD_TOOLS := $(BUILD)/tests/board/boardsh $(BUILD)/tests/board/xfer $(BUILD)/tests/board/proxy
GEN_COMMON := $(filter-out tests/gen/genjob.c tests/gen/genprof.c tests/gen/genrec.c tests/gen/goturn.c,$(sort $(wildcard tests/gen/*.c)))
GEN := $(BUILD)/tests/genjob $(BUILD)/tests/genprof $(BUILD)/tests/genrec $(BUILD)/tests/goturn
TABLE_OBJECTS := $(filter-out $(BUILD)/cli/main.o,$(CLI_OBJECTS))

$(GEN): $(BUILD)/tests/%: tests/gen/%.c $(GEN_COMMON) tests/gen/*.h $(BUILD)/libmsprof.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(GEN_COMMON) $(BUILD)/libmsprof.a $(LIBS)

$(BUILD)/tests/test_%: tests/unit/test_%.c $(wildcard tests/unit/*.h) $(wildcard lib/*/*.h) $(BUILD)/libmsprof.a $(TABLE_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(filter %table.o %table_layout.o %term.o,$(TABLE_OBJECTS)) \
		$(BUILD)/libmsprof.a -lcmocka $(LIBS)

$(BUILD)/tests/board/%: tests/board/%.c $(BUILD)/libmsprof.a $(wildcard tests/board/*.h)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(BUILD)/libmsprof.a $(if $(filter test_%,$(*F)),-lcmocka) $(LIBS)

# Applications that record: with the shared library, and with the archive.
RECORD := $(BUILD)/tests/record $(BUILD)/tests/record-static $(BUILD)/tests/dlopen
$(BUILD)/tests/record: tests/recorder/record.c $(RECORDER).so
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Ilib/recorder/include $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< -L$(BUILD) -Wl,-rpath,'$$ORIGIN/..' -lmsprof_recorder -lpthread
$(BUILD)/tests/record-static: tests/recorder/record.c $(RECORDER).a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Ilib/recorder/include $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CJSON) -lpthread -lm
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
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) @$(BUILD)/msprof_wrap.rsp -o $@ $(filter %.c %wrap.a,$^) $(RECORDER).a $(CJSON) -lpthread -lm
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

.PHONY: check check-programs
check: deps-test
	$(MAKE) check-programs
	BUILD=$(abspath $(BUILD)) tests/run.sh $(UNIT_TESTS) $(RECORDER_TESTS) -- $(BATS)
check-programs: all $(UNIT_TESTS) $(GEN) $(BOARD_TOOLS) $(RECORD) $(STUBS) $(RECORDER_TESTS) $(RECORDER_APPS)

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

.PHONY: check-asan
check-asan:
	ASAN_OPTIONS=detect_stack_use_after_return=1 $(MAKE) check BUILD=$(BUILD)/asan CFLAGS='-O1 -g $(SANITIZE)' LDFLAGS='$(SANITIZE)'

# For a board's processor: `make CROSS=aarch64-linux-gnu-` builds, this runs the result under an emulator.
EMULATED := build/aarch64-linux-gnu/emulated
CROSS_TESTS := tests/cli/svp.bats tests/cli/summary.bats tests/cli/timeline.bats tests/recorder/job.bats tests/recorder/cnn.bats \
	tests/recorder/prof.bats tests/recorder/preload.bats
CROSS_PROGRAMS := $(BUILD)/tests/record $(BUILD)/tests/record-static $(BUILD)/tests/cnn \
	$(BUILD)/tests/stub/app $(BUILD)/tests/stub/app-svp $(BUILD)/tests/stub/app-linked $(BUILD)/tests/stub/opens \
	$(RECORDER_TESTS)

# Programs that record, and what they need; the rest of tests/ (generators) is this machine's.
.PHONY: check-cross check-cross-programs
check-cross-programs: all $(CROSS_PROGRAMS)
check-cross: deps-cross check-programs
	$(MAKE) CROSS=aarch64-linux-gnu- check-cross-programs
	tests/recorder/emulate.sh $(BUILD) build/aarch64-linux-gnu $(EMULATED)
	MSPROF_EMULATED=1 BUILD=$(abspath $(EMULATED)) tests/run.sh $(RECORDER_TESTS:$(BUILD)/%=$(EMULATED)/%) -- $(CROSS_TESTS)

# What threads share: the recorder's rings and names, the parts of a report that several write, tasks that are joined while others are stored.
.PHONY: check-tsan check-tsan-programs
check-tsan: deps-test
	TSAN_OPTIONS=halt_on_error=1 $(MAKE) check-tsan-programs BUILD=$(BUILD)/tsan CFLAGS='-O1 -g -fsanitize=thread' LDFLAGS=-fsanitize=thread
check-tsan-programs: $(BUILD)/tests/test_ordered $(BUILD)/tests/test_pump $(BUILD)/tests/test_stretches $(BUILD)/tests/test_ring $(BUILD)/tests/test_names $(BUILD)/tests/test_recorder $(BUILD)/tests/test_op_pipe $(RECORDER_TESTS) $(BUILD)/msprof $(BUILD)/tests/genprof
	BUILD=$(abspath $(BUILD)) tests/run.sh $(filter-out $(BUILD)/msprof $(BUILD)/tests/genprof,$^) -- tests/cli/prof_join.bats

.PHONY: check-long
check-long: deps-test
	$(MAKE) check-programs
	BUILD=$(abspath $(BUILD)) tests/run.sh -- tests/long

# ---------------------------------------------------------------- fuzzing

FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_SECONDS ?= 60
FUZZ_FLAGS := -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all

$(BUILD)/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(LIB_SOURCES) $(BUILD)/schema.c
	@mkdir -p $(@D)
	clang $(CPPFLAGS) -std=c11 $(WARNINGS) $(FUZZ_FLAGS) -o $@ $< $(LIB_SOURCES) $(BUILD)/schema.c $(LIBS)

.PHONY: fuzz
fuzz: $(FUZZERS)
	set -e; for f in $(FUZZERS); do corpus=$(abspath $(BUILD))/fuzz/corpus/$${f##*/}; mkdir -p $$corpus; \
		seeds=tests/fuzz/seeds/$${f##*/}; [ -d $$seeds ] || seeds=; \
		(cd $(BUILD)/fuzz && $(abspath $(BUILD))/fuzz/$${f##*/} -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=1024 \
			-print_final_stats=0 -verbosity=0 $$corpus $${seeds:+$(abspath .)/$$seeds}); done

# ---------------------------------------------------------------- lint, bench, install

.PHONY: lint
lint:
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

# $(1): the library; $(2): what it is; $(3): what it stands on; $(4): what a static link needs more
define install_pc
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' -e 's|@NAME@|$(1)|' -e 's|@WHAT@|$(2)|' -e 's|@REQUIRES@|$(3)|' \
		-e 's|@PRIVATE@|$(4)|' lib/recorder/msprof.pc.in >$(DESTDIR)$(PREFIX)/lib/pkgconfig/$(1).pc
	chmod 0644 $(DESTDIR)$(PREFIX)/lib/pkgconfig/$(1).pc
endef

.PHONY: install
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 \
		$(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/lib/pkgconfig \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/doc/msprof
	install -m 0755 $(BUILD)/msprof $(DESTDIR)$(PREFIX)/bin/msprof
	install -m 0644 msprof.1 $(DESTDIR)$(PREFIX)/share/man/man1/msprof.1
	install -m 0644 cli/board.ini $(DESTDIR)$(PREFIX)/share/doc/msprof/board.ini
	install -m 0644 cli/msprof.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/msprof
	install -m 0644 lib/recorder/include/msprof_recorder.h $(DESTDIR)$(PREFIX)/include/msprof_recorder.h
	install -m 0644 $(RECORDER).a $(DESTDIR)$(PREFIX)/lib/libmsprof_recorder.a
	install -m 0755 $(RECORDER).so.$(RECORDER_ABI) $(DESTDIR)$(PREFIX)/lib/
	ln -sf libmsprof_recorder.so.$(RECORDER_ABI) $(DESTDIR)$(PREFIX)/lib/libmsprof_recorder.so
	for face in $(notdir $(FACES)); do \
		install -m 0755 $(BUILD)/$$face.$(RECORDER_ABI) $(DESTDIR)$(PREFIX)/lib/ && \
		ln -sf $$face.$(RECORDER_ABI) $(DESTDIR)$(PREFIX)/lib/$$face || exit 1; done
	install -d $(DESTDIR)$(PREFIX)/include/acl
	install -m 0644 lib/recorder/include/acl/*.h $(DESTDIR)$(PREFIX)/include/acl/
	install -m 0644 $(BUILD)/libmsprof_preload.so $(BUILD)/libmsprof_wrap.a $(BUILD)/msprof_wrap.rsp $(DESTDIR)$(PREFIX)/lib/
	install -d $(DESTDIR)$(PREFIX)/share/msprof/python
	install -m 0644 lib/recorder/python/msprof_acl.py $(DESTDIR)$(PREFIX)/share/msprof/python/msprof_acl.py
	$(call install_pc,msprof_recorder,record what an application does for msprof to read,,-lcjson -lpthread -lm)
	$(call install_pc,msprof_aclprof,the aclprof calls over msprof_recorder,msprof_recorder,)
	$(call install_pc,msprof_svp,the svp_acl_prof calls over msprof_recorder,msprof_recorder,)

.PHONY: clean
clean:
	rm -rf $(BUILD)
