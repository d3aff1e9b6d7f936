#!/usr/bin/env bats
# page.bats: the page of a report in a headless Chromium without a network. Its files lie in the test's scratch directory.

load ../cli/helpers
load look

setup() {
	needs_chromium
}

@test "it opens from the file system: its parts are those of its data; no message, no request, no dialog" {
	look opens
}

@test "operators: sorted by every kind of column, filtered, copied as CSV" {
	look operators
}

@test "operators: 25 rows at first, all of them by a button, all are copied, and what was left out is told" {
	look many_rows
}

@test "timeline: zoom by buttons and wheel, pan by dragging, what lies below the pointer" {
	look timeline
}

@test "timeline: slices narrower than a pixel leave no gap, and a gap is seen" {
	look dense
}

@test "counters: means weigh by time, and are told only where all samples are known" {
	look counters
}

@test "timeline and calls: times of the axis and names in the flame graph are readable where they are long" {
	look labels
}

@test "timeline: an operator is found, each occurrence in order of time, with its exact start and duration" {
	look find
}

@test "timeline and calls by keys alone" {
	look keys
}

@test "timeline: a click and the pointer tell of the inference and of counters, in view" {
	look clicked
}

@test "timeline: clocks that are not aligned have axes of their own" {
	look clocks
}

@test "Tab reaches every control in the order of the page, with a visible mark" {
	look tab_order
}

@test "it prints: everything is open, nothing is cut, and the page is as before" {
	look prints
}

@test "names are text: no element, dialog or request comes of them, long ones are cut, copied ones are no formulas" {
	look hostile
}

@test "a screen reader: every control has a name, tables have captions, headings have levels" {
	look accessibility
}

@test "contrast is at least 4.5 in both schemes, and a button changes the scheme" {
	look contrast
}

@test "a phone of 390 pixels: nothing is beyond the edge, two fingers zoom, less motion where that is wanted" {
	look phone
}

@test "390, 820, 1280 and 1920 pixels: no number is cut, and the columns that decide are seen" {
	look widths
}

@test "axe-core finds nothing" {
	needs_axe
	look axe
}

@test "the date of collection, and a clock that was not set" {
	look dates
}

@test "another table of texts is another language" {
	look language
}

@test "the parts of a step add up to 100 %" {
	look sums
}

@test "a million tasks: how long until the page is shown" {
	look million
}
