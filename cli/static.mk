# static.mk: one static program, which needs no file beside it: for a board, or for any Linux. docs/BOARD.md is the walk-through.
# The Makefile includes it.

STATIC := $(BUILD)/static$(if $(WITHOUT_SSH),-local)
TRIPLET := $(if $(CROSS),$(CROSS:-=),$(shell $(CC) -dumpmachine 2>/dev/null))
ARCHITECTURE := $(subst aarch64-linux-gnu,arm64,$(subst arm-linux-gnueabihf,armhf,$(subst x86_64-linux-gnu,amd64,$(TRIPLET))))
SYSROOT := $(NATIVE)/sysroot/$(TRIPLET)
SYSROOT_CPPFLAGS := -isystem $(SYSROOT)/usr/include -isystem $(SYSROOT)/usr/include/$(TRIPLET)
# Functions that nobody calls are left out, and what debuggers and C++ unwind.
STATIC_CFLAGS ?= -Os -fno-PIE -ffunction-sections -fdata-sections -fno-unwind-tables -fno-asynchronous-unwind-tables
MAKE_STATIC = CPPFLAGS='$(SYSROOT_CPPFLAGS)' CFLAGS='$(STATIC_CFLAGS)' STATIC_PROGRAM=1 \
	LDFLAGS='-static -s -no-pie -Wl,--gc-sections -Wl,-z,max-page-size=4096 -L$(SYSROOT)/static' \
	MORE_LIBS='$(if $(WITHOUT_SSH),,-lcrypto) -lnettle' $(MAKE) BUILD=$(STATIC) SOURCE=$(SOURCE)

.PHONY: static sysroot deps-static
# its packages beside those of every build: a compiler for the processor
deps-static: deps-build
	$(call install_packages,$(if $(CROSS),gcc-$(TRIPLET) libc6-dev-$(ARCHITECTURE)-cross))

sysroot: $(SYSROOT)/.complete
$(SYSROOT)/.complete: cli/sysroot.sh | $(BUILD)/.msprof-build
	CC='$(CC)' OBJCOPY=$(CROSS)objcopy cli/sysroot.sh $(ARCHITECTURE) $(SYSROOT)
	touch $@

static: $(SYSROOT)/.complete $(SOURCE)/cjson/cJSON.c
	+$(MAKE_STATIC) $(STATIC)/msprof

# The same for a test, with the clock of a board that has none: it begins in 1970 when the board starts.
$(BUILD)/msprof-1970: $(BUILD)/tests/cross/clock.o
$(BUILD)/msprof-1970: ALL_LDFLAGS += -Wl,--wrap=time,--wrap=clock_gettime,--wrap=gettimeofday

# The programs for boards under an emulator, and this processor's as a board would have it.
CROSSES := aarch64-linux-gnu- arm-linux-gnueabihf-
# All tests of commands and of the recorder, but for files that only compile programs or read the sources and the build, and those of learn,
# which programs of 32 bits do not have.
CROSS_TESTS := $(filter-out $(if $(NARROW),tests/cli/learn%) $(patsubst %,tests/cli/%.bats,compat docs hardened interrupt sandbox scratch structure) \
	$(patsubst %,tests/recorder/%.bats,clients crash install python versions),$(sort $(wildcard tests/cli/*.bats tests/recorder/*.bats)))
CROSS_PROGRAMS := $(RECORD) $(STUBS) $(RECORDER_APPS) $(RECORDER_TESTS) $(UNIT_TESTS)
# The emulator's option for this (-L) changes what programs see of paths with a slash at the end.
CROSS_LOADER = -Wl,--disable-new-dtags -Wl,--dynamic-linker=$(firstword $(wildcard /usr/$(TRIPLET)/lib/ld-linux*)) \
	-Wl,-rpath,/usr/$(TRIPLET)/lib:$(abspath $(SYSROOT))/usr/lib/$(TRIPLET)
EMULATED := $(BUILD)/emulated

.PHONY: check-cross check-board check-arm check-one-cross check-cross-programs
check-cross: deps-cross check-programs
	set -e; for cross in $(CROSSES); do build="CROSS=$$cross BUILD=$(BUILD)/$${cross%-}"; \
		$(MAKE) static $$build WITH_SSH=0; $(MAKE) static $$build; $(MAKE) check-one-cross $$build WITH_SSH=0; done
	$(MAKE) check-board
check-board: deps-test
	$(MAKE) static WITH_SSH=0
	$(MAKE) WITH_SSH=0 board-program
	$(MAKE) $(BUILD)/msprof $(BUILD)/tests/genjob
	BUILD=$(abspath $(BUILD)) tests/run.sh -- tests/cross
# The main job alone, on each processor.
check-arm: deps-cross
	set -e; for cross in $(CROSSES); do \
		$(MAKE) -j$$(nproc) static CROSS=$$cross BUILD=$(BUILD)/$${cross%-} WITH_SSH=0; done
	$(MAKE) -j$$(nproc) $(BUILD)/msprof $(BUILD)/tests/genjob
	BUILD=$(abspath $(BUILD)) tests/run.sh -- tests/cross/arm.bats
.PHONY: board-program
board-program: $(SOURCE)/cjson/cJSON.c
	+$(MAKE_STATIC) $(STATIC)/msprof-1970
# Programs that record, and what they need, and the unit tests; generators are this machine's.
check-cross-programs: recorder $(CROSS_PROGRAMS)
check-one-cross:
	CPPFLAGS='$(SYSROOT_CPPFLAGS)' CFLAGS='-O1' LDFLAGS='-L$(SYSROOT)/usr/lib/$(TRIPLET) $(CROSS_LOADER)' \
		MORE_LIBS=-lnettle $(MAKE) check-cross-programs
	cp $(BUILD)/static/msprof $(BUILD)/msprof
	tests/recorder/emulate.sh $(NATIVE) $(BUILD) $(EMULATED) qemu-$(firstword $(subst -, ,$(TRIPLET)))
	MSPROF_EMULATED=1 BUILD=$(abspath $(EMULATED)) tests/run.sh $(patsubst $(BUILD)/%,$(EMULATED)/%,$(RECORDER_TESTS) $(UNIT_TESTS)) -- $(CROSS_TESTS)
