/*
 * app.c: an application that makes the calls of a family, given as arguments: the words of sequence.h. Prints each word
 * with its code. Another thread makes the calls after `thread`.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "sequence.h"

static void *run(void *arg)
{
	for (char **words = arg; *words; words++) {
		pthread_t id;

		if (strcmp(*words, "thread") == 0) {
			if (pthread_create(&id, NULL, run, words + 1) || pthread_join(id, NULL))
				return "thread";
			break;
		}
		printf("%s ", *words);
		fflush(stdout);
		printf("%d\n", run_word(*words));
		fflush(stdout);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	(void)argc;
	return run(argv + 1) ? 2 : 0;
}
