/*
 * without_nss.c: stands for glibc's search for users in a static program. glibc would load libraries of its own version
 * for it, which a board lacks. This finds the users of /etc/passwd.
 */
#include <pwd.h>
#include <stdio.h>

struct passwd *getpwuid(uid_t uid)
{
	FILE *file = fopen("/etc/passwd", "re");
	struct passwd *user = NULL;

	if (!file)
		return NULL;
	do
		user = fgetpwent(file);
	while (user && user->pw_uid != uid);
	fclose(file);
	return user;
}
