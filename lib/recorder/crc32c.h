/* crc32c.h: the checksum of records in a pipe. No state; any thread. */
#ifndef MP_RECORDER_CRC32C_H
#define MP_RECORDER_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* CRC-32C (Castagnoli), starting with all ones and not inverted at the end. */
uint32_t mp_crc32c(const void *bytes, size_t size);

#endif
