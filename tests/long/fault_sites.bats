#!/usr/bin/env bats
# fault_sites.bats: memory that is short, and calls of the system that fail, once, from each place of the program:
# commands that read jobs and write what they make of them.

load ../cli/helpers
load ../fault/sites

setup_file() {
	[ -z "${ASAN_OPTIONS-}" ] || skip_file "the sanitizer brings its own allocator" || return 0
	sites_setup
	cd "$BATS_FILE_TMPDIR" || return
	raw_sample raw
	cp -rp raw parsed
	"$MSPROF" import -q -dir parsed
	"$BUILD/tests/genprof" --out prof_raw --tasks 60 --samples >/dev/null
	cp -rp prof_raw prof_parsed
	"$MSPROF" import -q -dir prof_parsed
	cp -rp parsed gone
	discard "$PWD/gone/data"
	mkdir pair ranks
	cp -rp parsed pair/JOBA
	python3 "$HELPERS/diff_job.py" pair/JOBB 1 b slow:conv3:1.2 drop:conv1
	cp -rp prof_raw ranks/base
	"$MSPROF" import -q -dir ranks/base
	python3 "$HELPERS/planted_ranks.py" ranks 1 3 straggler link >/dev/null
	discard "$PWD/ranks/base"
}

setup() {
	skip_skipped
	cd "$BATS_FILE_TMPDIR" || return
}

@test "import of both families" {
	each_site raw import -dir .
	each_site prof_raw import -dir .
	each_site gone import -dir .
}

@test "show, check and query" {
	each_site parsed show -dir .
	each_site parsed show -dir . --format json
	each_site raw check -dir . --format csv --table Files
	each_site raw query -dir .
	each_site prof_parsed show -dir . --format json
	each_site prof_parsed check -dir .
}

@test "exports" {
	each_site parsed export timeline -dir .
	each_site parsed export summary -dir . --format json
	each_site parsed export stacks -dir .
	each_site prof_parsed export timeline -dir .
	each_site prof_parsed export timeline -dir . --format json.gz
	each_site prof_parsed export timeline -dir . --format perfetto
	each_site parsed export timeline -dir . --format perfetto
	each_site prof_parsed export summary -dir .
	each_site prof_parsed export db -dir .
	each_site prof_parsed analyze -dir .
}

@test "advise, diff and report" {
	each_site parsed advise -dir .
	each_site prof_parsed advise -dir . --format json
	each_site pair diff -q JOBA JOBB
	each_site pair diff -q JOBA JOBB --format json --fail-if 'total > 50%' --junit junit.xml
	each_site pair diff --save base.txt -dir JOBA
	each_site pair report -dir JOBB --base JOBA -o report.html
	each_site prof_parsed report -dir . -o report.html
}

@test "ranks of a training" {
	each_site prof_parsed aggregate -dir . -o one.json
	each_site ranks export timeline -q -dir .
	each_site ranks cluster .
}

@test "acl.json" {
	mkdir -p empty
	each_site empty acljson --make profiler --output .
	each_site empty acljson --make dump --model m --output .
	each_site empty acljson --help
}
