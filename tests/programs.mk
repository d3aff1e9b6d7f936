# programs.mk: the programs that tests run, and the tests of each change. The Makefile includes it.

UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(filter-out $(if $(WITHOUT_LEARN),$(shell grep -lE '"(learn/|reference_support)' tests/unit/*.c)),\
	$(sort $(wildcard tests/unit/test_*.c))))
BOARD_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/board/test_*.c)))
BOARD_TOOLS := $(BUILD)/tests/board/boardsh $(BUILD)/tests/board/xfer $(BUILD)/tests/board/proxy
GEN := $(BUILD)/tests/genjob $(BUILD)/tests/genprof $(BUILD)/tests/genrec $(BUILD)/tests/goturn
GEN_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard tests/gen/*.c)))
GEN_COMMON := $(filter-out $(patsubst $(BUILD)/tests/%,$(BUILD)/tests/gen/%.o,$(GEN)),$(GEN_OBJECTS))
TABLE_OBJECTS := $(addprefix $(BUILD)/cli/,table.o table_layout.o table_text.o terminal.o charset.o)

# $(1): libraries. Their objects are compiled as those of the product are, so a change of the library links them anew and no more.
link_test = $(call say,LINK)$(CC) $(PIE) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(1) $(LIBS)

$(GEN): $(BUILD)/tests/%: $(BUILD)/tests/gen/%.o $(GEN_COMMON) $(BUILD)/libmsprof.a
	$(call link_test)

$(UNIT_TESTS): $(BUILD)/tests/%: $(BUILD)/tests/unit/%.o $(TABLE_OBJECTS) $(BUILD)/libmsprof.a
	$(call link_test,-lcmocka)

$(BOARD_TESTS): %: %.o $(BUILD)/libmsprof.a
	$(call link_test,-lcmocka)

$(BOARD_TOOLS): %: %.o $(BUILD)/libmsprof.a
	$(call link_test)

# The fuzz targets without a fuzzer, over their seeds: where a sanitizer watches.
REPLAYS := $(if $(findstring -fsanitize=address,$(CFLAGS)),$(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/fuzz/fuzz_*.c))))
FUZZ_SEEDS := -DFUZZ_SEEDS='"$(abspath tests/fuzz/seeds)"'
$(BUILD)/tests/fuzz/%.o: CPPFLAGS += $(FUZZ_SEEDS)
$(REPLAYS): %: %.o $(BUILD)/tests/fuzz/replay.o $(BUILD)/libmsprof.a
	$(call link_test)

-include $(REPLAYS:=.d) $(GEN_OBJECTS:.o=.d) $(UNIT_TESTS:$(BUILD)/tests/%=$(BUILD)/tests/unit/%.d) $(addsuffix .d,$(BOARD_TESTS) $(BOARD_TOOLS))

# Applications that record: with the shared library, and with the archive.
RECORD := $(BUILD)/tests/record $(BUILD)/tests/record-static $(BUILD)/tests/dlopen
$(BUILD)/tests/record: tests/recorder/record.c $(RECORDER).so
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CPPFLAGS) -Ilib/recorder/include $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< -L$(BUILD) -Wl,-rpath,'$$ORIGIN/..' -lmsprof_recorder -lpthread
$(BUILD)/tests/record-static: tests/recorder/record.c $(RECORDER).a
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CPPFLAGS) -Ilib/recorder/include $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ -lpthread -lm
$(BUILD)/tests/dlopen: tests/recorder/dlopen.c $(RECORDER).so
	$(call say,LINK)$(CC) $(CPPFLAGS) -Ilib/recorder/include $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< -ldl

# A real network on this processor; and an application of the vendor's library, of which a stub is there.
STUBS := $(BUILD)/tests/cnn $(BUILD)/tests/stub/app $(BUILD)/tests/stub/app-svp $(BUILD)/tests/stub/app-linked $(BUILD)/tests/stub/opens
$(BUILD)/tests/cnn: tests/recorder/cnn.c $(RECORDER).so
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CPPFLAGS) -Ilib/recorder/include $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< -L$(BUILD) -Wl,-rpath,'$$ORIGIN/..' -lmsprof_recorder
$(BUILD)/tests/stub/libascendcl.so: tests/recorder/stub_acl.c | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -fPIC -shared -Wl,-soname,$(@F) -o $@ $<
$(BUILD)/tests/stub/app: tests/recorder/stub_app.c $(BUILD)/tests/stub/libascendcl.so
	$(call say,LINK)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< -L$(@D) -Wl,-rpath,'$$ORIGIN' -lascendcl -lpthread
$(BUILD)/tests/stub/app-svp: tests/recorder/stub_app.c $(BUILD)/tests/stub/libascendcl.so
	$(call say,LINK)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -DSTUB_SVP -o $@ $< -L$(@D) -Wl,-rpath,'$$ORIGIN' -lascendcl -lpthread
$(BUILD)/tests/stub/app-linked: tests/recorder/stub_app.c tests/recorder/stub_acl.c $(BUILD)/libmsprof_wrap.a $(BUILD)/msprof_wrap.rsp $(RECORDER).a
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) @$(BUILD)/msprof_wrap.rsp -o $@ $(filter %.c %wrap.a,$^) $(RECORDER).a -lpthread -lm
$(BUILD)/tests/stub/opens: tests/recorder/stub_opens.c $(BUILD)/tests/stub/libascendcl.so
	$(call say,LINK)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< -ldl

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
	$$(call say,LINK)$$(CC) $$(CPPFLAGS) -Ilib/recorder/include -DFAMILY_$(if $(filter svp,$(1)),SVP,ACL) $$(ALL_CFLAGS) $$(LDFLAGS) -o $$@ $$< \
		tests/recorder/sequence.c -L$(BUILD) -Wl,-rpath,'$$$$ORIGIN/../..' -lmsprof_$(FAMILY_LIB_$(1)) -lmsprof_recorder \
		$$(if $$(filter test_%,$$(*F)),-lcmocka) -lpthread

$(BUILD)/tests/$(1)/documented: tests/recorder/documented_$(1).c $(FACES)
	@mkdir -p $$(@D)
	$$(call say,LINK)$$(CC) -Ilib/recorder/include $$(ALL_CFLAGS) $$(LDFLAGS) -o $$@ $$< -L$(BUILD) -Wl,-rpath,'$$$$ORIGIN/../..' \
		-Wl,-rpath-link,$(BUILD) -lmsprof_$(FAMILY_LIB_$(1)) -lpthread
endef
$(foreach f,$(FAMILIES),$(eval $(call family_rules,$(f))))

# The tests of commands: all of them, or BATS=... for some.
BATS ?= tests/cli tests/recorder

# The inner loop: every program, and of the tests of commands quick files that touch each area: the house itself, the three
# families of data, a collection, the recorder. What waits, kills, harms or needs servers is left to `make check`. Less than a
# minute of a processor: each file tells what it took.
FAST_BATS := $(patsubst %,tests/cli/%.bats,structure docs compat titles import check summary timeline ascend2022 prof prof_join \
	collect_many collect_space) $(patsubst %,tests/recorder/%.bats,job prof)

.PHONY: check check-fast check-programs
check: deps-test
	$(MAKE) -j$$(nproc) check-programs
	BUILD=$(abspath $(BUILD)) tests/run.sh $(UNIT_TESTS) $(BOARD_TESTS) $(RECORDER_TESTS) $(REPLAYS) -- $(BATS)
check-fast:
	$(MAKE) -j$$(nproc) check-programs
	BUILD=$(abspath $(BUILD)) tests/run.sh $(UNIT_TESTS) $(BOARD_TESTS) $(RECORDER_TESTS) -- $(FAST_BATS)
check-programs: all $(UNIT_TESTS) $(BOARD_TESTS) $(GEN) $(BOARD_TOOLS) $(RECORD) $(STUBS) $(RECORDER_TESTS) $(RECORDER_APPS) $(REPLAYS)
