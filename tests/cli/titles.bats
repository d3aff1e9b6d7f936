#!/usr/bin/env bats
# titles.bats: the titles of reports, which tests/data/titles.txt has once, as the guide and the vendor's tool have them.

load helpers

@test "the titles of every report are those of tests/data/titles.txt, which make bless renews" {
	equal "$(python3 "$HELPERS/schema_titles.py")" "$(cat "$ROOT/tests/data/titles.txt")"
}

@test "the titles of a report are those that msprof prints" {
	expect 0 show -dir "$JOB" --style vendor --format json
	for report in 1_aa_core 2_op_statistic 3_acl_statistic; do
		table=$(sed -n 's/^-- @vendor_title //p' "$ROOT/schema/reports/show/svp/$report.sql")
		[ -n "$table" ] || table=$(sed -n 's/^-- @title //p' "$ROOT/schema/reports/show/svp/$report.sql")
		equal "$(jq -r --arg table "$table" '[.tables[] | select(.table == $table)][0].rows[0] | keys_unsorted | join(",")' <<<"$output")" \
			"$(titles "show/svp/$report")"
	done
	for command in query check; do
		expect 0 $command -dir "$JOB" --format csv --table "$([ $command = query ] && echo Jobs || echo Files)"
		has "$(head -1 <<<"$output")" "$(titles $command/"$([ $command = query ] && echo svp/1_jobs || echo 1_files)")"
	done
}
