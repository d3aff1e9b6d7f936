/*
 * replay.c: a fuzz target without a fuzzer: it gets each file of a directory once, in a program of any compiler.
 * Usage: the directory is that of the target's name in the seeds.
 */
#include "fuzz.h"

#include <dirent.h>

/* What a target may have; the fuzzer calls it first. */
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

const char fuzz_is_replay = 1;

static void replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = NULL;
	long size;

	CHECK(file && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0);
	/* no byte more than there is: a read behind the end is seen */
	CHECK(size == 0 || (data = malloc((size_t)size)));
	CHECK(fread(data, 1, (size_t)size, file) == (size_t)size && fclose(file) == 0);
	LLVMFuzzerTestOneInput(data, (size_t)size);
	free(data);
}

int main(int argc, char **argv)
{
	const char *name = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
	char directory[4096];
	char path[8192];
	int seeds = 0;
	DIR *dir;

	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(&argc, &argv);
	CHECK((size_t)snprintf(directory, sizeof(directory), "%s/%s", FUZZ_SEEDS, name) < sizeof(directory));
	CHECK((dir = opendir(directory)));
	for (struct dirent *e; (e = readdir(dir));) {
		if (e->d_name[0] == '.')
			continue;
		CHECK((size_t)snprintf(path, sizeof(path), "%s/%s", directory, e->d_name) < sizeof(path));
		/* the last line but the sanitizer's own names the seed */
		printf("[ RUN      ] %s_%d: %s\n", name, ++seeds, path);
		fflush(stdout);
		replay(path);
		printf("[       OK ] %s_%d\n", name, seeds);
	}
	CHECK(seeds > 0 && closedir(dir) == 0);
	return 0;
}
