/* their_table.c: reads the tables of a board's own tool, and compares cells with ours. */
#include "import/import_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/text.h"
#include "base/vec.h"

/* Our numbers that are not whole are rounded to two decimals or more; zeros at their ends are not written. */
enum { FILE_SIZE_MAX = 64 << 20, DECIMALS_MIN = 2, CELL_MAX = 4096 };

static int add_cell(struct mp_their_table *s, char *text, struct mp_error *err)
{
	if (!mp_vec_room(s->cells, s->count, 1))
		return mp_fail_memory(err, "a table");
	s->cells[s->count++] = text;
	return 0;
}

/* End the cell at *at with NUL, without its quotes. Returns the character behind the cell. */
static char end_cell(char **at)
{
	char *from = *at, *to = *at, behind;
	bool quoted = *from == '"';

	from += quoted;
	for (; *from && (quoted || !strchr(",\r\n", *from)); from++) {
		if (quoted && *from == '"' && from[1] != '"') {
			quoted = false;
			continue;
		}
		from += quoted && *from == '"';
		*to++ = *from;
	}
	behind = *from;
	*to = '\0';
	*at = from + (behind != '\0');
	if (behind == '\r' && **at == '\n')
		++*at;
	return behind;
}

/* The decimals of a number, without zeros at its end. */
static int decimals_of(const char *cell)
{
	const char *dot = strchr(cell, '.');
	size_t count = dot ? strspn(dot + 1, "0123456789") : 0;

	while (count && dot[count] == '0')
		count--;
	return (int)count;
}

/* Count the most decimals of each column; zeros at the end of a cell may be missing. */
static void count_decimals(struct mp_their_table *s)
{
	for (size_t i = (size_t)s->columns; i < s->count; i++) {
		int *most = &s->decimals[i % (size_t)s->columns], own = decimals_of(s->cells[i]);

		*most = own > *most ? own : *most;
	}
}

/* Divide the text of a table into cells. Returns 1 where its rows are not equally long, -1 with err. */
static int divide(struct mp_their_table *s, struct mp_error *err)
{
	char *at = s->text + (memcmp(s->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
	int column = 0;

	while (*at) {
		char *cell = at, behind = end_cell(&at);

		if (add_cell(s, cell, err))
			return -1;
		column++;
		if (behind == ',')
			continue;
		if (!s->columns)
			s->columns = column;
		if (column != s->columns)
			return 1;
		column = 0;
	}
	if (column != 0 || s->columns < 2 || s->columns > MP_THEIR_COLUMNS_MAX)
		return 1;
	count_decimals(s);
	return 0;
}

void mp_their_table_free(struct mp_their_table *s)
{
	free(s->cells);
	free(s->text);
	memset(s, 0, sizeof(*s));
}

int mp_their_table_read(struct mp_their_table *s, int dirfd, const char *name, struct mp_error *err)
{
	struct stat st;
	int fd = mp_dir_open_file(dirfd, name, &st), status = 1;

	memset(s, 0, sizeof(*s));
	if (fd < 0)
		return 1;
	if (st.st_size > 0 && st.st_size <= FILE_SIZE_MAX) {
		s->text = calloc(1, (size_t)st.st_size + 4);
		status = !s->text ? mp_fail_memory(err, "a table")
			 : mp_file_read(fd, s->text, (size_t)st.st_size, 0) == st.st_size ? divide(s, err)
											  : 1;
	}
	close(fd); /* only read */
	return status;
}

bool mp_their_table_says_nothing(const char *cell)
{
	return !*cell || strcmp(cell, "N/A") == 0 || strcmp(cell, "-") == 0 || strcmp(cell, "nan") == 0;
}

/* A name in another encoding, or one that '~' cuts, can be compared in part. */
static bool is_same_text(const char *ours, const char *theirs)
{
	const size_t len = strlen(theirs);

	return !mp_utf8_valid(theirs, len) ||
	       (len > 1 && theirs[len - 1] == '~' && strncmp(ours, theirs, len - 1) == 0);
}

bool mp_their_table_is_same(const struct mp_their_table *s, int column, const char *ours, const char *theirs)
{
	char *end_ours, *end_theirs;
	long double x, y, unit;
	int a, b;

	if (strnlen(theirs, CELL_MAX) == CELL_MAX) /* no cell of ours is so long */
		return false;
	if (strcmp(ours, theirs) == 0 || (mp_their_table_says_nothing(ours) && mp_their_table_says_nothing(theirs)))
		return true;
	x = strtold(ours, &end_ours);
	y = strtold(theirs, &end_theirs);
	end_ours += strspn(end_ours, "\t"); /* behind times, so that spreadsheets take them as texts */
	end_theirs += strspn(end_theirs, "\t");
	if (*end_ours || *end_theirs || !*ours || !*theirs || !isfinite(x) || !isfinite(y))
		return is_same_text(ours, theirs);
	a = decimals_of(ours);
	b = s->decimals[column];
	if (a == 0 && b == 0)
		return x == y;
	a = a < DECIMALS_MIN ? DECIMALS_MIN : a;
	unit = powl(10, -(a < b ? a : b));
	return fabsl(x - y) <= 1.01L * unit + fminl(unit, 1e-9L * fabsl(y)); /* theirs may be of doubles */
}
