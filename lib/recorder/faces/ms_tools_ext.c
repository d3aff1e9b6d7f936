/*
 * ms_tools_ext.c: the calls of mstx, as libms_tools_ext.so for programs that link it, and as an injection for programs
 * whose mstx looks for a tool in the variable MSTX_INJECTION_PATH. Contains only names; recorder/face.h does the work.
 *
 * Such a program asks for InitInjectionMstx and passes a function that gives its tables of functions by module. A table
 * has an address for each function where the program looks for the tool's function.
 */
#include "recorder/include/mstx/ms_tools_ext.h"

#include "recorder/face.h"

enum module { MODULE_CORE = 1, MODULE_DOMAIN, MODULE_MEMORY };

typedef void (*function)(void);
typedef int (*table_getter)(int module, function ***table, unsigned *size);

MSTX_DECLSPEC int InitInjectionMstx(table_getter get_table);

static struct msprof_mstx_domain *domain_of(mstxDomainHandle_t handle)
{
	return (struct msprof_mstx_domain *)handle;
}

/* The static functions are the tool's: an exported name may be that of another library. */
static void mark(const char *message, aclrtStream stream)
{
	msprof_wrap_begin();
	msprof_mstx_mark(NULL, message, stream);
}

static mstxRangeId range_start(const char *message, aclrtStream stream)
{
	msprof_wrap_begin();
	return msprof_mstx_range_start(NULL, message, stream);
}

static void range_end(mstxRangeId id)
{
	msprof_mstx_range_end(id);
}

static void get_tool_id(uint64_t *id)
{
	if (id)
		*id = MSTX_TOOL_MSPROF_ID;
}

static mstxDomainHandle_t domain_create(const char *name)
{
	return (mstxDomainHandle_t)msprof_mstx_create(name);
}

static void domain_destroy(mstxDomainHandle_t domain)
{
	msprof_mstx_destroy(domain_of(domain));
}

/* NULL is no domain here: the default domain has functions of its own. */
static void domain_mark(mstxDomainHandle_t domain, const char *message, aclrtStream stream)
{
	msprof_wrap_begin();
	if (domain)
		msprof_mstx_mark(domain_of(domain), message, stream);
}

static mstxRangeId domain_range_start(mstxDomainHandle_t domain, const char *message, aclrtStream stream)
{
	msprof_wrap_begin();
	return domain ? msprof_mstx_range_start(domain_of(domain), message, stream) : MSTX_INVALID_RANGE_ID;
}

static void domain_range_end(mstxDomainHandle_t domain, mstxRangeId id)
{
	(void)domain; /* the number tells the range */
	msprof_mstx_range_end(id);
}

static mstxMemHeapHandle_t heap_register(mstxDomainHandle_t domain, const mstxMemHeapDesc_t *desc)
{
	(void)domain, (void)desc;
	return NULL;
}

static void heap_unregister(mstxDomainHandle_t domain, mstxMemHeapHandle_t heap)
{
	(void)domain, (void)heap;
}

static void regions_register(mstxDomainHandle_t domain, const mstxMemRegionsRegisterBatch_t *desc)
{
	(void)domain, (void)desc;
}

static void regions_unregister(mstxDomainHandle_t domain, const mstxMemRegionsUnregisterBatch_t *desc)
{
	(void)domain, (void)desc;
}

/* By the numbers of mstx, from 1 on. */
static const function core_functions[] = {
    NULL, (function)mark, (function)range_start, (function)range_end, (function)get_tool_id};
static const function domain_functions[] = {NULL, (function)domain_create, (function)domain_destroy,
    (function)domain_mark, (function)domain_range_start, (function)domain_range_end};
static const function memory_functions[] = {
    NULL, (function)heap_register, (function)heap_unregister, (function)regions_register, (function)regions_unregister};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* Programs of earlier versions have fewer functions, no domains, or no memory. */
static int fill(table_getter get_table, enum module module, const function *functions, size_t count)
{
	function **table = NULL;
	unsigned size = 0;

	if (get_table((int)module, &table, &size) != MSTX_SUCCESS || !table)
		return MSTX_FAIL;
	for (size_t i = 1; i < count && i < size; i++)
		if (table[i])
			*table[i] = functions[i];
	return MSTX_SUCCESS;
}

int InitInjectionMstx(table_getter get_table)
{
	if (!get_table || fill(get_table, MODULE_CORE, core_functions, COUNT(core_functions)) != MSTX_SUCCESS)
		return MSTX_FAIL;
	fill(get_table, MODULE_DOMAIN, domain_functions, COUNT(domain_functions));
	fill(get_table, MODULE_MEMORY, memory_functions, COUNT(memory_functions));
	return MSTX_SUCCESS;
}

/* Programs that link the library call the same. */
#define EXPORT(name, is) extern __typeof__(is)(name) __attribute__((alias(#is)))
EXPORT(mstxMarkA, mark);
EXPORT(mstxRangeStartA, range_start);
EXPORT(mstxRangeEnd, range_end);
EXPORT(mstxGetToolId, get_tool_id);
EXPORT(mstxDomainCreateA, domain_create);
EXPORT(mstxDomainDestroy, domain_destroy);
EXPORT(mstxDomainMarkA, domain_mark);
EXPORT(mstxDomainRangeStartA, domain_range_start);
EXPORT(mstxDomainRangeEnd, domain_range_end);
EXPORT(mstxMemHeapRegister, heap_register);
EXPORT(mstxMemHeapUnregister, heap_unregister);
EXPORT(mstxMemRegionsRegister, regions_register);
EXPORT(mstxMemRegionsUnregister, regions_unregister);

void mstxMemPermissionsAssign(mstxDomainHandle_t domain, const mstxMemPermissionsAssignBatch_t *desc)
{
	(void)domain, (void)desc;
}
