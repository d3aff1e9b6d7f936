#!/bin/sh
# generate.sh: makes the wrappers of the functions in a table (schema/wrap/calls.txt).
#   generate.sh c TABLE     as C, for wrap.h
#   generate.sh rsp TABLE   as options of the linker: cc ... @FILE
set -eu

awk -v kind="$1" '
function fail(text) {
	print FILENAME ":" FNR ": " text >"/dev/stderr"
	failed = 1
	exit 1
}
# The C declarations and names of the parameters, and the parameters with a meaning.
function parameters(list,    words, n, i) {
	declared = ""; passed = ""; path = config = model = "NULL"; model_id = "0"
	n = list == "-" ? 0 : split(list, words, ",")
	for (i = 1; i <= n; i++) {
		if (!(words[i] in ctype))
			fail("unknown argument \"" words[i] "\"")
		declared = declared (i > 1 ? ", " : "") ctype[words[i]] "a" i
		passed = passed (i > 1 ? ", " : "") "a" i
		if (words[i] == "path") path = "a" i
		if (words[i] == "config") config = "a" i
		if (words[i] == "model") model_id = "a" i
		if (words[i] == "model*") model = "a" i
	}
	if (n == 0)
		declared = "void"
}
function after() {
	if ($1 == "init") return "mp_wrap_init(&call, MSPROF_" toupper(profile) ", " config ", status)"
	if ($1 == "finalize") return "mp_wrap_finalize(&call)"
	if ($1 == "load") return "mp_wrap_loaded(&call, " path ", " model ", status)"
	if ($1 == "unload") return "mp_wrap_unloaded(&call, " model_id ", status)"
	if ($1 == "execute") return "mp_wrap_executed(&call, " model_id ")"
	if ($1 == "call") return "mp_wrap_called(&call)"
	fail("unknown role \"" $1 "\"")
}
BEGIN {
	ctype["ptr"] = "void *"; ctype["size"] = "size_t "; ctype["int"] = "int "; ctype["u32"] = "uint32_t "
	ctype["u64"] = "uint64_t "; ctype["config"] = ctype["path"] = "const char *"
	ctype["model"] = "uint32_t "; ctype["model*"] = "uint32_t *"
	if (kind == "c")
		print "/* Made from the table of wrapped functions. */\n#include <errno.h>\n\n#include \"recorder/wrap/wrap.h\"\n"
}
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
NF != 4 || !count { fail("expected: ROLE TYPE FUNCTION ARGUMENTS, below a library") }
kind == "rsp" { print "-Wl,--wrap=" $3; next }
{
	parameters($4)
	print "MP_WRAP_DECLARE(" $3 ", (" declared "))"
	print "int MP_WRAP_NAME(" $3 ")(" declared ")\n{"
	print "\tstatic struct mp_wrapped function = {.name = \"" $3 "\", .libraries = libraries_" count ","
	print "\t\t.type = MSPROF_" toupper($2) "};"
	print "\tint (*real)(" declared ");"
	print "\tstruct mp_wrap_call call;"
	print "\tint status;\n"
	print "\tMP_WRAP_FIND(real, &function, " $3 ");"
	print "\tcall = mp_wrap_begin(&function);"
	print "\tstatus = real ? real(" passed ") : mp_wrap_missing(&function);"
	print "\tcall.error = errno;"
	print "\t" after() ";"
	print "\terrno = call.error;\n\treturn status;\n}\n"
}
END { if (failed) exit 1 }
' "$2"
