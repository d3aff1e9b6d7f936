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

# edit_core SCRIPT: edit the layout of the AI Core of an SS928 alone
edit_core() {
	sed -i "/^record svp.aicore_ss928/,/^\$/ { $1; }" "$REC"
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
	edit_core '/ mac_busy /s/@8 /@36 /; / wld /s/@36/@8/'
	expect 3 export summary -dir "$JOB" --layouts "$LAYOUTS" # there they cannot be true
	equal "$(query 'SELECT sum(wld), sum(mac_busy) FROM aicore_task')" "$was"
	expect 0 show -dir "$JOB" # without the option the built-in layouts count again
	equal "$(query 'SELECT sum(mac_busy), sum(wld) FROM aicore_task')" "$was"
}

@test "records encoded by another layout are decoded by it, with the same reports" {
	expect 0 export summary -dir "$JOB"
	before=$(cd "$JOB/summary" && sha256sum ./*)
	# big endian, bytes to match, longer records, fields in another order
	python3 - "$REC" "$JOB/data" <<-'END'
		import glob, re, struct, sys
		core = re.compile(r"^record svp\.aicore_ss928.*?(?=^record)", re.M | re.S)
		with open(sys.argv[1]) as f:
		    text = f.read()
		def moved(found):
		    layout = re.sub(r"@(\d+)", lambda at: f"@{int(at[1]) + 8}", found[0])
		    layout = layout.replace("  size     256", "  size     264\n  endian   big\n  match    u32 @0 == 0xbeef\n  skip     4 @4")
		    layout = layout.replace("mac_busy         u32 @16", "mac_busy         u32 @44")
		    return layout.replace("wld              u32 @44", "wld              u32 @16")
		with open(sys.argv[1], "w") as f:
		    f.write(core.sub(moved, text))
		for name in glob.glob(sys.argv[2] + "/aicore*[0-9]"):
		    with open(name, "rb") as f:
		        records = list(struct.iter_unpack("<64I", f.read()))
		    with open(name, "wb") as f:
		        for r in records:
		            f.write(struct.pack(">66I", 0xBEEF, 7, *r[:2], r[9], *r[3:9], r[2], *r[10:]))
		    with open(name + ".done") as f:
		        marker = f.read()
		    with open(name + ".done", "w") as f:
		        f.write(re.sub(r"file_len:\d+", f"file_len:{264 * len(records)}", marker))
	END
	expect 3 import -dir "$JOB" # by the built-in layout something is left over
	expect 0 export summary -dir "$JOB" --layouts "$LAYOUTS"
	equal "$(cd "$JOB/summary" && sha256sum ./*)" "$before"
}

@test "a layout that is called verified is shown as verified, the others are not" {
	sed -i 's/^record svp.aicpu v2 verified/record svp.aicpu v3 unverified/' "$REC"
	expect 0 check -dir "$JOB" --layouts "$LAYOUTS" --format json
	equal "$(jq -r '.tables[] | select(.table == "Files").rows[] | select(.Layout == "svp.acl_api_ss928 v2") | .Verified' <<<"$output" | sort -u)" "yes: files of the maker's library"
	equal "$(jq -r '.tables[] | select(.table == "Files").rows[] | select(.Layout == "svp.aicpu v3") | .Verified' <<<"$output" | sort -u)" \
		"no: unverified on hardware"
}

@test "one layout in a file of its own replaces the built-in one of that name only" {
	sed -n '/^record svp.aicpu/,/^$/p' "$REC" >"$LAYOUTS/mine.rec"
	rm "$REC"
	sed -i 's/aicpu\.{device_id/mycpu.{device_id/' "$LAYOUTS/mine.rec"
	mv "$JOB/data/aicpu.0.resnet50.16.46.1.1.0" "$JOB/data/mycpu.0.resnet50.16.46.1.1.0"
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
		/mac_ppen /s/u32/u65/|u65
		/mac_ppen /s/@12/@x/|@x
		/mac_ppen /s/field/feild/|feild
		/mac_ppen /s/@12/@10/|any
		/mac_ppen /s/@12/@4000/|any
		/ skip     204 @48/d|any
		0,/size     256/s//size     64/|any
		0,/size     256/s//size     0/|any
		0,/== 0x5a5a/s//== /|== $
		0,/start_ns begin/s//start_ns nosuch/|start_ns nosuch
		0,/unit=tick100/s//unit=parsec/|unit=parsec
		s/^record svp.aicore_ss928 v2 verified/record svp.aicore_ss928 v2 perhaps/|perhaps
		s/^record svp.aicore_ss928 v2/record svp.aicore_ss928 x2/|svp.aicore_ss928 x2
		0,/{device_id:int}/s//{device_id:int/|any
		0,/when     info.json has/s//when     info.json maybe/|maybe
		0,/soc      ss928/s//soc      nosuch/|soc      nosuch
		0,/done     bytes=/s//done     bites=/|bites
		0,/ticks unit=tick100/s//nosuch unit=tick100/|nosuch unit
		0,/holds    mac_busy <= ticks/s//holds    mac_busy <= nosuch/|<= nosuch
		0,/assumed  mac_busy/s//assumed  nosuch/|assumed  nosuch
		0,/agrees   picture/s//agrees   nosuch/|agrees   nosuch
		0,/constant seg_id/s//constant seg_id x/|seg_id x
		0,/map      name number/s//map      name nosuch/|map      name nosuch
		0,/form 13..15 u8/s//form 13..15 i8/|i8
		0,/form 13..15/s//form 12..14/|any
		0,/each     0x111/s//each     0x2111/|0x2111
		0,/layer_id         number/s//layer_id         maybe/|maybe
		0,/model    begin/s//model    began/|began
	END
}

@test "a table or column that the database lacks is an error that names both" {
	edit_core 's/mac_ppen/mac_popen/g'
	expect 1 import -dir "$JOB" --layouts "$LAYOUTS"
	has "$stderr" svp.rec: svp.aicore_ss928 "table of records 'aicore_task' with column 'mac_popen' not found"
	edit_core 's/mac_popen/mac_ppen/g; s/table    aicore_task/table    nosuch_table/'
	expect 1 import -dir "$JOB" --layouts "$LAYOUTS"
	has "$stderr" svp.rec: nosuch_table
	no_part_files "$JOB"
}

@test "two layouts that claim the same files are refused, unless their match bytes tell the records apart" {
	for match in 0x5a5a 0xbeef; do
		sed "/^record svp.acl_api_ss928/,/^\$/!d; s/svp.acl_api_ss928/svp.again/; s/== 0x5a5a/== $match/" "$REC" >"$LAYOUTS/again.rec"
		if [ $match = 0xbeef ]; then
			expect 0 check -dir "$JOB" --layouts "$LAYOUTS"
			continue
		fi
		expect 1 check -dir "$JOB" --layouts "$LAYOUTS"
		has "$stderr" svp.again svp.acl_api_ss928 "claim the same files"
	done
}

@test "a layout may fill only tables of records" {
	sed -i '0,/table    aicore_task/s//table    source/' "$REC"
	expect 1 import -dir "$JOB" --layouts "$LAYOUTS"
	has "$stderr" svp.rec: "table of records 'source' with column 'task_id' not found"
	no_part_files "$JOB"
}

@test "a layout may leave a column of its table out" {
	edit_core 's/  field    wld .*/  skip     4 @36/; /holds    wld/d; s/ dld wld ddr/ dld ddr/'
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
