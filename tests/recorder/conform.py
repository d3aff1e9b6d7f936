"""conform.py: does each wrapped function reach the vendor's library unchanged, and is each call recorded as it was?

   conform.py code PROFILE TABLE...             writes stub.c, a library with all functions of the profile, and client.c
   conform.py judge RESULT PROFILE TABLE...     compares the PROF directory RESULT with the file notes of the stub
   conform.py headers DIRECTORY TABLE...        writes headers.cpp: do the tables agree with the public prototypes there?

The client calls each function one to three times, with arguments and an errno of its own. The stub notes the arguments,
the errno and its own times, and gives a result and an errno of its own. Nothing here is made by the code under test.
"""
import collections
import glob
import os
import re
import struct
import sys

C = {"ptr": "void *", "size": "size_t", "int": "int", "u32": "uint32_t", "u64": "uint64_t", "float": "float",
     "config": "const char *", "path": "const char *", "optype": "const char *", "model": "uint32_t",
     "model*": "uint32_t *", "void": "void"}
Function = collections.namedtuple("Function", "profile role type name arguments result")


def read_tables(paths):
    functions, profile = [], None
    for path in paths:
        for line in open(path, encoding="utf-8"):
            words = line.split("#")[0].split()
            if words and words[0] == "library":
                profile = words[1]
            elif words:
                arguments = [] if words[3] == "-" else words[3].split(",")
                functions.append(Function(profile, *words[:3], arguments, words[4] if len(words) > 4 else "int"))
    return functions


def of_profile(profile, paths):
    """In the order of the calls: the first begins the library, the last ends it."""
    order = {"init": 0, "finalize": 2}
    return sorted((f for f in read_tables(paths) if f.profile == profile), key=lambda f: order.get(f.role, 1))


def c_type(word):
    return f"struct {word}" if word.startswith("bytes") else C[word]


def declaration(f):
    return f"{c_type(f.result)} {f.name}({', '.join(f'{c_type(a)} a{i}' for i, a in enumerate(f.arguments)) or 'void'})"


def times(at):
    return 1 + at % 3


def value(f, at, i):
    """Another one for each argument, with bits in all of its bytes."""
    word = f.arguments[i]
    number = (at * 131 + i * 17 + 1) * 0x9E3779B97F4A7C15 % 2 ** 64 | 1
    if word in ("config", "path", "optype"):
        return '"{}.om"'.format(f.name)
    if word == "model*":
        return "&model"
    if word == "model":
        return "7"
    if word == "float":
        return f"{number % 1000}.25f"
    if word.startswith("bytes"):
        return f"(struct {word}){{{{{', '.join(f'{(number + k) % 2 ** 32}u' for k in range(int(word[5:]) // 4))}}}}}"
    bits = 31 if word == "int" else 32 if word == "u32" else 64
    return f"({c_type(word)}){number % 2 ** bits}u" + ("l" if bits == 64 else "")


def result(f, at):
    if f.result == "int":
        return 0 if f.role != "call" else at + 500000
    return at * 0x100000001 + 3 if f.result in ("ptr", "size", "u64") else f"{at}.5f" if f.result == "float" else at + 3


HEAD = """#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
struct note { uint64_t function, begin_ns, end_ns, hash, error; };
static inline uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
static inline uint64_t add(uint64_t hash, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
	return hash;
}
static inline uint64_t text(uint64_t hash, const char *a) { return add(hash, a, strlen(a) + 1); }
"""


def hashes(f, name):
    lines = "uint64_t hash = 1;\n"
    for i, word in enumerate(f.arguments):
        own = name.format(i)
        if word in ("config", "path", "optype"):
            lines += f"\thash = text(hash, {own});\n"
        elif word != "model*":  # the address of the client's
            lines += f"\thash = add(hash, &{own}, sizeof({own}));\n"
    return lines


def structures(functions):
    words = sorted({a for f in functions for a in f.arguments if a.startswith("bytes")})
    return "".join(f"struct {w} {{ uint32_t words[{int(w[5:]) // 4}]; }};\n" for w in words)


def write_stub(functions):
    out = HEAD + structures(functions) + """static struct note notes[10000];
static int count;
static void note(int function, uint64_t begin_ns, uint64_t hash, int error)
{
	notes[count++] = (struct note){(uint64_t)function, begin_ns, now(), hash, (uint64_t)error};
}
__attribute__((destructor)) static void write_notes(void)
{
	FILE *f = fopen("notes", "w");
	if (!f || fwrite(notes, sizeof(notes[0]), (size_t)count, f) != (size_t)count || fclose(f))
		abort();
}
"""
    for at, f in enumerate(functions):
        out += f"{declaration(f)}\n{{\n\tuint64_t begin_ns = now();\n\tint error = errno;\n\t{hashes(f, 'a{}')}"
        for i, word in enumerate(f.arguments):
            if word == "model*":
                out += f"\t*a{i} = 7;\n"
        out += f"\terrno = {at + 1000};\n\tnote({at}, begin_ns, hash, error);\n"
        out += "}\n" if f.result == "void" else f"\treturn ({c_type(f.result)}){result(f, at)};\n}}\n"
    open("stub.c", "w", encoding="utf-8").write(out)


def write_client(functions):
    out = HEAD + structures(functions) + "".join(declaration(f) + ";\n" for f in functions) + """static int bad;
static uint32_t model;
static FILE *sent;
static void send(uint64_t hash) { bad |= fwrite(&hash, sizeof(hash), 1, sent) != 1; }
"""
    for at, f in enumerate(functions):
        own = "".join(f"\t{c_type(a)} a{i} = {value(f, at, i)};\n" for i, a in enumerate(f.arguments))
        call = f"{f.name}({', '.join(f'a{i}' for i in range(len(f.arguments)))})"
        out += f"static void call_{at}(void)\n{{\n{own}\t{hashes(f, 'a{}')}\tsend(hash);\n\terrno = {at + 7000};\n"
        if f.result == "void":
            out += f"\t{call};\n\tif (errno != {at + 1000})\n"
        else:
            out += f"\t{c_type(f.result)} r = {call};\n"
            out += f"\tif (errno != {at + 1000} || r != ({c_type(f.result)}){result(f, at)})\n"
        out += f'\t\tbad = 1, printf("{f.name}: another result, or errno %d\\n", errno);\n}}\n'
    calls = "".join(f"\tcall_{at}();\n" * (times(at) if f.role not in ("init", "finalize") else 1) for at, f in enumerate(functions))
    out += f'int main(void)\n{{\n\tsent = fopen("sent", "w");\n{calls}\treturn bad | (fclose(sent) != 0);\n}}\n'
    open("client.c", "w", encoding="utf-8").write(out)


def records(result):
    """What is recorded, in its order: name, begin, end."""
    data = os.path.join(result, "host/data")
    names = {}
    for path in glob.glob(data + "/*type_info_dic.slice_*[0-9]"):
        for line in open(path, encoding="utf-8"):
            names.update([line.rstrip("\n").split(":", 1)])
    for path in sorted(glob.glob(data + "/*api_event.data.slice_*[0-9]")):
        for level, kind, begin, end in struct.iter_unpack("<2xHI8xQQ8x", open(path, "rb").read()):
            yield names[f"{level}_{kind}"], begin, end


def judge(result, functions):
    notes = list(struct.iter_unpack("<5Q", open("notes", "rb").read()))
    sent = [h for (h,) in struct.iter_unpack("<Q", open("sent", "rb").read())]
    found = [r for r in records(result) if r[0] != "recorder start"]
    wanted = [at for at, f in enumerate(functions) for _ in range(times(at) if f.role not in ("init", "finalize") else 1)]
    assert [n[0] for n in notes] == wanted, "the library was called otherwise"
    assert [r[0] for r in found] == [functions[at].name for at in wanted], "not each call once, in its order"
    before = 0
    for (at, begin, end, hash_, error), sent_hash, (name, begin_ns, end_ns) in zip(notes, sent, found):
        assert hash_ == sent_hash, f"{name}: other arguments"
        assert error == at + 7000, f"{name}: another errno"
        assert before <= begin_ns <= begin <= end <= end_ns, f"{name}: not the times of its call"
        before = end_ns
    print(f"{len(functions)} functions, {len(found)} calls")


def write_headers(directory, functions):
    """A program that prints where a table says another kind of argument than a public prototype."""
    text, paths = "", sorted(glob.glob(directory + "/**/*.h", recursive=True))
    for path in paths:
        text += re.sub(r"/\*.*?\*/|//[^\n]*", "", open(path, encoding="utf-8", errors="replace").read(), flags=re.S)
    known = {f.name for f in functions}
    declared = set(re.findall(r"_FUNC_VISIBILITY\s[^;{(]*?\b(\w+)\s*\(", text))
    kind = {"ptr": "p", "size": "8", "u64": "8", "int": "4", "u32": "4", "float": "f", "config": "p", "path": "p",
            "optype": "p", "model": "4", "model*": "p", "void": "v"}
    out = """#include <cstdio>
#include <cstring>
#include <cstdint>
#include <string>
#include <type_traits>
""" + "".join(f'#include "{os.path.relpath(path, directory)}"\n' for path in paths
               if re.search(r"_FUNC_VISIBILITY\s+\w", open(path, encoding="utf-8", errors="replace").read())) + """
template <class T> std::string kind()
{
	if (std::is_void<T>::value) return "v";
	if (std::is_pointer<T>::value) return "p";
	const size_t size = sizeof(typename std::conditional<std::is_void<T>::value, int, T>::type);
	if (std::is_floating_point<T>::value) return size == 4 ? "f" : "d";
	if (std::is_class<T>::value) return "s" + std::to_string(size);
	return size == 8 ? "8" : "4";
}
template <class R, class... A> std::string kinds(R (*)(A...))
{
	std::string all[] = {kind<R>(), kind<A>()...}, text;
	for (auto &one : all) text += one + " ";
	return text;
}
template <class F> std::string of() { return kinds(static_cast<F>(nullptr)); }
static int bad;
static void compare(const char *name, const std::string &there, const char *here)
{
	if (there != here) bad = 1, std::printf("%s: the header has %s, the table %s\\n", name, there.c_str(), here);
}
int main()
{
"""
    shared = [f for f in functions if f.name in declared]
    if not shared:
        sys.exit(f"no function of the tables is declared in '{directory}'")
    for f in shared:
        kinds = " ".join("s" + w[5:] if w.startswith("bytes") else kind[w] for w in [f.result, *f.arguments])
        out += f'\tcompare("{f.name}", of<decltype(&{f.name})>(), "{kinds} ");\n'
    open("headers.cpp", "w", encoding="utf-8").write(out + "\treturn bad;\n}\n")
    print(f"{len(shared)} functions in both; not wrapped: {' '.join(sorted(declared - known))}")


if sys.argv[1] == "code":
    write_stub(of_profile(sys.argv[2], sys.argv[3:]))
    write_client(of_profile(sys.argv[2], sys.argv[3:]))
elif sys.argv[1] == "judge":
    judge(sys.argv[2], of_profile(sys.argv[3], sys.argv[4:]))
else:
    write_headers(sys.argv[2], read_tables(sys.argv[3:]))
