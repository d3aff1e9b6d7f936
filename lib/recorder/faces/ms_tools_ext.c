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
enum core { CORE_MARK = 1, CORE_RANGE_START, CORE_RANGE_END, CORE_TOOL_ID, CORE_COUNT };
enum domain { DOMAIN_CREATE = 1, DOMAIN_DESTROY, DOMAIN_MARK, DOMAIN_RANGE_START, DOMAIN_RANGE_END, DOMAIN_COUNT };
enum memory { HEAP_REGISTER = 1, HEAP_UNREGISTER, REGIONS_REGISTER, REGIONS_UNREGISTER, MEMORY_COUNT };

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

static const function core_functions[CORE_COUNT] = {
    [CORE_MARK] = (function)mark,
    [CORE_RANGE_START] = (function)range_start,
    [CORE_RANGE_END] = (function)range_end,
    [CORE_TOOL_ID] = (function)get_tool_id,
};
static const function domain_functions[DOMAIN_COUNT] = {
    [DOMAIN_CREATE] = (function)domain_create,
    [DOMAIN_DESTROY] = (function)domain_destroy,
    [DOMAIN_MARK] = (function)domain_mark,
    [DOMAIN_RANGE_START] = (function)domain_range_start,
    [DOMAIN_RANGE_END] = (function)domain_range_end,
};

static const function memory_functions[MEMORY_COUNT] = {
    [HEAP_REGISTER] = (function)heap_register,
    [HEAP_UNREGISTER] = (function)heap_unregister,
    [REGIONS_REGISTER] = (function)regions_register,
    [REGIONS_UNREGISTER] = (function)regions_unregister,
};

/* Programs of earlier versions have fewer functions, no domains, or no memory. */
static int fill(table_getter get_table, enum module module, const function *functions, unsigned count)
{
	function **table = NULL;
	unsigned size = 0;

	if (get_table((int)module, &table, &size) != MSTX_SUCCESS || !table)
		return MSTX_FAIL;
	for (unsigned i = 1; i < count && i < size; i++)
		if (table[i])
			*table[i] = functions[i];
	return MSTX_SUCCESS;
}

int InitInjectionMstx(table_getter get_table)
{
	if (!get_table || fill(get_table, MODULE_CORE, core_functions, CORE_COUNT) != MSTX_SUCCESS)
		return MSTX_FAIL;
	fill(get_table, MODULE_DOMAIN, domain_functions, DOMAIN_COUNT);
	fill(get_table, MODULE_MEMORY, memory_functions, MEMORY_COUNT);
	return MSTX_SUCCESS;
}

void mstxMarkA(const char *message, aclrtStream stream)
{
	mark(message, stream);
}

mstxRangeId mstxRangeStartA(const char *message, aclrtStream stream)
{
	return range_start(message, stream);
}

void mstxRangeEnd(mstxRangeId id)
{
	range_end(id);
}

void mstxGetToolId(uint64_t *id)
{
	get_tool_id(id);
}

mstxDomainHandle_t mstxDomainCreateA(const char *name)
{
	return domain_create(name);
}

void mstxDomainDestroy(mstxDomainHandle_t domain)
{
	domain_destroy(domain);
}

void mstxDomainMarkA(mstxDomainHandle_t domain, const char *message, aclrtStream stream)
{
	domain_mark(domain, message, stream);
}

mstxRangeId mstxDomainRangeStartA(mstxDomainHandle_t domain, const char *message, aclrtStream stream)
{
	return domain_range_start(domain, message, stream);
}

void mstxDomainRangeEnd(mstxDomainHandle_t domain, mstxRangeId id)
{
	domain_range_end(domain, id);
}

mstxMemHeapHandle_t mstxMemHeapRegister(mstxDomainHandle_t domain, const mstxMemHeapDesc_t *desc)
{
	return heap_register(domain, desc);
}

void mstxMemHeapUnregister(mstxDomainHandle_t domain, mstxMemHeapHandle_t heap)
{
	heap_unregister(domain, heap);
}

void mstxMemRegionsRegister(mstxDomainHandle_t domain, const mstxMemRegionsRegisterBatch_t *desc)
{
	regions_register(domain, desc);
}

void mstxMemRegionsUnregister(mstxDomainHandle_t domain, const mstxMemRegionsUnregisterBatch_t *desc)
{
	regions_unregister(domain, desc);
}

void mstxMemPermissionsAssign(mstxDomainHandle_t domain, const mstxMemPermissionsAssignBatch_t *desc)
{
	(void)domain, (void)desc;
}
