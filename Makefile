# msprof: build, test, install. Every path below build/ is generated.

VERSION := 0.1.0
CROSS ?=
PREFIX ?= /usr/local
DESTDIR ?=
BUILD ?= build

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
LIBS := -lsqlite3 -lcjson -lm

# The one place that names packages.
PACKAGES := gcc make libc6-dev libsqlite3-dev libcjson-dev
TEST_PACKAGES := libcmocka-dev bats sqlite3 jq python3-minimal mandoc
LINT_PACKAGES := clang clang-format clang-tidy cppcheck shellcheck libclang-rt-14-dev

LIB_SOURCES := $(sort $(wildcard lib/base/*.c lib/raw/*.c lib/store/*.c lib/report/*.c))
CLI_SOURCES := $(sort $(wildcard cli/*.c))
SCHEMA := $(sort $(wildcard schema/records/*.rec schema/sql/*.sql schema/reports/*/*.sql))
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/schema.o
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(BUILD)/%.o)

.PHONY: all
all: $(BUILD)/msprof

$(BUILD)/msprof: $(CLI_OBJECTS) $(BUILD)/libmsprof.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/libmsprof.a: $(LIB_OBJECTS)
	rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/schema.c: schema/embed.sh $(SCHEMA)
	@mkdir -p $(@D)
	schema/embed.sh >$@.tmp
	mv $@.tmp $@

$(BUILD)/schema.o: $(BUILD)/schema.c
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

-include $(LIB_OBJECTS:.o=.d) $(CLI_OBJECTS:.o=.d)

.PHONY: clean
clean:
	rm -rf $(BUILD)
