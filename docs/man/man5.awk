# man5.awk: a part of a document as a manual page of section 5, so that the document is the one text about it.
# Usage: awk -v page=NAME -v about=TEXT -v date='MONTH DAY, YEAR' -v version=N -v from='## TITLE' -v to='## TITLE' -f man5.awk DOCUMENT...
#
# The part begins at the heading `from` (else at a document's title) and ends before the heading `to` (else at its end).
# It reads what the documents have: headings, paragraphs, lists, tables, code, and within lines `code`, **strong**, *stressed* and links.

# Nothing in a line is a request of roff.
function plain(line) {
	gsub(/\\/, "\\e", line)
	gsub(/-/, "\\-", line)
	return line
}

function guarded(line) {
	return (line ~ /^[.']/ ? "\\&" : "") line
}

# A line of text with its marks as fonts
function text(line, all, at, word) {
	while (match(line, /`[^`]+`|\[[^]]+\]\([^)]*\)|\*\*[^*]+\*\*|(^|[ (])\*[^* ][^*]*\*/)) {
		word = substr(line, RSTART, RLENGTH)
		all = all plain(substr(line, 1, RSTART - 1))
		line = substr(line, RSTART + RLENGTH)
		if (word ~ /^`/) {
			all = all "\\fB" plain(substr(word, 2, length(word) - 2)) "\\fR"
		} else if (word ~ /^\[/) {
			sub(/\]\(.*/, "", word)
			all = all text(substr(word, 2))
		} else if (word ~ /^\*\*/) {
			all = all "\\fB" plain(substr(word, 3, length(word) - 4)) "\\fR"
		} else {
			at = index(word, "*")
			all = all plain(substr(word, 1, at - 1)) "\\fI" plain(substr(word, at + 1, length(word) - at - 1)) "\\fR"
		}
	}
	return all plain(line)
}

# A sentence begins a line; lines have at most 80 bytes where words allow it.
function put_text(all, words, count, i, line) {
	count = split(text(all), words, " ")
	for (i = 1; i <= count; i++) {
		if (line != "" && (words[i - 1] ~ /\.$/ || length(line) + length(words[i]) > 70)) {
			print guarded(line)
			line = ""
		}
		line = line (line == "" ? "" : " ") words[i]
	}
	print guarded(line)
}

function end_paragraph() {
	if (paragraph != "") {
		if (parted && !listed)
			print ".Pp"
		put_text(paragraph)
		parted = 1
	}
	paragraph = ""
}

# An end of everything but text: what follows is a paragraph of its own.
function end_all() {
	end_paragraph()
	if (listed || tabled)
		print ".El"
	listed = tabled = 0
}

function begin_list(kind) {
	end_paragraph()
	if (!listed)
		print ".Bl -" kind " -width Ds"
	listed = parted = 1
	print ".It"
}


# A row is its first cell, and below it the others, with their titles from the third on. After .It a word such as Op is a macro.
function put_row(line, cell, count, i, head) {
	sub(/^\| */, "", line)
	sub(/[ |]+$/, "", line)
	count = split(line, cell, / +\| +/)
	head = " " text(cell[1])
	while (match(head, / [A-Z][a-z]( |$)/))
		head = substr(head, 1, RSTART) "\\&" substr(head, RSTART + 1)
	print ".It" head
	for (i = 2; i <= count; i++)
		if (cell[i] != "") {
			if (i > 2)
				print ".br"
			put_text((i > 2 ? title[i] ": " : "") cell[i])
		}
}

# A section's title is in capitals, but not the code in it.
function capitals(line, words, count, i, all) {
	count = split(line, words, "`")
	for (i = 1; i <= count; i++)
		all = all (i % 2 ? toupper(words[i]) : "`" words[i] "`")
	return all
}

function put_heading(macro, title) {
	end_all()
	parted = 0
	print macro " " text(title)
}

BEGIN {
	print ".\\\" made of a document by man5.awk"
	print ".Dd " date "\n.Dt " toupper(page) " 5\n.Os msprof " version "\n.Sh NAME\n.Nm " page "\n.Nd " about
	print ".Sh DESCRIPTION"
}

FNR == 1 { in_part = from == "" }
to != "" && $0 == to { in_part = 0 }
from != "" && $0 == from { in_part = 1; next }
!in_part || /^# / { next }

/^```/ && !code { end_all(); print ".Bd -literal -offset indent"; code = 1; next }
/^```/ { print ".Ed"; code = 0; parted = 1; next }
code { print guarded(plain($0)); next }
/^## / { put_heading(".Sh", capitals(substr($0, 4))); next }
/^### / { put_heading(".Ss", substr($0, 5)); next }
/^$/ { end_paragraph(); blank = 1; next }
/^\|/ && !tabled {
	end_all()
	split($0, title, / *\| */)
	for (i = 1; title[i + 1] != ""; i++)
		title[i] = title[i + 1]
	tabled = 1
	print ".Bl -tag -width Ds"
	parted = 1
	next
}
/^\|[-| ]*$/ { next }
/^\|/ { put_row($0); next }
/^- / { begin_list("bullet"); paragraph = substr($0, 3); blank = 0; next }
/^[0-9]+\. / { begin_list("enum"); sub(/^[0-9]+\. /, ""); paragraph = $0; blank = 0; next }
listed && /^  / && !blank { sub(/^ +/, ""); paragraph = paragraph " " $0; next }
{
	if (tabled || (listed && blank))
		end_all()
	blank = 0
	paragraph = paragraph (paragraph == "" ? "" : " ") $0
}

END {
	end_all()
	print ".Sh SEE ALSO\n.Xr msprof 1"
}
