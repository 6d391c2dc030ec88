/* A program in C or C++ that uses every function of blosc.h. */
#include <blosc.h>
#include <stdio.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/wait.h>
#include <unistd.h>
#define HAS_FORK
#endif

#define CHECK(condition)                                                          \
  do {                                                                            \
    if (!(condition)) {                                                           \
      fprintf(stderr, "%s:%d: not %s\n", __FILE__, __LINE__, #condition);         \
      return 1;                                                                   \
    }                                                                             \
  } while (0)

enum { NBYTES = 4000000, ROOM = NBYTES + BLOSC_MAX_OVERHEAD };

static unsigned char plain[NBYTES], chunk[ROOM], back[NBYTES];

static int round_trip(const char *name, int code) {
  size_t nbytes, cbytes, blocksize, typesize, valid;
  int flags, version, compversion, length, item = 0;
  const char *compname = NULL;

  CHECK(blosc_set_compressor(name) == code);
  CHECK(strcmp(blosc_get_compressor(), name) == 0);
  CHECK(blosc_compcode_to_compname(code, &compname) == code && strcmp(compname, name) == 0);
  CHECK(blosc_compname_to_compcode(name) == code);
  CHECK(strstr(blosc_list_compressors(), name) != NULL);

  length = blosc_compress(5, BLOSC_SHUFFLE, 4, NBYTES, plain, chunk, ROOM);
  CHECK(length > 0 && length < NBYTES / 2);
  blosc_cbuffer_sizes(chunk, &nbytes, &cbytes, &blocksize);
  CHECK(nbytes == NBYTES && cbytes == (size_t)length && blocksize <= NBYTES);
  CHECK(blosc_cbuffer_validate(chunk, cbytes, &valid) == 0 && valid == NBYTES);
  CHECK(blosc_cbuffer_validate(chunk, cbytes - 1, &valid) == -1);
  blosc_cbuffer_metainfo(chunk, &typesize, &flags);
  CHECK(typesize == 4 && flags == BLOSC_DOSHUFFLE);
  blosc_cbuffer_versions(chunk, &version, &compversion);
  CHECK(version == BLOSC_VERSION_FORMAT && compversion == 1);
  CHECK(blosc_cbuffer_complib(chunk) != NULL);

  memset(back, 0, NBYTES);
  CHECK(blosc_decompress(chunk, back, NBYTES) == NBYTES && memcmp(plain, back, NBYTES) == 0);
  CHECK(blosc_getitem(chunk, 999999, 1, &item) == 4 && memcmp(plain + NBYTES - 4, &item, 4) == 0);
  memset(back, 0, NBYTES);
  CHECK(blosc_compress_ctx(9, BLOSC_BITSHUFFLE, 4, NBYTES, plain, chunk, ROOM, name, 0, 2) > 0);
  CHECK(blosc_decompress_ctx(chunk, back, NBYTES, 2) == NBYTES && memcmp(plain, back, NBYTES) == 0);
  return 0;
}

static int information(void) {
  char *library, *version;
  CHECK(strcmp(blosc_get_version_string(), BLOSC_VERSION_STRING) == 0);
  CHECK(blosc_get_complib_info(BLOSC_LZ4HC_COMPNAME, &library, &version) == BLOSC_LZ4_LIB);
  CHECK(strcmp(library, BLOSC_LZ4_LIBNAME) == 0 && strlen(version) > 0);
  free(library);
  free(version);
  return 0;
}

/* A child has none of its parent's threads. */
static int forked(void) {
#ifdef HAS_FORK
  int status = -1;
  pid_t child;
  CHECK(blosc_compress(5, BLOSC_SHUFFLE, 4, NBYTES, plain, chunk, ROOM) > 0);
  child = fork();
  if (child == 0) {
    alarm(20);
    _exit(blosc_decompress(chunk, back, NBYTES) != NBYTES || memcmp(plain, back, NBYTES) != 0);
  }
  CHECK(waitpid(child, &status, 0) == child && status == 0);
#endif
  return 0;
}

int main(void) {
  size_t at;
  for (at = 0; at < NBYTES; at++) plain[at] = (unsigned char)(at % 4 ? at >> (6 + at % 4) : at / 64);
  blosc_init();
  CHECK(blosc_get_nthreads() == 1 && blosc_set_nthreads(2) == 1 && blosc_get_nthreads() == 2);
  if (round_trip(BLOSC_BLOSCLZ_COMPNAME, BLOSC_BLOSCLZ) || round_trip(BLOSC_LZ4_COMPNAME, BLOSC_LZ4) ||
      round_trip(BLOSC_LZ4HC_COMPNAME, BLOSC_LZ4HC) || round_trip(BLOSC_SNAPPY_COMPNAME, BLOSC_SNAPPY) ||
      round_trip(BLOSC_ZLIB_COMPNAME, BLOSC_ZLIB) || round_trip(BLOSC_ZSTD_COMPNAME, BLOSC_ZSTD) ||
      information() || forked())
    return 1;
  blosc_set_blocksize(65536);
  CHECK(blosc_get_blocksize() == 65536);
  blosc_set_splitmode(BLOSC_NEVER_SPLIT);
  CHECK(blosc_free_resources() == 0);
  blosc_destroy();
  printf("passed\n");
  return 0;
}
