# static.mk: one static program, which needs no file beside it: for a board, or for any Linux. docs/BOARD.md is the walk-through.
# The Makefile includes it.

STATIC := $(BUILD)/static$(if $(WITHOUT_SSH),-local)
TRIPLET := $(if $(CROSS),$(CROSS:-=),$(shell $(CC) -dumpmachine 2>/dev/null))
ARCHITECTURE := $(subst aarch64-linux-gnu,arm64,$(subst arm-linux-gnueabihf,armhf,$(subst x86_64-linux-gnu,amd64,$(TRIPLET))))
SYSROOT := build/sysroot/$(TRIPLET)
# Functions that nobody calls are left out, and what debuggers and C++ unwind.
STATIC_CFLAGS ?= -Os -fno-PIE -ffunction-sections -fdata-sections -fno-unwind-tables -fno-asynchronous-unwind-tables

.PHONY: static sysroot deps-static
# its packages beside those of every build: a compiler for the processor
deps-static: deps-build
	$(call install_packages,$(if $(CROSS),gcc-$(TRIPLET) libc6-dev-$(ARCHITECTURE)-cross))

sysroot: $(SYSROOT)/.complete
$(SYSROOT)/.complete: cli/sysroot.sh | $(BUILD)/.msprof-build
	CC='$(CC)' OBJCOPY=$(CROSS)objcopy cli/sysroot.sh $(ARCHITECTURE) $(SYSROOT)
	touch $@

static: $(SYSROOT)/.complete
	CPPFLAGS='-isystem $(SYSROOT)/usr/include -isystem $(SYSROOT)/usr/include/$(TRIPLET)' CFLAGS='$(STATIC_CFLAGS)' \
		LDFLAGS='-static -s -no-pie -Wl,--gc-sections -Wl,-z,max-page-size=4096 -L$(SYSROOT)' \
		STATIC_LIBS='$(if $(WITHOUT_SSH),,-lcrypto) -lnettle' $(MAKE) BUILD=$(STATIC) $(STATIC)/msprof
