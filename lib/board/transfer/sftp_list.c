/* sftp_list.c: lists directories by sftp. Only checks that names are valid; the caller checks the rest. */
#include <stdio.h>
#include <string.h>

#include "board/transfer/sftp.h"
#include "board/transfer/tree.h"

enum { NAMES_MAX = 4 * MP_BUDGET_ENTRIES };

struct listing {
	const char *dir; /* the root of the listing */
	bool links;
	int (*each)(void *user, const char *path, const struct mp_sftp_attributes *attributes);
	void *user;
	const char *below;    /* the directory being read, relative; "" is dir */
	struct mp_tree queue; /* directories to be read */
	struct mp_tree link_queue;
	char handle[MP_SFTP_HANDLE_SIZE];
	size_t handle_len;
	size_t names;
	bool end;
	char target[MP_TREE_PATH];
};

static void read_attributes(struct mp_sftp_cursor *c, struct mp_sftp_attributes *a)
{
	uint32_t flags = mp_sftp_get_u32(c);
	uint64_t size;
	size_t len;

	*a = (struct mp_sftp_attributes){0};
	if (flags & MP_SFTP_HAS_SIZE) {
		size = mp_sftp_get_u64(c);
		a->size = size > INT64_MAX ? INT64_MAX : (int64_t)size;
	}
	if (flags & MP_SFTP_HAS_OWNER)
		(void)mp_sftp_get_u64(c);
	if (flags & MP_SFTP_HAS_MODE)
		a->mode = mp_sftp_get_u32(c);
	if (flags & MP_SFTP_HAS_TIMES) {
		(void)mp_sftp_get_u32(c);
		a->mtime_s = (int64_t)mp_sftp_get_u32(c);
	}
	if (flags & UINT32_C(0x80000000))
		for (uint32_t n = mp_sftp_get_u32(c); n && !c->bad; n--) {
			(void)mp_sftp_get_bytes(c, &len);
			(void)mp_sftp_get_bytes(c, &len);
		}
}

static int take_name(
    struct listing *l, const char *name, size_t len, struct mp_sftp_attributes *a, struct mp_error *err)
{
	char path[MP_TREE_PATH + 256];
	int go;

	if ((len == 1 && name[0] == '.') || (len == 2 && name[0] == '.' && name[1] == '.'))
		return 0;
	if (len == 0 || memchr(name, '/', len) || memchr(name, '\0', len))
		a->reason = "not a file name";
	if (len > 255 || strlen(l->below) + len + 2 > MP_TREE_PATH)
		a->reason = "a name too long";
	snprintf(path, sizeof(path), "%s%s%.*s", l->below, *l->below ? "/" : "", (int)(len < 255 ? len : 255), name);
	if (!a->reason && S_ISLNK(a->mode) && l->links) {
		struct mp_tree_entry *link = mp_tree_add(&l->link_queue, path, strlen(path), NULL, err);

		if (!link)
			return -1;
		link->mtime_s = a->mtime_s;
		link->mode = a->mode;
		return 0;
	}
	go = l->each(l->user, path, a);
	if (go > 0 && !a->reason && !mp_tree_add(&l->queue, path, strlen(path), NULL, err))
		return -1;
	return go < 0 ? -1 : 0;
}

static int names_came(
    struct mp_sftp *sftp, struct mp_sftp_request *request, const struct mp_sftp_answer *answer, struct mp_error *err)
{
	struct listing *l = request->owner;
	struct mp_sftp_cursor c = {.at = (const unsigned char *)answer->bytes};
	uint32_t count;

	mp_sftp_release(sftp, request);
	if (answer->type == MP_SFTP_STATUS && answer->status == MP_SFTP_EOF) {
		l->end = true;
		return 0;
	}
	if (answer->type != MP_SFTP_NAME)
		return mp_sftp_blame(answer, "list", *l->below ? l->below : l->dir, err);
	c.end = c.at + answer->size;
	count = mp_sftp_get_u32(&c);
	l->names += count;
	if (count == 0 || count > NAMES_MAX || l->names > NAMES_MAX)
		return mp_fail(err, "'%s' on the board holds too many names", l->dir);
	for (; count; count--) {
		struct mp_sftp_attributes a;
		size_t len, ignored;
		const char *name = mp_sftp_get_bytes(&c, &len);

		(void)mp_sftp_get_bytes(&c, &ignored);
		read_attributes(&c, &a);
		if (c.bad)
			return mp_fail(err, "invalid listing of '%s' from the board", l->dir);
		if (take_name(l, name, len, &a, err))
			return -1;
	}
	return 0;
}

static int dir_opened(
    struct mp_sftp *sftp, struct mp_sftp_request *request, const struct mp_sftp_answer *answer, struct mp_error *err)
{
	struct listing *l = request->owner;

	mp_sftp_release(sftp, request);
	if (answer->type != MP_SFTP_HANDLE)
		return mp_sftp_blame(answer, "list", *l->below ? l->below : l->dir, err);
	memcpy(l->handle, answer->bytes, answer->size);
	l->handle_len = answer->size;
	return 0;
}

static int list_dir(struct mp_sftp *sftp, struct listing *l, struct mp_error *err)
{
	struct mp_sftp_request *request = mp_sftp_begin(sftp, MP_SFTP_OPENDIR);

	request->owner = l;
	request->answered = dir_opened;
	mp_sftp_put_path(sftp, l->dir, l->below);
	mp_sftp_end_packet(sftp);
	if (mp_sftp_drain(sftp, err))
		return -1;
	for (l->end = false; !l->end;) {
		request = mp_sftp_begin(sftp, MP_SFTP_READDIR);
		request->owner = l;
		request->answered = names_came;
		mp_sftp_put_bytes(sftp, l->handle, l->handle_len);
		mp_sftp_end_packet(sftp);
		if (mp_sftp_drain(sftp, err))
			return -1;
	}
	mp_sftp_close_handle(sftp, l->handle, l->handle_len);
	return mp_sftp_drain(sftp, err);
}

static int link_came(
    struct mp_sftp *sftp, struct mp_sftp_request *request, const struct mp_sftp_answer *answer, struct mp_error *err)
{
	struct listing *l = request->owner;
	struct mp_sftp_cursor c = {.at = (const unsigned char *)answer->bytes};
	const char *target;
	size_t len = 0;

	(void)err;
	mp_sftp_release(sftp, request);
	l->target[0] = '\0';
	if (answer->type != MP_SFTP_NAME)
		return 0; /* unreadable: the target stays unknown */
	c.end = c.at + answer->size;
	(void)mp_sftp_get_u32(&c);
	target = mp_sftp_get_bytes(&c, &len);
	if (!c.bad && len < sizeof(l->target) && !memchr(target, '\0', len)) {
		memcpy(l->target, target, len);
		l->target[len] = '\0';
	}
	return 0;
}

static int list_links(struct mp_sftp *sftp, struct listing *l, struct mp_error *err)
{
	for (size_t i = 0; i < l->link_queue.count; i++) {
		const struct mp_tree_entry *link = &l->link_queue.entries[i];
		struct mp_sftp_attributes a = {.mode = link->mode, .mtime_s = link->mtime_s, .target = l->target};
		struct mp_sftp_request *request = mp_sftp_begin(sftp, MP_SFTP_READLINK);

		request->owner = l;
		request->answered = link_came;
		mp_sftp_put_path(sftp, l->dir, link->path);
		mp_sftp_end_packet(sftp);
		if (mp_sftp_drain(sftp, err) || l->each(l->user, link->path, &a) < 0)
			return -1;
	}
	return 0;
}

/* Read directories one after the other: a project or a JOB has few, and an answer has a hundred files. */
int mp_sftp_list(struct mp_sftp *sftp, const char *dir, bool links,
    int (*each)(void *user, const char *path, const struct mp_sftp_attributes *attributes), void *user,
    struct mp_error *err)
{
	struct listing l = {.dir = dir, .links = links, .each = each, .user = user, .below = ""};
	int status;

	mp_pipe_budget(&sftp->pipe, MP_BUDGET_LISTING);
	status = list_dir(sftp, &l, err);

	for (size_t i = 0; i < l.queue.count && !status; i++) {
		/* The array of the queue may move while the directory is read; the text does not. */
		l.below = l.queue.entries[i].path;
		status = list_dir(sftp, &l, err);
	}
	if (!status)
		status = list_links(sftp, &l, err);
	mp_tree_free(&l.queue);
	mp_tree_free(&l.link_queue);
	return status;
}
