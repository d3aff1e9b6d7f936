# checks.mk: judgements and long checks, of which `make check` has none. The Makefile includes it.

# Are wrong numbers shown without a word? Near misses of jobs of boards, of PROF directories, and of JOBs of 2022 and before, by kind: docs/STANDING.md.
JUDGE := PYTHONDONTWRITEBYTECODE=1 python3
JUDGED := --seeds 25 --good 300
.PHONY: judge
judge:
	$(MAKE) $(BUILD)/msprof $(BUILD)/tests/genjob $(BUILD)/tests/genprof
	$(JUDGE) tests/svp/nearmiss.py $(BUILD)/msprof $(BUILD)/tests/genjob $(JUDGED)
	$(JUDGE) tests/prof/nearmiss.py $(BUILD)/msprof $(BUILD)/tests/genprof $(JUDGED)
	$(JUDGE) tests/ascend/nearmiss_2022.py $(BUILD)/msprof $(JUDGED)
	$(JUDGE) tests/ascend/nearmiss_910.py $(BUILD)/msprof $(JUDGED)

# The tests that mount something, where nothing can be mounted: they skip, and touch nothing.
.PHONY: check-refused
check-refused: deps-test
	$(MAKE) -j$$(nproc) check-programs
	BUILD=$(abspath $(BUILD)) PATH="$(abspath tests/refused):$$PATH" tests/run.sh -- $(shell grep -rlE --include='*.bats' '(needs|private)_mounts' tests/cli tests/recorder)

# The titles of all reports, for tests/cli/titles.bats; the difference shows what users and scripts will see.
.PHONY: bless
bless:
	python3 tests/cli/helpers/schema_titles.py >tests/data/titles.txt

# The columns of characters on a terminal, by Python's Unicode, for cli/table_layout.c and tests/cli/widths.bats.
.PHONY: bless-widths
bless-widths:
	python3 cli/table_widths.py >cli/table_widths.h

# The tables and columns of databases, of the comments in schema/sql, for readers and tests/cli/docs.bats.
.PHONY: bless-schema
bless-schema:
	python3 tests/cli/helpers/schema_columns.py >docs/COLUMNS.md

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

# Do public readers find the same in our exports and in those that the vendor's tool recorded of the same data? READERS=DIR has their sources.
.PHONY: check-readers
check-readers: all $(BUILD)/tests/genrec
	PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/readers/readers.py $(BUILD)/msprof $(REFERENCE)/data

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

# Do the tables of wrapped functions say what the vendor's public headers in HEADERS declare? The headers are not part of the sources.
.PHONY: check-headers
check-headers:
	@: $(or $(HEADERS),$(error HEADERS=DIR is missing: where the vendor's headers are))
	@mkdir -p $(BUILD)/tests/headers
	cd $(BUILD)/tests/headers && PYTHONDONTWRITEBYTECODE=1 python3 $(abspath tests/recorder/conform.py) headers $(abspath $(HEADERS)) $(abspath $(WRAPPED)) && \
		$(CXX) -w -I$(abspath $(HEADERS)) -o compare headers.cpp && ./compare

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

# What threads share: the recorder's rings and names, the parts of a report that several write, pieces of a compressed file, tasks that are joined while others are stored.
.PHONY: check-tsan check-tsan-programs
check-tsan: deps-test
	TSAN_OPTIONS='halt_on_error=1 die_after_fork=0 suppressions=$(abspath tests/recorder/tsan.txt)' $(MAKE) check-tsan-programs BUILD=$(BUILD)/tsan CFLAGS='-O1 -g -fsanitize=thread' LDFLAGS=-fsanitize=thread
check-tsan-programs: $(BUILD)/tests/test_ordered $(BUILD)/tests/test_split_rows $(BUILD)/tests/test_gzip $(BUILD)/tests/test_bundles $(BUILD)/tests/test_ring $(BUILD)/tests/test_names $(BUILD)/tests/test_recorder $(BUILD)/tests/test_op_pipe $(RECORDER_TESTS) $(BUILD)/msprof $(BUILD)/tests/genprof
	BUILD=$(abspath $(BUILD)) tests/run.sh $(filter-out $(BUILD)/msprof $(BUILD)/tests/genprof,$^) -- tests/cli/prof_join.bats

# The recorder's memory: programs that record under valgrind, where there is one: `make deps`.
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

# `msprof mcp` with the protocol's own clients, from npm.
.PHONY: check-mcp
check-mcp:
	$(MAKE) $(BUILD)/msprof $(BUILD)/tests/genjob
	tests/agents/check.sh $(BUILD)

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
	clang $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

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

# ---------------------------------------------------------------- bench

BENCH_PROGRAMS := $(BUILD)/tests/bare $(BUILD)/tests/recorder-bench $(BUILD)/tests/bench/preload
$(BUILD)/tests/bench/libascendcl.so: tests/bench/instant.c | $(BUILD)/.msprof-build
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -fPIC -shared -Wl,-soname,$(@F) -o $@ $<
$(BUILD)/tests/bench/preload: tests/bench/preload.c $(BUILD)/tests/bench/libascendcl.so $(BUILD)/libmsprof_preload.so
	$(call say,LINK)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< -L$(@D) -Wl,-rpath,'$$ORIGIN' -lascendcl
$(BUILD)/tests/recorder-bench: tests/bench/recorder.c $(RECORDER).so
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CPPFLAGS) -Ilib/recorder/include $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< -L$(BUILD) -Wl,-rpath,'$$ORIGIN/..' -lmsprof_recorder -lpthread
$(BUILD)/tests/bare: tests/bench/bare.c $(BUILD)/libmsprof.a
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

.PHONY: bench bench-collect
bench: $(BUILD)/msprof $(GEN) $(BENCH_PROGRAMS)
	BUILD=$(abspath $(BUILD)) tests/bench/bench.sh
	BUILD=$(abspath $(BUILD)) tests/bench/recorder.sh
	BUILD=$(abspath $(BUILD)) tests/bench/peers.sh
	$(MAKE) bench-collect
bench-collect: $(BOARD_TOOLS) $(BENCH_PROGRAMS)
	BUILD=$(abspath $(BUILD)) tests/bench/collect.sh
