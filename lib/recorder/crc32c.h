/* crc32c.h: the checksum of records that go through a pipe. */
#ifndef MP_RECORDER_CRC32C_H
#define MP_RECORDER_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* CRC-32C (Castagnoli), begun with all ones and not inverted at the end. */
uint32_t mp_crc32c(const void *bytes, size_t size);

#endif
