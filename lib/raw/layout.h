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
#include "raw/pattern.h"

/*
 * The families (generations) of profiling data. A job belongs to one family; each layout, table and report names its
 * families. docs/FORMAT.md tells how the family of a job is found.
 */
enum mp_family {
	MP_FAMILY_SVP,        /* SS928 */
	MP_FAMILY_ASCEND910,  /* JOB directories before 2022 */
	MP_FAMILY_ASCEND2022, /* JOB directories since 2022 */
	MP_FAMILY_PROF,       /* PROF directories: host/ and device_N/ */
	MP_FAMILY_COUNT,
	MP_FAMILY_PYTORCH =
	    MP_FAMILY_COUNT, /* of layouts only: FRAMEWORK directories of torch_npu, beside PROF directories */
	MP_FAMILY_LAYOUTS
};

/* The name of a family in layouts, reports and folders below schema/sql: "svp", "ascend910", "ascend2022", "prof",
 * "pytorch". */
const char *mp_family_name(enum mp_family family);

/* Find the family of a name of `len` bytes. Returns false when not found. */
bool mp_family_named(const char *name, size_t len, enum mp_family *family);

enum {
	MP_NAME_SIZE = 32,
	MP_MODEL_SIZE = 256,
	MP_RECORD_SIZE_MAX = 4096,
	MP_FIELD_MAX = 64,
	MP_COLUMN_MAX = 64,
	MP_MATCH_MAX = 8,
	MP_PAD_MAX = 16,
	MP_FILE_PATTERN_MAX = 8,
	MP_LINE_PATTERN_MAX = 8,
	MP_SERIES_MAX = 24,
	MP_LAYOUT_MAX = 256,
	MP_CYCLE_PARTS_MAX = 1000000,
	MP_MAP_MAX = 64,
	MP_HOLDS_MAX = 16,
	MP_AGREES_MAX = 4,
	MP_FORM_MAX = 7,
	MP_SOC_MAX = 8,
	MP_SOC_WHEN_MAX = 4,
	MP_SOC_TELL_MAX = 4,
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

/*
 * A system on a chip of the SS928 family, with its conditions on info.json.N. The first of a set whose conditions hold
 * is that of a job.
 */
struct mp_soc {
	char name[MP_NAME_SIZE];  /* "dv500" */
	char title[MP_NAME_SIZE]; /* "Hi3519DV500" */
	struct {
		char key[MP_NAME_SIZE];
		bool has;
	} whens[MP_SOC_WHEN_MAX];
	int when_count;
	struct {
		char key[MP_NAME_SIZE], value[MP_NAME_SIZE];
	} tells[MP_SOC_TELL_MAX]; /* what DeviceInfo tells of the soc itself; written, and not read */
	int tell_count;
};

enum mp_record_kind {
	MP_RECORD_BINARY, /* records of fixed size */
	MP_RECORD_TEXT,   /* separated pieces of text, matched by patterns */
	MP_RECORD_ITEMS   /* items of tag, length and value; those with one tag are records */
};

/* The unit of a number that is a time. */
enum mp_unit {
	MP_UNIT_NS,
	MP_UNIT_US,
	MP_UNIT_TICK100, /* 100 cycles of the core, at the frequency of info.json */
	MP_UNIT_COUNTER, /* the system counter of the chip */
	MP_UNIT_HOST     /* the host's counter, when its frequency is known; else ns */
};

struct mp_field {
	char name[MP_NAME_SIZE];
	/*
	 * HASH: 64 bits, stored unchanged as a signed number. BYTES: a blob. MIXED: one byte for the kind, 7 unused
	 * bytes, then a text or the 64 bits of its hash.
	 */
	enum { MP_FIELD_UINT, MP_FIELD_SINT, MP_FIELD_CHARS, MP_FIELD_HASH, MP_FIELD_BYTES, MP_FIELD_MIXED } kind;
	bool stored; /* false: used only to compute other columns */
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
		MP_COLUMN_BEGIN, /* what the marker tells, and field `from` of all earlier records of the inference */
		MP_COLUMN_SPAN,  /* field `from`, as the difference of two such moments */
		MP_COLUMN_VALUE, /* field `from` times num / den */
		MP_COLUMN_SHARE, /* field `from` times num / den of the cycles that the records follow by */
		MP_COLUMN_MAP,   /* the number or text that stands for field `from` in the entries of `maps` */
		MP_COLUMN_CONSTANT, /* the number `num` */
		MP_COLUMN_CAPTURE,  /* text records: the capture of that name */
		MP_COLUMN_ITEM      /* items: that with the tag `num` */
	} kind;
	bool is_text;
	bool is_hash; /* a capture: 64 bits, stored unchanged as a signed number */
	bool assumed; /* the place is an assumption, whatever `verified` of the layout says */
	int from, to;
	enum mp_unit unit;
	uint64_t num, den;
};

/* A number or text that stands for a number in one column. */
struct mp_layout_map {
	int column;
	uint64_t from, to;
	const char *text; /* `to` bytes in the text of the layout; NULL: the number `to` */
};

/*
 * What must be true in each record: a number is at most another field times `scale`, or at most `most`; or it is at
 * least that of the record before, and at most `most` above it.
 */
struct mp_holds {
	int field, other; /* other -1: at most `most` */
	uint64_t scale, most;
	bool rises; /* among the records of an inference that have the same number in `other`; -1: all of them */
};

/* A field that must be equal to a fact of the name or marker: an offset into struct mp_identity. */
struct mp_agrees {
	int field;
	size_t fact;
};

/* How the value of an item lies behind its tag: a number of this width, or bytes after their number of this width. */
struct mp_form {
	size_t width;
	bool is_bytes;
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

/* The facts in the name of a file; -1 and "" when the name lacks a fact. */
struct mp_identity {
	int64_t device_id;
	int64_t stream_id;
	int64_t model_id;
	int64_t batch;
	int64_t input_pic_num;
	int64_t current_pic;
	int64_t slice;
	char model[MP_MODEL_SIZE];
};

#define MP_NO_IDENTITY ((struct mp_identity){-1, -1, -1, -1, -1, -1, -1, ""})

struct mp_layout {
	char name[MP_NAME_SIZE];
	int version;
	enum mp_verified verified;
	enum mp_family family;
	uint32_t chips; /* bit set of chips; MP_CHIP_UNKNOWN stands for chips that no info file names */
	uint32_t socs;  /* bit set of indices of mp_layouts.socs */
	struct mp_when when;
	enum mp_record_kind kind;
	char origin[256]; /* "aicore.rec:3": the first line of the layout */
	bool is_given;    /* of a directory of the user's */
	struct mp_pattern files[MP_FILE_PATTERN_MAX];
	int file_count;
	char table[MP_NAME_SIZE];
	/* binary */
	size_t size; /* bytes of a record; of items those before the items in a record */
	/* shares are stored in so many parts of a cycle, so that fractions stay exact */
	uint64_t parts;
	bool big_endian;
	struct mp_match matches[MP_MATCH_MAX];
	int match_count;
	struct mp_field fields[MP_FIELD_MAX];
	int field_count;
	struct mp_pad pads[MP_PAD_MAX];
	int pad_count;
	struct mp_layout_map maps[MP_MAP_MAX]; /* of all columns that have entries, in the order of columns */
	int map_count;
	struct mp_holds holds[MP_HOLDS_MAX];
	int holds_count;
	struct mp_agrees agrees[MP_AGREES_MAX];
	int agrees_count;
	int sequence; /* index of the field that numbers the records, or -1 */
	/* the keys of NAME.done that tell the bytes of an inference and its start; "" for none */
	char done_bytes[MP_NAME_SIZE], done_start[MP_NAME_SIZE];
	enum mp_unit done_unit;
	char covered_by[MP_NAME_SIZE]; /* the layout of files beside which those of this one tell nothing more; or "" */
	/* text */
	bool beside; /* the files lie beside data/, not in it */
	struct mp_layout_series series[MP_SERIES_MAX];
	int series_count;
	char separator;
	struct mp_pattern lines[MP_LINE_PATTERN_MAX];
	int line_count;
	/* items */
	bool is_model;       /* a model file that a user names, not a file of the job */
	size_t begins[2];    /* of a model file: places of two numbers of 32 bits whose sum is where the items begin */
	size_t tag_width;    /* bytes of a tag */
	unsigned form_shift; /* the form is in the bits above this one, the number of the item in those below */
	struct mp_form forms[MP_FORM_MAX]; /* of the forms 1, 2, ... */
	int form_count;
	uint64_t each; /* the tag of the items that are records */
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
	struct mp_soc socs[MP_SOC_MAX]; /* in the order of trying */
	int soc_count;
	uint64_t fingerprint; /* hash of all texts; sets with other hashes decode differently */
	bool reads_given;     /* while mp_layouts_read reads */
};

/* Add the layouts in `text`, which is copied; a known name is replaced. An empty set is all zeros. */
int mp_layouts_parse(struct mp_layouts *set, const char *origin, const char *text, struct mp_error *err);

/* Add the files DIR/ *.rec in order of name. A directory without such a file is an error. */
int mp_layouts_read(struct mp_layouts *set, const char *dir, struct mp_error *err);

/*
 * Sort the set; call last. Two layouts of a family that match the same file names are an error; of a built-in and a
 * given one the given one stays. Records of one size with different match bytes may share file names: such layouts
 * become peers.
 */
int mp_layouts_finish(struct mp_layouts *set, struct mp_error *err);

/* Free the layouts and texts of a set. */
void mp_layouts_free(struct mp_layouts *set);

/* Check one complete layout: overlaps, gaps, bounds. For the parser only. */
int mp_layout_check(const struct mp_layout *layout, struct mp_error *err);

/* The index of a field or column by name; -1 when not found. */
int mp_layout_field(const struct mp_layout *layout, const char *name);
int mp_layout_column(const struct mp_layout *layout, const char *name);

/* The column that tells how the records of an inference follow each other, or NULL. */
const struct mp_column *mp_layout_begin(const struct mp_layout *layout);

/* The index of a soc by name; -1 when not found. */
int mp_layouts_soc(const struct mp_layouts *set, const char *name);

/* Returns whether a column needs the frequency of the core. */
bool mp_column_needs_core(const struct mp_column *column);

#endif
