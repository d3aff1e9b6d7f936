/* help_list.c: prints entries of lists and wraps their texts. */
#include "help_list.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 80 };

void help_list_entry(const char *name, int indent, const char *text)
{
	int at = printf("  %s", name);

	if (at + 1 >= indent) {
		putchar('\n');
		at = 0;
	}
	at += printf("%*s", indent - at, "");
	while (*text) {
		int len = (int)strcspn(text, " ");

		if (at > indent && at + 1 + len > WIDTH)
			at = printf("\n%*s", indent, "") - 1;
		at += printf("%s%.*s", at > indent ? " " : "", len, text);
		text += len + (text[len] == ' ');
	}
	putchar('\n');
}
