/*
 * layout.h: the description of one kind of raw record, read from text.
 *
 * schema/records/NAME.rec is the source; docs/FORMAT.md explains the language. A set
 * owns its layouts and the text they were parsed from; free it with
 * mp_layouts_free. Read-only once loaded, so any number of threads may use it.
 * Errors name file, line and reason. Every number in a layout is bounded here, so
 * that decoders can trust it: offsets and widths lie within the size.
 */
#ifndef MP_RAW_LAYOUT_H
#define MP_RAW_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "raw/family.h"
#include "raw/pattern.h"

enum {
	MP_NAME_SIZE = 32,
	MP_RECORD_SIZE_MAX = 4096,
	MP_FIELD_MAX = 64,
	MP_COLUMN_MAX = 64,
	MP_MATCH_MAX = 8,
	MP_PAD_MAX = 16,
	MP_FILE_PATTERN_MAX = 8,
	MP_LINE_PATTERN_MAX = 8,
	MP_LAYOUT_MAX = 256,
	MP_CHIP_UNKNOWN = 31
};

/* A layout may be one of files only whose control file says so; without a file it is one of all. */
struct mp_when {
	char file[MP_NAME_SIZE]; /* "info.json", "sample.json", "start_info" or "end_info" */
	char key[MP_NAME_SIZE];  /* of the object in its first line */
	char value[MP_NAME_SIZE];
	bool is; /* the key has that value; else it has another, or none */
};

enum mp_record_kind {
	MP_RECORD_BINARY, /* fixed size */
	MP_RECORD_TEXT,   /* separated pieces of text, taken apart by patterns */
	MP_RECORD_JSON    /* one JSON object a line, kept as text */
};

/* What a number that means a time counts. */
enum mp_unit {
	MP_UNIT_NS,
	MP_UNIT_US,
	MP_UNIT_TICK100, /* 100 cycles of the core, at the frequency of info.json */
	MP_UNIT_COUNTER, /* the system counter of the chip */
	MP_UNIT_HOST     /* the counter of the host, where its clock is one; else ns */
};

struct mp_field {
	char name[MP_NAME_SIZE];
	/* HASH: 64 bits kept as they are, as a signed number; BYTES: a blob;
	   MIXED: a byte that says which, 7 of nothing, then a text or the 64 bits of its hash */
	enum { MP_FIELD_UINT, MP_FIELD_SINT, MP_FIELD_CHARS, MP_FIELD_HASH, MP_FIELD_BYTES, MP_FIELD_MIXED } kind;
	bool stored; /* false: only input of a time or duration */
	size_t offset;
	size_t width;   /* bytes: 1, 2, 4, 8, or the length of chars and bytes */
	unsigned shift; /* bit fields: value >> shift, then mask */
	uint64_t mask;  /* all ones of the width without bits */
};

struct mp_match {
	size_t offset;
	size_t width;
	unsigned shift; /* as of a field */
	uint64_t mask;
	uint64_t value;
};

struct mp_pad {
	size_t offset;
	size_t width;
	bool zero; /* must be zero; otherwise its content is not known */
};

struct mp_column {
	char name[MP_NAME_SIZE];
	enum {
		MP_COLUMN_FIELD,    /* the value of field `from` */
		MP_COLUMN_TIME,     /* field `from` in ns */
		MP_COLUMN_DURATION, /* field `to` minus field `from` in ns */
		MP_COLUMN_CAPTURE,  /* text records: capture of that name */
		MP_COLUMN_LINE      /* JSON records: the whole line */
	} kind;
	bool is_text;
	bool is_hash; /* a capture: 64 bits kept as they are, as a signed number */
	int from, to;
	enum mp_unit unit;
};

/* What a layout was compared with; the numbers are those of source.verified. */
enum mp_verified {
	MP_UNVERIFIED,
	MP_VERIFIED,          /* data of real devices or programs */
	MP_VERIFIED_REFERENCE /* made-up files of which a reference tool's results are known */
};

struct mp_layout {
	char name[MP_NAME_SIZE];
	int version;
	enum mp_verified verified;
	enum mp_family family;
	uint32_t
	    chips; /* bit set of the chips whose files these are; MP_CHIP_UNKNOWN: of those that no info file names */
	struct mp_when when;
	enum mp_record_kind kind;
	char origin[256]; /* "aicore.rec:3": where the stanza begins */
	struct mp_pattern files[MP_FILE_PATTERN_MAX];
	int file_count;
	char table[MP_NAME_SIZE];
	/* binary */
	size_t size; /* bytes of a record */
	bool big_endian;
	struct mp_match matches[MP_MATCH_MAX];
	int match_count;
	struct mp_field fields[MP_FIELD_MAX];
	int field_count;
	struct mp_pad pads[MP_PAD_MAX];
	int pad_count;
	int sequence; /* index of the field that counts records, or -1 */
	/* text */
	char separator;
	struct mp_pattern lines[MP_LINE_PATTERN_MAX];
	int line_count;
	/* the next layout of the same file names and size, in a ring: they share the records of a file by their match
	 * bytes */
	struct mp_layout *peer;
	/* all: what a decoder offers */
	struct mp_column columns[MP_COLUMN_MAX];
	int column_count;
};

struct mp_layouts {
	struct mp_layout **items; /* in order of name */
	size_t count;
	char **texts; /* what the patterns borrow from */
	size_t text_count;
	uint64_t fingerprint; /* of all the texts: another set decodes otherwise */
};

/* An empty set is all zeros. Add the stanzas of `text` (copied); one with a known name replaces that. */
int mp_layouts_parse(struct mp_layouts *set, const char *origin, const char *text, struct mp_error *err);

/* Add DIR/ *.rec in order of name; a directory without any is an error. */
int mp_layouts_read(struct mp_layouts *set, const char *dir, struct mp_error *err);

/*
 * Sort, and refuse a set in which two layouts of a family claim the same files, unless they are records of
 * one size with other match bytes: these become peers. Call last.
 */
int mp_layouts_finish(struct mp_layouts *set, struct mp_error *err);

void mp_layouts_free(struct mp_layouts *set);

/* Checks one finished stanza: overlaps, gaps, bounds. Used by the parser. */
int mp_layout_check(const struct mp_layout *layout, struct mp_error *err);

/* The field or column of that name, or -1. */
int mp_layout_field(const struct mp_layout *layout, const char *name);
int mp_layout_column(const struct mp_layout *layout, const char *name);

#endif
