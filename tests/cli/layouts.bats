#!/usr/bin/env bats
# layouts.bats: --layouts changes the meaning of bytes, without a compiler.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup() {
	fresh_job
	LAYOUTS=$BATS_TEST_TMPDIR/layouts
	mkdir "$LAYOUTS"
	cp "$ROOT"/schema/records/svp.rec "$LAYOUTS/"
	REC=$LAYOUTS/svp.rec
}

line_of() {
	grep -n -m1 -- "$1" "$REC" | cut -d: -f1
}

@test "an unchanged copy changes nothing" {
	expect 0 export summary -dir "$JOB"
	before=$(cd "$JOB/summary" && sha256sum ./*)
	expect 0 export summary -dir "$JOB" --layouts "$LAYOUTS"
	equal "$(cd "$JOB/summary" && sha256sum ./*)" "$before"
}

@test "fields at other offsets are decoded there, and the earlier database is stale" {
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT sum(mac_busy) > sum(wld), count(*) FROM aicore_task')" "1|48"
	was=$(query 'SELECT sum(mac_busy), sum(wld) FROM aicore_task')
	sed -i '/mac_busy/s/@32/@88/; / wld /s/@88/@32/' "$REC"
	expect 0 export summary -dir "$JOB" --layouts "$LAYOUTS"
	equal "$(query 'SELECT sum(wld), sum(mac_busy) FROM aicore_task')" "$was"
	expect 0 show -dir "$JOB" # without the option the built-in layouts count again
	equal "$(query 'SELECT sum(mac_busy), sum(wld) FROM aicore_task')" "$was"
}

@test "records encoded by another layout are decoded by it, with the same reports" {
	generate --seed 6
	expect 0 export summary -dir "$JOB"
	before=$(cd "$JOB/summary" && sha256sum ./*)
	# big endian, another magic, longer records, fields in another order
	python3 - "$REC" <<-'END'
		import re, sys
		text = open(sys.argv[1]).read()
		head, core, rest = re.split(r"(?=^record svp\.aic)", text, flags=re.M)[:3]
		tail = rest
		core = core.replace("size     128", "size     136\n  endian   big").replace("0x5a5a", "0xbeef")
		core = core.replace("mac_busy         u64 @32", "mac_busy         u64 @128").replace("  pad      8 @120", "  pad      8 @120\n  pad      8 @32")
		others = text[len(head) + len(re.split(r"(?=^record svp\.aic)", text, flags=re.M)[1]):]
		open(sys.argv[1], "w").write(head + core + others)
	END
	discard "$JOB"
	"$BUILD/tests/genjob" --layouts "$LAYOUTS" --out "$JOB" --seed 6
	equal "$(stat -c %s "$JOB/data/aicore.0.resnet50.46.1.1.0")" $((24 * 136))
	expect 3 import -dir "$JOB" # by the built-in layout it is damage
	expect 0 export summary -dir "$JOB" --layouts "$LAYOUTS"
	equal "$(cd "$JOB/summary" && sha256sum ./*)" "$before"
}

@test "a layout that is called verified is shown as verified, the others are not" {
	expect 0 check -dir "$JOB"
	has "$output" "no: unverified on hardware"
	sed -i 's/^record svp.aicore v1 unverified/record svp.aicore v2 verified/' "$REC"
	expect 0 check -dir "$JOB" --layouts "$LAYOUTS" --format json
	equal "$(jq -r '.tables[0].rows[] | select(.Layout == "svp.aicore v2") | .Verified' <<<"$output" | sort -u)" "yes: real data"
	equal "$(jq -r '.tables[0].rows[] | select(.Layout == "svp.aicpu v1") | .Verified' <<<"$output" | sort -u)" \
		"no: unverified on hardware"
}

@test "one layout in a file of its own replaces the built-in one of that name only" {
	sed -n '/^record svp.aicpu/,/^$/p' "$REC" >"$LAYOUTS/mine.rec"
	rm "$REC"
	sed -i 's/aicpu\.{device_id/mycpu.{device_id/' "$LAYOUTS/mine.rec"
	mv "$JOB/data/aicpu.0.resnet50.46.1.1.0" "$JOB/data/mycpu.0.resnet50.46.1.1.0"
	rm "$JOB"/data/*.done
	run --separate-stderr "$MSPROF" import -dir "$JOB" --layouts "$LAYOUTS"
	equal "$(query 'SELECT count(*) FROM aicpu_task')" 3
	equal "$(query 'SELECT count(*) FROM aicore_task')" 48
}

@test "a directory that is missing, empty or a file is an error that names it" {
	mkdir "$BATS_TEST_TMPDIR/none"
	for dir in "$BATS_TEST_TMPDIR/nosuch" "$BATS_TEST_TMPDIR/none" "$REC"; do
		expect 1 import -dir "$JOB" --layouts "$dir"
		has "$stderr" "msprof: error:" "$dir"
	done
	[ ! -e "$JOB/sqlite" ]
}

@test "errors name file and line" {
	cp "$REC" "$BATS_TEST_TMPDIR/good.rec"
	while IFS='|' read -r edit at; do
		cp "$BATS_TEST_TMPDIR/good.rec" "$REC"
		sed -i "$edit" "$REC"
		expect 1 check -dir "$JOB" --layouts "$LAYOUTS"
		has "$stderr" "msprof: error: "
		[[ $stderr =~ svp\.rec:([0-9]+) ]] || fail "no line in '$stderr' after $edit"
		if [ "$at" != any ]; then equal "$edit: ${BASH_REMATCH[1]}" "$edit: $(line_of "$at")"; fi
	done <<-'END'
		/mac_ppen /s/u64/u65/|u65
		/mac_ppen /s/@40/@x/|@x
		/mac_ppen /s/field/feild/|feild
		/mac_ppen /s/@40/@36/|any
		/mac_ppen /s/@40/@4000/|any
		/ pad      4 @12/d|any
		0,/size     128/s//size     64/|any
		0,/size     128/s//size     0/|any
		0,/== 0x5a5a/s//== /|== $
		0,/start_ns start_tick/s//start_ns nosuch/|start_ns nosuch
		0,/unit=tick100/s//unit=parsec/|unit=parsec
		s/^record svp.aicore v1 unverified/record svp.aicore v1 perhaps/|perhaps
		s/^record svp.aicore v1/record svp.aicore x1/|svp.aicore x1
		0,/{device_id:int}/s//{device_id:int/|any
	END
}

@test "a table or column that the database lacks is an error that names both" {
	sed -i '0,/mac_ppen /s//mac_popen /' "$REC"
	expect 1 import -dir "$JOB" --layouts "$LAYOUTS"
	has "$stderr" svp.rec: svp.aicore "table of records 'aicore_task' with column 'mac_popen' not found"
	sed -i '0,/mac_popen /s//mac_ppen /; s/table    aicore_task/table    nosuch_table/' "$REC"
	expect 1 import -dir "$JOB" --layouts "$LAYOUTS"
	has "$stderr" svp.rec: nosuch_table
	no_part_files "$JOB"
}

@test "two layouts that claim the same files are refused, unless their match bytes tell the records apart" {
	for match in 0x5a5a 0xbeef; do
		sed "/^record svp.aicore/,/^\$/!d; s/svp.aicore/svp.again/; s/== 0x5a5a/== $match/" "$REC" >"$LAYOUTS/again.rec"
		if [ $match = 0xbeef ]; then
			expect 0 check -dir "$JOB" --layouts "$LAYOUTS"
			continue
		fi
		expect 1 check -dir "$JOB" --layouts "$LAYOUTS"
		has "$stderr" svp.again svp.aicore "claim the same files"
	done
}

@test "a layout may fill only tables of records" {
	sed -i '0,/table    aicore_task/s//table    source/' "$REC"
	expect 1 import -dir "$JOB" --layouts "$LAYOUTS"
	has "$stderr" svp.rec: "table of records 'source' with column 'task_id' not found"
	no_part_files "$JOB"
}

@test "a layout may leave a column of its table out" {
	sed -i '0,/  field    wld .*/s//  skip     8 @88/' "$REC"
	expect 0 import -dir "$JOB" --layouts "$LAYOUTS"
	equal "$(query 'SELECT count(wld), count(mac_busy) FROM aicore_task')" "0|48"
	expect 0 export summary -dir "$JOB" --layouts "$LAYOUTS"
	grep -q ',N/A,' "$JOB"/summary/op_summary*
}

@test "hostile layouts end in an error, never in a signal" {
	good=$(<"$REC")
	RANDOM=11
	for _ in $(seq 60); do
		at=$((RANDOM % ${#good}))
		printf '%s%s%s' "${good:0:at}" "$(head -c 3 /dev/urandom | tr -d '\0')" "${good:at+RANDOM%40}" >"$REC"
		run --separate-stderr timeout 600 "$MSPROF" check -q -dir "$JOB" --layouts "$LAYOUTS"
		case $status in 0 | 1 | 3) ;; *) fail "status $status" ;; esac
	done
	head -c 2000000 /dev/zero | tr '\0' x >"$REC"
	expect 1 check -dir "$JOB" --layouts "$LAYOUTS"
	head -c 4096 /dev/zero >"$REC"
	expect 1 check -dir "$JOB" --layouts "$LAYOUTS"
}
