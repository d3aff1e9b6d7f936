/*
 * layout.h: the description of one kind of raw record, parsed from text.
 *
 * The source is schema/records/NAME.rec; docs/FORMAT.md explains the language. A set owns its layouts and their text;
 * free it with mp_layouts_free. A loaded set is read-only, so that any number of threads may use it. Functions that
 * return int give 0, or -1 with err naming file, line and reason. The parser bounds every number, so that decoders can
 * trust it: offsets and widths lie within the record.
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
	MP_SERIES_MAX = 24,
	MP_LAYOUT_MAX = 256,
	MP_HEADER_MAX = 4095,
	MP_UNIT_MHZ_MAX = 1000,
	MP_CYCLE_PARTS_MAX = 1000000,
	MP_KEY_MAX = 8,
	MP_PATH_SIZE = 160,
	MP_JSON_VALUE_MAX = 16,
	MP_MAP_MAX = 64,
	MP_CHIP_UNKNOWN = 31
};

/*
 * A condition on a control file: a layout with a condition applies only to jobs that fulfil it. An empty `file` means
 * no condition.
 */
struct mp_when {
	char file[MP_NAME_SIZE]; /* "info.json", "sample.json", "start_info" or "end_info" */
	char key[MP_NAME_SIZE];  /* a key of the object in the file's first line */
	char value[MP_NAME_SIZE];
	bool is; /* true: the key has that value; false: the key has another value, or is missing */
};

enum mp_record_kind {
	MP_RECORD_BINARY, /* records of fixed size */
	MP_RECORD_TEXT,   /* separated pieces of text, matched by patterns */
	MP_RECORD_JSON    /* one JSON object a line, stored as text */
};

/* The unit of a number that is a time. */
enum mp_unit {
	MP_UNIT_NS,
	MP_UNIT_US,
	MP_UNIT_TICK100, /* 100 cycles of the core, at the frequency of info.json */
	MP_UNIT_COUNTER, /* the system counter of the chip */
	MP_UNIT_HOST,    /* the host's counter, when its frequency is known; else ns */
	MP_UNIT_CYCLE,   /* a cycle of the core, at the frequency of info.json */
	MP_UNIT_MHZ,     /* a counter of 1 MHz; MP_UNIT_MHZ + n: of n + 1 MHz */
	MP_UNIT_LAST = MP_UNIT_MHZ + MP_UNIT_MHZ_MAX - 1
};

struct mp_field {
	char name[MP_NAME_SIZE];
	/*
	 * HASH: 64 bits, stored unchanged as a signed number. BYTES: a blob. MIXED: one byte for the kind, 7 unused
	 * bytes, then a text or the 64 bits of its hash. FLOAT: rounded to a whole number.
	 */
	enum {
		MP_FIELD_UINT,
		MP_FIELD_SINT,
		MP_FIELD_CHARS,
		MP_FIELD_HASH,
		MP_FIELD_BYTES,
		MP_FIELD_MIXED,
		MP_FIELD_FLOAT
	} kind;
	bool stored;   /* false: used only to compute other columns */
	bool of_start; /* the field of that name without "start.", of the record that starts a pair */
	size_t offset;
	size_t width;   /* in bytes: 1, 2, 4, 8, or the length of chars and bytes */
	unsigned shift; /* of a bit field: the value is shifted right, then masked */
	uint64_t mask;  /* all ones of the width when there are no bits */
};

struct mp_match {
	size_t offset;
	size_t width;
	unsigned shift; /* like those of a field */
	uint64_t mask;
	uint64_t value;
};

struct mp_pad {
	size_t offset;
	size_t width;
	bool zero; /* must be zero; otherwise the content is unknown */
};

struct mp_column {
	char name[MP_NAME_SIZE];
	enum {
		MP_COLUMN_FIELD,    /* the value of field `from` */
		MP_COLUMN_TIME,     /* field `from`, scaled to ns */
		MP_COLUMN_DURATION, /* field `to` minus field `from`, scaled to ns */
		MP_COLUMN_CYCLES,   /* the same, scaled to cycles of the core, or parts of them */
		MP_COLUMN_VALUE,    /* field `to` minus field `from`, times num / den */
		MP_COLUMN_SHARE,    /* field `from` times num / den of the cycles of the layout's only duration */
		MP_COLUMN_MAP,      /* the number that stands for field `from` in some entries of `maps` */
		MP_COLUMN_CAPTURE,  /* text records: the capture of that name */
		MP_COLUMN_LINE      /* JSON records: the whole line */
	} kind;
	bool is_text;
	bool is_hash; /* a capture: 64 bits, stored unchanged as a signed number */
	bool single;  /* nothing is subtracted: `from` and `to` are the same field */
	int from, to;
	enum mp_unit unit;
	uint64_t num, den;
	int map, map_count; /* the first entry, and how many */
};

/* A number that stands for another one. */
struct mp_map {
	uint64_t from, to;
};

/* A column of the rows that are made of a JSON object. */
struct mp_json_value {
	char name[MP_NAME_SIZE];
	enum {
		MP_JSON_ROOT,    /* a path from the object */
		MP_JSON_ELEMENT, /* a path from the element of `each` */
		MP_JSON_KEY      /* the key or index of the element */
	} kind;
	char path[MP_PATH_SIZE]; /* as SQLite writes it: $."key"[0] */
};

/* What a layout was compared with; the numbers are stored in source.verified. */
enum mp_verified {
	MP_UNVERIFIED,
	MP_VERIFIED,           /* files of real devices or programs */
	MP_VERIFIED_REFERENCE, /* made-up files with known results of a reference tool */
	MP_VERIFIED_LEARNED    /* tables that the board's own tool made from the same files */
};

/* What numbers within a file of texts mean: those of the texts and titles that match these words of SQL's GLOB. */
struct mp_layout_series {
	char text[MP_NAME_SIZE], title[MP_NAME_SIZE]; /* "umap/vi", "*" */
	char use[MP_NAME_SIZE], kind[MP_NAME_SIZE];   /* "npu", "percent" */
};

struct mp_layout {
	char name[MP_NAME_SIZE];
	int version;
	enum mp_verified verified;
	enum mp_family family;
	uint32_t chips; /* bit set of chips; MP_CHIP_UNKNOWN stands for chips that no info file names */
	struct mp_when when;
	enum mp_record_kind kind;
	char origin[256]; /* "aicore.rec:3": the first line of the layout */
	struct mp_pattern files[MP_FILE_PATTERN_MAX];
	int file_count;
	char table[MP_NAME_SIZE];
	/* binary */
	size_t size;   /* bytes of a record */
	size_t header; /* bytes before the first record of a file */
	/* cycles and shares are stored in so many parts of a cycle, so that fractions stay exact */
	uint64_t parts;
	bool big_endian;
	struct mp_match matches[MP_MATCH_MAX];
	int match_count;
	struct mp_field fields[MP_FIELD_MAX];
	int field_count;
	struct mp_pad pads[MP_PAD_MAX];
	int pad_count;
	/* these fields read one clock, whose counts begin again */
	int wraps[MP_FIELD_MAX];
	int wrap_count;
	/* records with another number than these are of other kinds, and are passed over */
	struct mp_match of_kind;
	uint64_t kinds[MP_MATCH_MAX];
	int kind_count; /* 0: all records are of this layout */
	/* start and end of a task are two records */
	bool paired;
	struct mp_match start; /* of the records that start */
	uint64_t end;          /* the number of the records that end */
	int keys[MP_KEY_MAX];  /* fields in which both are equal */
	int key_count;
	struct mp_map maps[MP_MAP_MAX]; /* of all columns that have entries */
	int map_count;
	int sequence; /* index of the field that numbers the records, or -1 */
	/* text */
	bool beside; /* the files lie beside data/, not in it */
	struct mp_layout_series series[MP_SERIES_MAX];
	int series_count;
	char separator;
	struct mp_pattern lines[MP_LINE_PATTERN_MAX];
	int line_count;
	/* JSON */
	struct mp_json_value values[MP_JSON_VALUE_MAX];
	int value_count;
	bool has_each;
	bool is_zip;             /* the values are arrays side by side */
	char each[MP_PATH_SIZE]; /* the array or object whose elements are rows */
	/* the next layout of a ring with the same file names and size; match bytes tell the records of peers apart */
	struct mp_layout *peer;
	/* of all kinds: the columns that a decoder offers */
	struct mp_column columns[MP_COLUMN_MAX];
	int column_count;
};

struct mp_layouts {
	struct mp_layout **items; /* in order of name */
	size_t count;
	char **texts; /* texts that the patterns borrow */
	size_t text_count;
	uint64_t fingerprint; /* hash of all texts; sets with other hashes decode differently */
};

/* Add the layouts in `text`, which is copied; a known name is replaced. An empty set is all zeros. */
int mp_layouts_parse(struct mp_layouts *set, const char *origin, const char *text, struct mp_error *err);

/* Add the files DIR/ *.rec in order of name. A directory without such a file is an error. */
int mp_layouts_read(struct mp_layouts *set, const char *dir, struct mp_error *err);

/*
 * Sort the set; call last. Two layouts of a family that match the same file names are an error. Records of one size
 * with different match bytes may share file names: such layouts become peers.
 */
int mp_layouts_finish(struct mp_layouts *set, struct mp_error *err);

/* Free the layouts and texts of a set. */
void mp_layouts_free(struct mp_layouts *set);

/* Check one complete layout: overlaps, gaps, bounds. For the parser only. */
int mp_layout_check(const struct mp_layout *layout, struct mp_error *err);

/* The index of a field or column by name; -1 when not found. */
int mp_layout_field(const struct mp_layout *layout, const char *name);
int mp_layout_column(const struct mp_layout *layout, const char *name);

/* The layout's only duration: shares count parts of its cycles. NULL when the layout has no duration, or several. */
const struct mp_column *mp_layout_duration(const struct mp_layout *layout);

/* Returns whether a column needs the frequency of the core. */
bool mp_column_needs_core(const struct mp_layout *layout, const struct mp_column *column);

#endif
