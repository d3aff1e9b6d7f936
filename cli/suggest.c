/* suggest.c: finds the nearest name by counting edits. */
#include "suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { NEAR = 2 };

static int least(int a, int b, int c)
{
	return a < b ? (a < c ? a : c) : (b < c ? b : c);
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* The edits between two words: letters changed, added, removed, or swapped with the next. Both words are shorter than
 * SUGGESTION_MAX. */
static int distance(const char *a, const char *b)
{
	int rows[SUGGESTION_MAX][SUGGESTION_MAX];
	int m = (int)strlen(a), n = (int)strlen(b);

	for (int i = 0; i <= m; i++)
		for (int k = 0; k <= n; k++) {
			if (!i || !k) {
				rows[i][k] = i + k;
				continue;
			}
			rows[i][k] = least(
			    rows[i - 1][k] + 1, rows[i][k - 1] + 1, rows[i - 1][k - 1] + !same(a[i - 1], b[k - 1]));
			if (i > 1 && k > 1 && same(a[i - 1], b[k - 2]) && same(a[i - 2], b[k - 1]) &&
			    rows[i - 2][k - 2] + 1 < rows[i][k])
				rows[i][k] = rows[i - 2][k - 2] + 1;
		}
	return rows[m][n];
}

void suggest_offer(struct suggestion *s, const char *name)
{
	size_t len = strlen(s->word), name_len = strlen(name);
	int away;

	if (!len || len >= SUGGESTION_MAX || name_len >= SUGGESTION_MAX)
		return;
	away = strncasecmp(name, s->word, len) == 0 ? 1 : distance(s->word, name);
	if (away > NEAR || away >= (int)name_len - 1 || (s->best[0] && away >= s->away))
		return;
	s->away = away;
	memcpy(s->best, name, name_len + 1);
}
