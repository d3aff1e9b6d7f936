/* sanitized.h: whether a sanitizer is built in, which traces the process and writes reports from any thread. */
#ifndef MP_BASE_SANITIZED_H
#define MP_BASE_SANITIZED_H

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define MP_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MP_SANITIZED 1
#endif
#ifndef MP_SANITIZED
#define MP_SANITIZED 0
#endif

#endif
