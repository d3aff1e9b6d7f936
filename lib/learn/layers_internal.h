/*
 * layers_internal.h: the files layer.info and net.info as tables of texts. For the finders of layers and models only.
 *
 * A file set owns the lines of all files of one layout. A row set is one way to read these lines as rows: a line is a
 * row, or the elements of a list are rows. Rows borrow texts of the file set. One thread at a time.
 */
#ifndef MP_LEARN_LAYERS_INTERNAL_H
#define MP_LEARN_LAYERS_INTERNAL_H

#include "base/json_tree.h"
#include "learn/arena.h"
#include "learn/finders.h"

enum {
	MP_SET_FILE_MAX = 64,
	MP_SET_BYTES_MAX = 16 * 1024 * 1024, /* of all files */
	MP_SET_LINE_MAX = 64 * 1024,         /* what the reader takes as one piece */
	MP_SET_NODE_MAX = 500000,            /* values of JSON that are kept */
	MP_SET_ROW_MAX = 65536,
	MP_SET_CELL_MAX = 2000000,
	MP_STEP_MAX = 8,
	MP_WORD_TEXT = 120,
	MP_SET_PATH_MAX = 4096
};

struct mp_set_line {
	const char *text; /* NUL-terminated, without the newline */
	size_t len;
	int file;
	struct mp_json_node *object; /* NULL for a line of text */
};

struct mp_file_set {
	const struct mp_job_file *files[MP_SET_FILE_MAX];
	int file_count;
	char *bytes[MP_SET_FILE_MAX];
	struct mp_set_line *lines;
	size_t line_count, line_room;
	size_t nodes;
	bool is_json;
	char damage[256]; /* why the files cannot be read as lines, or "" */
	struct mp_arena texts;
};

/* One step of a path: a key, or the index of an item when the key is NULL. */
struct mp_step {
	const char *key;
	int index;
};

struct mp_json_path {
	struct mp_step steps[MP_STEP_MAX];
	int count;
	uint32_t hash;
	size_t seen;               /* in how many roots */
	bool has_list, has_scalar; /* what was seen there */
	char word[MP_WORD_TEXT];   /* as the layout language writes it; "" when it cannot */
};

struct mp_json_paths {
	struct mp_json_path *items;
	size_t count, room;
	size_t visits;
	bool too_many;
};

struct mp_set_cell {
	const char *text; /* NULL: no value. Items of a list are separated by char(31) */
	int64_t number;
	bool is_int;
};

struct mp_set_column {
	char word[MP_WORD_TEXT]; /* of JSON: a path as a layout writes it */
	int number;              /* of text: which column */
	int indices;             /* how many steps are an index */
	bool is_list;            /* of zip: the values are arrays */
	bool is_int;             /* nearly all values are whole numbers */
	bool is_all_int;
	struct mp_set_cell *cells;
};

enum mp_set_shape { MP_SET_FLAT, MP_SET_EACH, MP_SET_ZIP, MP_SET_TEXT };

struct mp_row_set {
	enum mp_set_shape shape;
	const char *each;      /* the word */
	const char *separator; /* of text */
	bool has_return;       /* lines of text end with a carriage return */
	const char *head;      /* the first line of text names the columns, or NULL */
	struct mp_set_column *columns;
	size_t column_count, column_room;
	int *files;    /* of each row */
	size_t *lines; /* of each row */
	size_t row_count;
};

/* Told each row set; -1 ends the search with err. */
typedef int mp_row_set_see(void *user, const struct mp_row_set *rows, struct mp_error *err);

/* Read the files of the job with the layout of this name. */
int mp_file_set_read(struct mp_file_set *set, const struct mp_job *job, const char *layout, struct mp_error *err);
/* Read one file of the job, at most `most` bytes. */
int mp_file_set_read_one(struct mp_file_set *set, const struct mp_job *job, const struct mp_job_file *file, size_t most,
    struct mp_error *err);
void mp_file_set_free(struct mp_file_set *set);

/* All ways to read the lines. *too_many is set when there are too many paths. */
int mp_rows_of_json(struct mp_file_set *set, mp_row_set_see *see, void *user, bool *too_many, struct mp_error *err);
int mp_rows_of_text(struct mp_file_set *set, mp_row_set_see *see, void *user, struct mp_error *err);

/* Paths of JSON (layers_paths.c). */
int mp_json_paths_add(struct mp_json_paths *paths, const struct mp_json_node *root, struct mp_error *err);
/* Remove paths that few of the roots have: their keys are names, or they are not what all layers have. */
void mp_json_paths_prune(struct mp_json_paths *paths, size_t roots);
const struct mp_json_node *mp_json_path_find(const struct mp_json_path *path, const struct mp_json_node *root);
void mp_json_path_word(struct mp_json_path *path, bool of_element);

/* Make room for the rows and columns of a set; the caller frees it. */
int mp_row_set_make(struct mp_row_set *rows, size_t row_count, size_t column_room, struct mp_error *err);
struct mp_set_column *mp_row_set_column(struct mp_row_set *rows, struct mp_error *err);
void mp_row_set_judge(struct mp_row_set *rows);
void mp_row_set_free(struct mp_row_set *rows);

/* What a row of the references says of the layers of a task. */
enum mp_layer_part { MP_PART_TASK, MP_PART_STREAM, MP_PART_ID, MP_PART_NAME, MP_PART_TYPE, MP_PART_ORI, MP_PART_COUNT };

struct mp_layer_row {
	int file; /* -1: any */
	bool has_task, has_stream;
	int64_t task, stream;
	const char *texts[MP_PART_COUNT]; /* NULL: the reference does not say it */
	const char *event;                /* of a trace */
};

/* A row of op_statistic: some layer of this type runs in this stream. */
struct mp_type_stream {
	int file;
	int64_t stream;
	const char *type;
};

struct mp_layer_rows {
	struct mp_layer_row *items;
	size_t count, room;
	struct mp_type_stream *types; /* only where no row of a task names a stream */
	size_t type_count;
	bool has_task;   /* some row names its task */
	bool has_stream; /* some row names a stream other than 0 */
	size_t says[MP_PART_COUNT];
};

int mp_layer_rows_read(
    struct mp_layer_rows *rows, const struct mp_references *refs, const struct mp_file_set *set, struct mp_error *err);
void mp_layer_rows_free(struct mp_layer_rows *rows);

/* Which columns give the parts of a layer. */
struct mp_layer_choice {
	bool known;
	enum mp_set_shape shape;
	char each[MP_WORD_TEXT];
	int column[MP_PART_COUNT]; /* -1: not found */
	char words[MP_PART_COUNT][MP_WORD_TEXT];
	bool is_list[MP_PART_COUNT];
	size_t rows[MP_PART_COUNT], fits[MP_PART_COUNT];
	char others[MP_PART_COUNT][160];
	size_t score;
	int rank;                 /* of choices that explain the same */
	char *lines;              /* of text: the statements `line` */
	char doubt[MP_WORD_TEXT]; /* a value that may be the stream, which no table says; "": no such value */
};

/* Find the best columns of a row set; `best` is replaced by a better choice. */
int mp_layers_judge(struct mp_layer_choice *best, const struct mp_row_set *rows, const struct mp_layer_rows *refs,
    struct mp_error *err);

/* The layers of a task: rows of one task and stream, in their order. */
struct mp_layer_group {
	int file;
	int64_t task, stream;
	size_t first, count; /* in `order` */
};

/* The groups that a row of the references may speak of. */
struct mp_layer_claim {
	int count;
	int groups[8];
};

/* A row set that is grouped by a column of tasks, and one of streams or -1. */
struct mp_layer_groups {
	const struct mp_row_set *rows;
	const struct mp_layer_rows *refs;
	size_t *order; /* numbers of rows */
	struct mp_layer_group *items;
	size_t count;
	int file_count;
	struct mp_layer_claim *claims; /* of each row of the references */
	char *text;                    /* for one text of a group */
};

int mp_layer_groups_make(struct mp_layer_groups *g, const struct mp_row_set *rows, const struct mp_layer_rows *refs,
    int task, int stream, struct mp_error *err);
void mp_layer_groups_free(struct mp_layer_groups *g);
/* Without tasks in the references: find groups by their texts in a column. *fits: how many rows found one. */
int mp_layer_groups_claim(
    struct mp_layer_groups *g, enum mp_layer_part part, int column, size_t *fits, struct mp_error *err);
/* Returns whether a group that the row may speak of has this text in the column. */
bool mp_layer_groups_fit(struct mp_layer_groups *g, size_t ref, enum mp_layer_part part, int column, const char *text);

/* Returns how much a path looks like the name of a part. */
int mp_part_resembles(enum mp_layer_part part, const char *word);
/* Returns whether the layout built in has this path for this part. */
bool mp_part_is_built_in(enum mp_layer_part part, const struct mp_row_set *rows, const char *word);

/*
 * The statements `line` of a layout of text: names[i] is the column of the table for column i of the text, or NULL.
 * The caller frees the text. NULL with err: out of memory.
 */
char *mp_text_lines(const struct mp_row_set *rows, const char *const *names, struct mp_error *err);

/* Write the head of a layout, with the file patterns of the layout built in. */
int mp_layout_head(struct mp_found *found, const char *kind, const char *table, struct mp_error *err);
/* Parse what was written: what a finder writes must be a layout. */
int mp_layout_try(const struct mp_found *found, struct mp_error *err);

#endif
