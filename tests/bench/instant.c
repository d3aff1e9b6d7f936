/* instant.c: a substitute for the vendor's library with empty functions, to measure the cost of a call. */
int aclInit(const char *config);
int aclFinalize(void);
int aclrtSetDevice(int device);

int aclInit(const char *config)
{
	(void)config;
	return 0;
}

int aclFinalize(void)
{
	return 0;
}

int aclrtSetDevice(int device)
{
	return device;
}
