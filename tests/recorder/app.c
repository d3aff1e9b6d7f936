/* app.c: an application that makes the calls of a family, told by its arguments: the words of sequence.h; prints their
 * codes. */
#include <stdio.h>

#include "sequence.h"

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		printf("%s ", argv[i]);
		fflush(stdout);
		printf("%d\n", run_word(argv[i]));
		fflush(stdout);
	}
	return 0;
}
