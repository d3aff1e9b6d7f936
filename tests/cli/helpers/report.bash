# report.bash: the document of a page, and its numbers computed a second time.
# shellcheck shell=bash

# page FILTER [FILE]: jq over the document of a page
page() {
	python3 -c 'import json, sys; sys.path.insert(0, sys.argv[1]); import report_truth
json.dump(report_truth.document(sys.argv[2]), sys.stdout)' \
		"$HELPERS" "${2:-report.html}" | jq -r "$1"
}

# checked STATUS JOB: its page is report.html, and Python computes all its numbers
checked() {
	expect "$1" report -q -dir "$2"
	python3 "$HELPERS/report_truth.py" "$2" report.html || fail "$2"
}
