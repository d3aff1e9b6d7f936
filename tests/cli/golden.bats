#!/usr/bin/env bats
# golden.bats: the JSON documents of each schema have what those of the version that brought it have: docs/STABILITY.md.

load helpers
load helpers/cluster

# What the documents are of; the same bytes each time.
setup_file() {
	umask 0027
	cd "$BATS_FILE_TMPDIR" || return
	mkdir work golden
	tar -xzf "$ROOT/tests/data/promises/documents_0.9.tar.gz" -C golden
	BATS_TEST_TMPDIR=$PWD/work fresh_job
	mv "$JOB" work/JOB
	"$BUILD/tests/genprof" --out work/PROF --samples >/dev/null
	BATS_TEST_TMPDIR=$PWD/work base
	planted 1 3 straggler
	cd .. || return
	python3 "$BATS_TEST_DIRNAME/../gen/learn.py" --plain --seed 5 --out board
	mv board/JOB* work/BOARD
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
}

compare() {
	python3 "$HELPERS/golden.py" "$MSPROF" work compare "$1"
}

@test "documents have the members of the first document of their schema, of the same type and unit" {
	equal "$(find golden -name '*.json' | wc -l)" 14
	equal "$(cat golden/*.json | grep -oE '"msprof\.[a-z]+/[0-9]+"' | sort -u | wc -l)" 10
	equal "$(compare golden)" ''
}

@test "a member that is missing, of another type or in another unit is found" {
	cp -r golden changed
	sed -i 's/"Min(us)"/"Least(us)"/' changed/show.JOB.json
	sed -i 's/"table": "Notes"/"table": "Remarks"/' changed/check.JOB.json
	sed -i 's/"Model ID": 46/"Model ID": "46"/' changed/query.JOB.json
	sed -i 's/"Time(us)": 20507.43/"Time(us)": 20.50743/; s,query/1,query/2,' changed/query.JOB.json
	equal "$(compare changed | sort)" "check.JOB.tables[] Remarks: missing
query.JOB.schema: msprof.query/2, now msprof.query/1
query.JOB.tables[].rows[].Model ID: str, now number
query.JOB.tables[].rows[].Time(us): 20.50743, now 20507.43
show.JOB.tables[].rows[].Least(us): missing"
}

@test "a baseline and an aggregate of version 0.9 are read" {
	expect 0 diff -q golden/baseline.json work/JOB
	mkdir ranks && cp golden/aggregate.json ranks
	expect 0 cluster -q -dir ranks
}
