/* umask.c: reads the umask, which decides who can read the files of other programs in a job. */
#include "umask.h"

#include <sys/stat.h>

static mode_t read_umask(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return mask;
}

static bool is_careful(mode_t mask)
{
	return (mask & 0027) == 0027;
}

int umask_check(const struct options *o)
{
	mode_t mask = read_umask();

	if (is_careful(mask) || !options_has(o, OPTION_STRICT))
		return 0;
	message_error("umask %04o is too open: run 'umask 0027' first", (unsigned)mask);
	return -1;
}

void umask_warn(const struct options *o)
{
	mode_t mask = read_umask();

	if (is_careful(mask) || options_has(o, OPTION_QUIET) || options_has(o, OPTION_DRY_RUN))
		return;
	message_warning("umask %04o lets other users read the files of other programs in the job; to prevent that, run "
			"'umask 0027' first (files of msprof are always private)",
	    (unsigned)mask);
}
