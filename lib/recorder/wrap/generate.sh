#!/bin/sh
# generate.sh: makes the wrappers of the functions in tables (schema/wrap).
#   generate.sh c TABLE...     as C, for wrap.h
#   generate.sh rsp TABLE...   as options of the linker: cc ... @FILE
set -eu

kind=$1
shift
awk -v kind="$kind" '
function fail(text) {
	print FILENAME ":" FNR ": " text >"/dev/stderr"
	failed = 1
	exit 1
}
# The type of a structure of whole words that is passed by value.
function structure(word,    size) {
	if (word in ctype)
		return
	size = substr(word, 6)
	if (size % 4)
		fail("a structure of " size " bytes is not of whole words")
	ctype[word] = "struct mp_wrap_" word " "
	if (kind == "c") print "struct mp_wrap_" word " {\n\tuint32_t words[" size / 4 "];\n};\n"
}
# The C declarations and names of the parameters, and the parameters with a meaning.
function parameters(list,    words, n, i) {
	declared = ""; passed = ""; path = config = model = op_type = "NULL"; model_id = "0"
	n = list == "-" ? 0 : split(list, words, ",")
	for (i = 1; i <= n; i++) {
		if (words[i] ~ /^bytes[1-9][0-9]*$/)
			structure(words[i])
		if (!(words[i] in ctype))
			fail("unknown argument \"" words[i] "\"")
		declared = declared (i > 1 ? ", " : "") ctype[words[i]] "a" i
		passed = passed (i > 1 ? ", " : "") "a" i
		if (words[i] == "path") path = "a" i
		if (words[i] == "config") config = "a" i
		if (words[i] == "model") model_id = "a" i
		if (words[i] == "model*") model = "a" i
		if (words[i] == "optype") op_type = "a" i
	}
	if (n == 0)
		declared = "void"
}
function after() {
	if ($1 != "call" && result != "int ") fail("only a call has another result than an int")
	if ($1 == "init") return "mp_wrap_init(&call, MSPROF_" toupper(profile) ", " config ", status)"
	if ($1 == "finalize") return "mp_wrap_finalize(&call)"
	if ($1 == "load") return "mp_wrap_loaded(&call, " path ", " model ", status)"
	if ($1 == "unload") return "mp_wrap_unloaded(&call, " model_id ", status)"
	if ($1 == "execute") return "mp_wrap_executed(&call, " model_id ")"
	if ($1 == "operate") return "mp_wrap_operated(&call, " op_type ")"
	if ($1 == "call") return "mp_wrap_called(&call)"
	fail("unknown role \"" $1 "\"")
}
BEGIN {
	ctype["ptr"] = "void *"; ctype["size"] = "size_t "; ctype["int"] = "int "; ctype["u32"] = "uint32_t "
	ctype["u64"] = "uint64_t "; ctype["config"] = ctype["path"] = ctype["optype"] = "const char *"
	ctype["float"] = "float "
	ctype["model"] = "uint32_t "; ctype["model*"] = "uint32_t *"
	if (kind == "c")
		print "/* Made from the table of wrapped functions. */\n#include <errno.h>\n\n#include \"recorder/wrap/wrap.h\"\n"
}
FNR == 1 { count_before = count }
{ sub(/#.*/, "") }
NF == 0 { next }
$1 == "library" {
	if (NF < 3) fail("a library has a profile and names")
	profile = $2; libraries = ""
	for (i = 3; i <= NF; i++) libraries = libraries "\"" $i "\", "
	count++
	if (kind == "c") print "static const char *const libraries_" count "[] = {" libraries "NULL};\n"
	next
}
(NF != 4 && NF != 5) || count == count_before { fail("expected: ROLE TYPE FUNCTION ARGUMENTS [RESULT], below a library") }
kind == "rsp" { print "-Wl,--wrap=" $3; next }
{
	result = NF == 4 ? "int " : $5 == "void" ? "void " : ctype[$5]
	if (result == "")
		fail("unknown result \"" $5 "\"")
	parameters($4)
	assign = result == "void " ? "" : "status = "
	print "static struct mp_wrapped function_" $3 " = {.name = \"" $3 "\", .libraries = libraries_" count ","
	print "\t.type = MSPROF_" toupper($2) "};"
	all = all "\t{&function_" $3 ", (void (*)(void))MP_WRAP_NAME(" $3 ")},\n"
	print "MP_WRAP_DECLARE(" result ", " $3 ", (" declared "))"
	print result "MP_WRAP_NAME(" $3 ")(" declared ")\n{"
	print "\t" result "(*real)(" declared ");"
	print "\tstruct mp_wrap_call call;"
	if (assign != "") print "\t" result "status = 0;"
	print "\n\tMP_WRAP_FIND(real, &function_" $3 ", " $3 ");"
	print "\tmp_wrap_begin(&call, &function_" $3 ");"
	print "\tif (real)\n\t\t" assign "real(" passed ");"
	print "\telse\n\t\t" (NF == 4 ? "status = " : "") "mp_wrap_missing(&function_" $3 ");"
	print "\tmp_wrap_end(&call);"
	print "\t" after() ";"
	print "\terrno = call.error;" (assign == "" ? "" : "\n\treturn status;") "\n}\n"
}
END {
	if (failed)
		exit 1
	if (kind == "c") print "const struct mp_wrapper mp_wrappers[] = {\n" all "\t{NULL, NULL}\n};"
}
' "$@"
