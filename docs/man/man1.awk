# man1.awk: the manual page of a command, made of its help and of what docs/man adds, so that `msprof help` is the one text about options.
# Usage: msprof help COMMAND | awk -v name='export timeline' -v summary=TEXT -v date='MONTH DAY, YEAR' -v version=N -v details=details.mdoc \
#            -v more=COMMAND.mdoc -f man1.awk
#
# details.mdoc has more about options: a line such as "--from TIME" as the help has it, and below it text with macros of mdoc. After two
# blanks the line may name the commands whose pages have this text, "--top N  show, collect", or have not: "--top N  not show".
# COMMAND.mdoc has more about the command.

# Nothing in a line of help is a request of roff.
function text(line) {
	gsub(/\\/, "\\e", line)
	gsub(/-/, "\\-", line)
	return (line ~ /^[.']/ ? "\\&" : "") line
}

# A sentence begins a line; lines have at most 80 bytes.
function put_sentences(all, words, count, i, line) {
	count = split(all, words, " ")
	for (i = 1; i <= count; i++) {
		if (line != "" && (words[i - 1] ~ /\.$/ || length(line) + length(words[i]) > 70)) {
			print text(line)
			line = ""
		}
		line = line (line == "" ? "" : " ") words[i]
	}
	print text(line)
}

# A word of a usage: flags are bold, what the user replaces is underlined.
function usage_word(word, before, after) {
	match(word, /^[[]*/)
	before = substr(word, 1, RLENGTH)
	word = substr(word, RLENGTH + 1)
	match(word, /[].]*$/)
	after = substr(word, RSTART)
	word = substr(word, 1, RSTART - 1)
	return before (word ~ /^-*[A-Z][A-Z=]*$/ ? "\\fI" : "\\fB") text(word) "\\fR" after
}

function put_usage(line, words, count, i, all) {
	sub(/^(Usage:)? *msprof */, "", line)
	if (name != "options")
		line = substr(line, length(name) + 2)
	sub(/^ +/, "", line)
	sub(/  .*/, "", line)
	count = split(line, words, " ")
	for (i = 1; i <= count; i++)
		all = all (i > 1 ? " " : "") usage_word(words[i])
	if (!continued)
		print ".Nm msprof" (name == "options" ? "" : "\n.Cm " name)
	print all
}

# ".It Fl q , Fl -quiet" of "-q, --quiet"
function put_head(head, words, count, i, line) {
	count = split(head, words, " ")
	for (i = 1; i <= count; i++) {
		if (words[i] ~ /^-/) {
			sub(/^-/, "", words[i])
			line = line " Fl " (sub(/,$/, "", words[i]) ? words[i] " ," : words[i])
		} else if (words[i] ~ /[a-z]/) {
			gsub(/\|/, " Ns | Ns Cm ", words[i])
			line = line " Cm " words[i]
		} else {
			line = line " Ar " words[i]
		}
	}
	print ".It" line
}

function end_option() {
	if (head == "")
		return
	put_head(head)
	put_sentences(toupper(substr(help, 1, 1)) substr(help, 2) ".")
	printf "%s", detail[head]
	head = help = ""
}

function end_list() {
	end_option()
	if (listed)
		print ".El"
	listed = 0
}

function end_paragraph() {
	if (paragraph != "")
		put_sentences(paragraph)
	paragraph = ""
}

function end_code() {
	if (code)
		print ".Ed"
	code = 0
}

BEGIN {
	while ((getline line <details) > 0) {
		if (line ~ /^-/) {
			about = line
			sub(/  .*/, "", about)
			of = substr(line, length(about) + 3)
			lacks = sub(/^not /, "", of)
		} else if (line !~ /^\.\\"/ && (of == "" || lacks != (index(", " of ",", ", " name ",") > 0))) {
			detail[about] = detail[about] line "\n"
		}
	}
	if (name == "options") # that line of the overview is a sentence of its own
		summary = "run and record a program, as on Ascend servers"
	page = "msprof-" name
	gsub(/ /, "-", page)
	print ".\\\" made of `msprof help " name "` by man1.awk"
	print ".Dd " date "\n.Dt " toupper(page) " 1\n.Os msprof " version "\n.Sh NAME\n.Nm " page "\n.Nd " text(summary)
	print ".Sh SYNOPSIS"
}

# the usages, up to a blank line
!described && /^$/ { described = 1; print ".Sh DESCRIPTION"; next }
!described { continued = !/^(Usage:)? *msprof /; put_usage($0); next }

!options && /^Options:$/ {
	end_code()
	end_paragraph()
	while (more != "" && (getline line <more) > 0)
		print line
	print ".Sh OPTIONS"
	options = 1
	next
}
!options && /^$/ { end_code(); end_paragraph(); parted = 1; next }
!options && /^  / {
	end_paragraph()
	if (!code)
		print ".Bd -literal -offset indent"
	code = 1
	parted = 0
	print text(substr($0, 3))
	next
}
!options {
	if (parted || code) {
		end_code()
		print ".Pp"
	}
	parted = 0
	paragraph = paragraph (paragraph == "" ? "" : " ") $0
	next
}

# the options: a head, then its text in a column
/^$/ { end_list(); next }
/^[^ ]/ { end_list(); print ".Pp"; print text($0); next }
/^  -/ {
	end_option()
	if (!listed)
		print ".Bl -tag -width Ds"
	listed = 1
	head = substr($0, 3)
	help = ""
	if (match(head, /   *[^ ]/)) {
		help = substr(head, RSTART + RLENGTH - 1)
		head = substr(head, 1, RSTART - 1)
	}
	next
}
{
	sub(/^ +/, "")
	help = help (help == "" ? "" : " ") $0
}

END {
	end_list()
	print ".Sh EXIT STATUS\nSee\n.Xr msprof 1 ,\nwhich also has the environment, the files and the messages of all commands."
	print ".Sh SEE ALSO\n.Xr msprof 1"
}
