/* suggest.c: the nearest command. */
#include "suggest.h"

#include <stdio.h>
#include <string.h>

#include "command.h"

enum { WORD_MAX = 15, NEAR = 2 };

static int least(int a, int b, int c)
{
	return a < b ? (a < c ? a : c) : (b < c ? b : c);
}

/* How many letters are to be changed, added, left out, or swapped with the next one. Both words have at most WORD_MAX. */
static int distance(const char *a, const char *b)
{
	int rows[WORD_MAX + 1][WORD_MAX + 1];
	int m = (int)strlen(a), n = (int)strlen(b);

	for (int i = 0; i <= m; i++)
		for (int k = 0; k <= n; k++) {
			if (!i || !k) {
				rows[i][k] = i + k;
				continue;
			}
			rows[i][k] = least(rows[i - 1][k] + 1, rows[i][k - 1] + 1, rows[i - 1][k - 1] + (a[i - 1] != b[k - 1]));
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] && rows[i - 2][k - 2] + 1 < rows[i][k])
				rows[i][k] = rows[i - 2][k - 2] + 1;
		}
	return rows[m][n];
}

const char *suggest_command(const char *word)
{
	static char best[WORD_MAX + 1];
	int nearest = NEAR + 1;

	if (!*word || strlen(word) > WORD_MAX)
		return NULL;
	for (const struct command *c = commands; c->name; c++) {
		char name[WORD_MAX + 1];
		int away;

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(c->name, " "), c->name);
		away = strncmp(name, word, strlen(word)) == 0 ? 1 : distance(word, name);
		if (away < nearest && away < (int)strlen(name) - 1) {
			nearest = away;
			memcpy(best, name, sizeof(best));
		}
	}
	return nearest <= NEAR ? best : NULL;
}
