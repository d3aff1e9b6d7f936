/*
 * audit.c: functions that a program looks up itself, with dlopen and dlsym, are recorded, too.
 *
 * The loader calls this library (LD_AUDIT, see rtld-audit(7)) for each symbol that it binds. The library lives in a
 * namespace of its own, with a C library of its own, so it shares nothing with the program. It finds one function of
 * libmsprof_preload.so, which knows the wrappers, and asks it for each name of the vendor that dlsym found.
 */
#define _GNU_SOURCE /* link.h */
#include <elf.h>
#include <link.h>
#include <string.h>

#include "recorder/wrap/wrap.h"

static const struct link_map *preload;

/* The loader asks for the name of its own width. */
#if __ELF_NATIVE_CLASS == 32
#define la_symbind64 la_symbind32
#endif

MSPROF_EXPORT unsigned la_version(unsigned version);
MSPROF_EXPORT unsigned la_objopen(struct link_map *map, Lmid_t namespace, uintptr_t *cookie);
MSPROF_EXPORT uintptr_t la_symbind64(
    ElfW(Sym) * symbol, unsigned index, uintptr_t *from, uintptr_t *to, unsigned *flags, const char *name);

unsigned la_version(unsigned version)
{
	return version < LAV_CURRENT ? version : LAV_CURRENT;
}

unsigned la_objopen(struct link_map *map, Lmid_t namespace, uintptr_t *cookie)
{
	const char *slash = strrchr(map->l_name, '/');

	*cookie = (uintptr_t)map;
	if (namespace == LM_ID_BASE && strcmp(slash ? slash + 1 : map->l_name, MP_WRAP_PRELOAD) == 0)
		preload = map;
	return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

static uint32_t hash_of(const char *name)
{
	uint32_t hash = 0;

	for (; *name; name++) {
		hash = (hash << 4) + (unsigned char)*name;
		hash ^= (hash & 0xf0000000) >> 24;
		hash &= 0x0fffffff;
	}
	return hash;
}

/* Look a name up in the hash table of a library: buckets, and chains of symbols. */
static void *find_symbol(const struct link_map *map, const char *name)
{
	const ElfW(Sym) *symbols = NULL;
	const char *texts = NULL;
	const uint32_t *table = NULL;

	for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_SYMTAB)
			symbols = (const void *)d->d_un.d_ptr;
		if (d->d_tag == DT_STRTAB)
			texts = (const void *)d->d_un.d_ptr;
		if (d->d_tag == DT_HASH)
			table = (const void *)d->d_un.d_ptr;
	}
	if (!symbols || !texts || !table)
		return NULL;
	for (uint32_t at = table[2 + hash_of(name) % table[0]]; at; at = table[2 + table[0] + at])
		if (strcmp(texts + symbols[at].st_name, name) == 0)
			return (void *)(map->l_addr + symbols[at].st_value);
	return NULL;
}

/* Before the program runs nothing is looked up by dlsym: then the preload may not be ready to be called. */
uintptr_t la_symbind64(
    ElfW(Sym) * symbol, unsigned index, uintptr_t *from, uintptr_t *to, unsigned *flags, const char *name)
{
	static void *(*bind)(const char *, void *);
	void *wrapper = NULL;

	(void)index;
	if (!preload || !(*flags & LA_SYMB_DLSYM) || *from == (uintptr_t)preload || *to == (uintptr_t)preload ||
	    (strncmp(name, "acl", 3) != 0 && strncmp(name, "svp_acl", 7) != 0))
		return symbol->st_value;
	if (!bind)
		*(void **)&bind = find_symbol(preload, "msprof_wrap_bind");
	if (bind)
		wrapper = bind(name, (void *)symbol->st_value);
	return wrapper ? (uintptr_t)wrapper : symbol->st_value;
}
