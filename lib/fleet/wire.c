/* wire.c: reads and writes frames. */
#include "fleet/wire.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static int write_all(int fd, const char *bytes, size_t size, struct mp_error *err)
{
	while (size) {
		ssize_t n = write(fd, bytes, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return mp_fail_errno(err, "cannot write to the other process");
		bytes += n;
		size -= (size_t)n;
	}
	return 0;
}

int mp_wire_write(int fd, enum mp_wire_kind kind, const void *bytes, size_t size, struct mp_error *err)
{
	const struct mp_wire_head head = {(uint32_t)kind, (uint32_t)size};

	return write_all(fd, (const char *)&head, sizeof(head), err) || write_all(fd, bytes, size, err) ? -1 : 0;
}

int mp_wire_read(int fd, void *bytes, size_t size, struct mp_error *err)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = read(fd, (char *)bytes + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return mp_fail_errno(err, "cannot read from the other process");
		if (n == 0 && done)
			return mp_fail(err, "the other process ended in the middle of a message");
		if (n == 0)
			return 0;
		done += (size_t)n;
	}
	return 1;
}

int mp_wire_head(int fd, struct mp_wire_head *head, struct mp_error *err)
{
	int status = mp_wire_read(fd, head, sizeof(*head), err);

	if (status == 1 && head->size > MP_WIRE_SIZE_MAX)
		return mp_fail(err, "the other process sent a message of %u bytes", head->size);
	return status;
}
