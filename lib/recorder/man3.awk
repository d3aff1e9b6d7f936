# man3.awk: a public header as a manual page of section 3, so that the header's comments are the one text about its calls.
# Usage: awk -v date='MONTH DAY, YEAR' -v include=DIR/HEADER -v library=-lLIBRARY -f man3.awk HEADER    the page
#        awk -v names=1 -f man3.awk HEADER                                                             its functions, one a line

# A line of text: nothing in it is a request of roff. `word` is set off; a sentence begins a line.
function text(line) {
	gsub(/\\/, "\\e", line)
	gsub(/ -l/, " \\-l", line)
	while (match(line, /`[^`]*`/))
		line = substr(line, 1, RSTART - 1) "\\fI" substr(line, RSTART + 1, RLENGTH - 2) "\\fR" substr(line, RSTART + RLENGTH)
	return line
}

function put_line(line) {
	print (line ~ /^[.']/ ? "\\&" : "") line
}

function put_lines(all, lines, count, i) {
	gsub(/\. /, ".\n", all)
	gsub(/; /, ";\n", all)
	count = split(all, lines, "\n")
	for (i = 1; i <= count; i++)
		put_line(lines[i])
}

# A comment: paragraphs, and code where lines begin with a tab.
function put_comment(all, lines, count, i, paragraph, code) {
	count = split(all, lines, "\n")
	for (i = 1; i <= count + 1; i++) {
		if (paragraph != "" && (i > count || lines[i] == "" || lines[i] ~ /^\t/)) {
			put_lines(paragraph)
			paragraph = ""
		}
		if (code && (i > count || lines[i] !~ /^\t/)) {
			print ".Ed"
			code = 0
		}
		if (i > count)
			return
		if (lines[i] ~ /^\t/) {
			if (!code)
				print ".Bd -literal -offset indent"
			code = 1
			put_line(text(substr(lines[i], 2)))
		} else if (lines[i] == "") {
			if (lines[i + 1] !~ /^\t/)
				print ".Pp"
		} else {
			paragraph = paragraph (paragraph == "" ? "" : " ") text(lines[i])
		}
	}
}

# .Ft and .Fn of a declaration on one line
function put_function(declaration, name, type, arguments, parts, count, i) {
	type = declaration
	sub(/ *\(.*/, "", type)
	name = type
	sub(/.*[ *]/, "", name)
	type = substr(type, 1, length(type) - length(name))
	sub(/ $/, "", type)
	arguments = declaration
	sub(/^[^(]*\( */, "", arguments)
	sub(/ *\);.*/, "", arguments)
	print ".Ft \"" type "\""
	printf ".Fn %s", name
	count = split(arguments, parts, / *, */)
	for (i = 1; i <= count; i++)
		printf " \"%s\"", parts[i]
	print ""
}

function name_of(declaration) {
	sub(/ *\(.*/, "", declaration)
	sub(/.*[ *]/, "", declaration)
	return declaration
}

# A declaration is whole: a function belongs to the comment before it, everything else is shown as it is.
function take(declaration) {
	if (declaration ~ /^(typedef|enum|struct)/ || declaration !~ /\(/) {
		types = types (comment == "" || group ? "" : original) declaration "\n"
		original = ""
		typed = 1
		return
	}
	gsub(/\n[ \t]*/, " ", declaration)
	sub(/^(MSPROF_EXPORT|MSTX_DECLSPEC) /, "", declaration)
	if (names)
		print name_of(declaration)
	if (!group) {
		group = ++groups
		comments[group] = comment
		sections[group] = section
		section = ""
	}
	functions[group] = functions[group] declaration "\n"
}

function end_group() {
	if (typed)
		types = types "\n"
	typed = group = 0
	comment = original = ""
}

/^\/\* -+ .* \*\/$/ {
	end_group()
	section = $0
	gsub(/^\/\* -+ | \*\/$/, "", section)
	next
}
/^\/\*/, /\*\/$/ {
	if (/^\/\*/)
		end_group()
	original = original $0 "\n"
	line = $0
	gsub(/^(\/\*| \*\/| \*) ?|^ \*| ?\*\/$/, "", line)
	if (line != "" || comment != "")
		comment = comment (comment == "" ? "" : "\n") line
	if (/\*\/$/) {
		sub(/\n+$/, "", comment)
		if (!overview) {
			overview = comment
			comment = original = ""
		}
	}
	next
}
declaration == "" && /^$/ { end_group(); next }
declaration == "" && /^#define [A-Z0-9_a-z]+(\([a-z, ]*\))? ./ && !/__attribute__/ { take($0); next }
declaration == "" && /^(#|extern "C"|\})/ { next }
/^[^ \t]/ || declaration != "" {
	declaration = declaration (declaration == "" ? "" : "\n") $0
	opened = gsub(/\{/, "{", declaration)
	if (opened == gsub(/\}/, "}", declaration) && declaration ~ /;( *\/\*.*\*\/)?$/) {
		take(declaration)
		declaration = ""
	}
}

END {
	if (names)
		exit
	page = include
	sub(/.*\//, "", page)
	sub(/\.h$/, "", page)
	title = overview
	sub(/\n\n.*/, "", title)
	sub(/^[^:]*: /, "", title)
	gsub(/\n/, " ", title)
	sub(/\.$/, "", title)
	sub(/^[^\n]*(\n[^\n]+)*\n\n/, "", overview)
	print ".\\\" made of " include " by man3.awk"
	print ".Dd " date "\n.Dt " toupper(page) " 3\n.Os\n.Sh NAME"
	print ".Nm " page (groups ? " ," : "")
	for (i = 1; i <= groups; i++) {
		count = split(functions[i], all, "\n") - 1
		for (k = 1; k <= count; k++)
			print ".Nm " name_of(all[k]) (i < groups || k < count ? " ," : "")
	}
	print ".Nd " text(title)
	print ".Sh SYNOPSIS\n.In " include
	for (i = 1; i <= groups; i++) {
		count = split(functions[i], all, "\n") - 1
		for (k = 1; k <= count; k++)
			put_function(all[k])
	}
	print ".Sh DESCRIPTION"
	put_comment(overview)
	for (i = 1; i <= groups; i++) {
		if (sections[i] != "")
			print ".Sh " toupper(sections[i])
		count = split(functions[i], all, "\n") - 1
		heading = ""
		for (k = 1; k <= count; k++)
			heading = heading (k > 1 ? ", " : "") name_of(all[k])
		print ".Ss " heading
		put_comment(comments[i] == "" ? "The name says what it does; see the calls above." : comments[i])
	}
	if (types != "") {
		print ".Sh TYPES AND CONSTANTS\n.Bd -literal"
		gsub(/\\/, "\\e", types)
		gsub(/\n\n+/, "\n\n", types)
		sub(/\n+$/, "", types)
		print types "\n.Ed"
	}
	print ".Sh SEE ALSO\n.Xr msprof 1"
	print ".Pp\nThe documents of msprof, RECORDER.md and ACLPROF.md."
}
