/*
 * wire.h: what msprof and msprof-publish say to each other through pipes.
 *
 * msprof reads jobs in a sandbox and has no network; msprof-publish has the network and reads no job. Both run on one
 * machine, so numbers are in its byte order. A frame is a kind, a size and that many bytes. Functions that return int
 * give 0, or -1 with err, unless stated.
 */
#ifndef MP_FLEET_WIRE_H
#define MP_FLEET_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/value.h"
#include "fleet/url.h"

enum mp_wire_kind {
	/* from msprof */
	MP_WIRE_JOB = 'J',      /* a job begins: struct mp_wire_job */
	MP_WIRE_TABLE = 'T',    /* rows of a table follow: "TABLE\nCOLUMN, COLUMN" */
	MP_WIRE_BULK = 'B',     /* the same for a table of many rows */
	MP_WIRE_DATA = 'D',     /* rows, each whole, in the form of the engine */
	MP_WIRE_END = 'E',      /* the job is complete: int64_t, its rows of all tables */
	MP_WIRE_DROP = 'X',     /* the job is not: nothing of it may stay */
	MP_WIRE_QUESTION = 'Q', /* "NAME\nPARAMETER=VALUE\n…" */
	/* from msprof-publish */
	MP_WIRE_KNOWN = 'N',   /* int64_t, a shard, and the numbers of jobs that it has */
	MP_WIRE_READY = 'R',   /* connected, the schema is there */
	MP_WIRE_DONE = 'K',    /* int64_t: so many further jobs are stored, in their order */
	MP_WIRE_FAILED = 'F',  /* the same, which are not, and why */
	MP_WIRE_TITLES = 'C',  /* an answer begins: the cells of its titles */
	MP_WIRE_NUMBERS = 'U', /* a byte for each column: 0 texts, 1 numbers, 2 numbers with a point */
	MP_WIRE_ROW = 'V',     /* the cells of a row */
	MP_WIRE_ABSENT = 'A'   /* a text: why there are no rows */
};

/* What a frame begins with. */
struct mp_wire_head {
	uint32_t kind, size;
};

struct mp_wire_job {
	int64_t job;  /* the number of the job */
	int64_t load; /* the number of this load, which grows with time */
};

enum { MP_WIRE_SIZE_MAX = 1 << 20 };

/* A NULL cell of an answer has this size, and no bytes; other cells are a size and their bytes. */
#define MP_WIRE_NULL UINT32_MAX

/* Write a frame. Waits until all of it is written. */
int mp_wire_write(int fd, enum mp_wire_kind kind, const void *bytes, size_t size, struct mp_error *err);

/* Read exactly `size` bytes. Returns 1, 0 at the end of the input before the first byte, -1 with err. */
int mp_wire_read(int fd, void *bytes, size_t size, struct mp_error *err);

/* Read a head, with a size of at most MP_WIRE_SIZE_MAX. Returns as mp_wire_read. */
int mp_wire_head(int fd, struct mp_wire_head *head, struct mp_error *err);

/*
 * Rows in the form that an engine loads fastest: binary COPY of PostgreSQL, RowBinary of ClickHouse; and lines of JSON,
 * where each value follows its key.
 *
 * Invalid UTF-8 and NUL, which PostgreSQL refuses, become \xNN; a text beyond MP_FLEET_TEXT_MAX is cut, and its end
 * says so. Nothing is allocated; any thread.
 */

enum { MP_FLEET_TEXT_MAX = 16384 };

/* The most bytes that a value needs. */
enum { MP_FLEET_VALUE_MAX = 6 * MP_FLEET_TEXT_MAX + 64, MP_FLEET_KEY_MAX = 64 };

enum mp_fleet_kind { MP_FLEET_INT, MP_FLEET_REAL, MP_FLEET_TEXT, MP_FLEET_WORD };

/* The type of a column, as a report's @types writes it: "int", "int?" for one with NULL, "real", "text", "word". */
struct mp_fleet_type {
	enum mp_fleet_kind kind;
	bool nullable;
};

/* Read the next type of a list that blanks separate. Returns what follows it, or NULL for another word. */
const char *mp_fleet_type_next(struct mp_fleet_type *type, const char *list);

/* Begin a row. Returns the place behind. */
char *mp_fleet_put_row(char *dst, enum mp_fleet_engine engine, int columns);

/* What a value follows, with at most MP_FLEET_KEY_MAX bytes, and what a row ends with. Return the place behind. */
char *mp_fleet_put_key(char *dst, enum mp_fleet_engine engine, const char *name);
char *mp_fleet_put_end(char *dst, enum mp_fleet_engine engine);

/* Put a number of 32 bits, the type of words. */
char *mp_fleet_put_word(char *dst, enum mp_fleet_engine engine, uint32_t value);

/* Put a value, but a word. Returns the place behind, or NULL when the value is not of the type. */
char *mp_fleet_put(char *dst, enum mp_fleet_engine engine, struct mp_fleet_type type, const struct mp_value *value);

#endif
