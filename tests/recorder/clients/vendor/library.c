/* library.c: a substitute for the vendor's library, which prints when it begins and ends. */
#include <stdio.h>

#ifdef SVP
#define INIT svp_acl_init
#define FINALIZE svp_acl_finalize
#else
#define INIT aclInit
#define FINALIZE aclFinalize
#endif

int INIT(const char *config);
int FINALIZE(void);

int INIT(const char *config)
{
	printf("vendor begins %s\n", config ? config : "-");
	return config && config[0] == '!' ? 100003 : 0;
}

int FINALIZE(void)
{
	printf("vendor ends\n");
	return 0;
}
