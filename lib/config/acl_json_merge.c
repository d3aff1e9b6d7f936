/*
 * acl_json_merge.c: an acl.json with other settings: our members are written anew, other members are copied unchanged.
 */
#include "config/acl_json_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static int refuse(const struct mp_acl *a, struct mp_error *err)
{
	if (a->face.has_dump)
		return mp_fail(err, "acl.json has a 'dump': 'profiler' and 'dump' cannot be combined");
	return mp_acl_refuse_errors(&a->face, err);
}

/* The index of a key in the table when the key accepts the value; -1 with the reason in err. */
static int check_pair(const struct mp_acl *a, const struct mp_acl_pair *pair, struct mp_error *err)
{
	int at = mp_acl_find_key(a->table, pair->key);
	struct mp_error reason;

	if (at < 0)
		return mp_fail(err, "%s: unknown key", pair->key);
	if (mp_acl_check_value(&a->table.keys[at], pair->value, &reason))
		return mp_fail(err, "%s '%.200s': %.400s", pair->key, pair->value, reason.text);
	return at;
}

int mp_acl_json_merge(
    struct mp_acl_json *file, const char *output, const struct mp_acl_pair *overrides, struct mp_error *err)
{
	struct mp_acl *a = (struct mp_acl *)file;
	struct mp_acl_pair place = {"output", output};
	int status = refuse(a, err);

	if (!status && output && check_pair(a, &place, err) < 0)
		status = -1;
	for (const struct mp_acl_pair *p = overrides; !status && p && p->key; p++)
		if (check_pair(a, p, err) < 0)
			status = -1;
	/* from here on only memory can fail */
	for (int i = 0; !status && i < a->table.count; i++) {
		const struct mp_acl_key *key = &a->table.keys[i];

		if (output && !a->values[i] && strcmp(key->name, "output") == 0)
			status = mp_acl_set(a, i, output, MP_ACL_DEFAULT, err);
		else if (key->collect && a->origins[i] == MP_ACL_DEFAULT)
			status = mp_acl_set(a, i, key->collect, MP_ACL_DEFAULT, err);
	}
	for (const struct mp_acl_pair *p = overrides; !status && p && p->key; p++)
		status = mp_acl_set(a, mp_acl_find_key(a->table, p->key), p->value, MP_ACL_CALLER, err);
	mp_acl_settle(a);
	return status;
}
