/* Chunks, super-chunks and arrays by the functions of blosc2.h. What it prints must not depend on the library that it is linked with.
 *
 *   frames write FOLDER     makes files and prints what it did
 *   frames read FOLDER      reads the files, which another library may have written
 */
#include <b2nd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t state = 1;

static uint32_t next(void) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

static void check(int holds, const char *what, int line) {
  if (!holds) {
    printf("line %d: %s\n", line, what);
    exit(1);
  }
}
#define CHECK(condition) check((condition) != 0, #condition, __LINE__)

static uint64_t digest(const void *data, size_t nbytes) {
  uint64_t hash = 1469598103934665603u;
  for (size_t at = 0; at < nbytes; at++) {
    hash = (hash ^ ((const uint8_t *)data)[at]) * 1099511628211u;
  }
  return hash;
}

/* Items that compress, with some noise. */
static void fill(uint8_t *data, size_t nbytes) {
  uint32_t noise = next() % 4;
  for (size_t at = 0; at < nbytes; at++) {
    data[at] = (uint8_t)((at / 37) ^ (noise == 0 ? 0 : next() % noise));
  }
}

static const int CODECS[] = {BLOSC_BLOSCLZ, BLOSC_LZ4, BLOSC_LZ4HC, BLOSC_ZLIB, BLOSC_ZSTD};
static const int FILTERS[] = {BLOSC_NOFILTER, BLOSC_SHUFFLE, BLOSC_BITSHUFFLE};
static const int TYPESIZES[] = {1, 2, 3, 4, 8, 16, 300};

static blosc2_cparams parameters(void) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.compcode = (uint8_t)CODECS[next() % 5];
  cparams.clevel = (uint8_t)(next() % 10);
  cparams.typesize = TYPESIZES[next() % 7];
  cparams.filters[5] = (uint8_t)FILTERS[next() % 3];
  cparams.nthreads = (int16_t)(1 + next() % 2);
  return cparams;
}

static void put(const char *folder, const char *kind, int n, const void *data, size_t nbytes) {
  char path[1000];
  snprintf(path, sizeof(path), "%s/%s%d", folder, kind, n);
  FILE *file = fopen(path, "wb");
  CHECK(file != NULL && fwrite(data, 1, nbytes, file) == nbytes);
  fclose(file);
}

static uint8_t *get(const char *folder, const char *kind, int n, size_t *nbytes) {
  char path[1000];
  snprintf(path, sizeof(path), "%s/%s%d", folder, kind, n);
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL);
  fseek(file, 0, SEEK_END);
  *nbytes = (size_t)ftell(file);
  rewind(file);
  uint8_t *data = malloc(*nbytes + 1);
  CHECK(fread(data, 1, *nbytes, file) == *nbytes);
  fclose(file);
  return data;
}

static void read_chunk(const char *folder, int n, int typesize) {
  size_t cbytes;
  int32_t nbytes, stored;
  uint8_t *chunk = get(folder, "chunk", n, &cbytes);
  CHECK(blosc2_cbuffer_sizes(chunk, &nbytes, &stored, NULL) == 0 && stored == (int32_t)cbytes);
  uint8_t *plain = malloc((size_t)nbytes + 1);
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  dparams.typesize = typesize;
  blosc2_context *dctx = blosc2_create_dctx(dparams);
  CHECK(blosc2_decompress_ctx(dctx, chunk, stored, plain, nbytes) == nbytes);
  CHECK(nbytes == 0 || blosc2_decompress_ctx(dctx, chunk, stored, plain, nbytes - 1) < 0);
  CHECK(blosc2_decompress_ctx(dctx, chunk, stored - 1, plain, nbytes) < 0);
  printf("chunk %d: %d bytes, %016llx", n, (int)nbytes, (unsigned long long)digest(plain, (size_t)nbytes));
  int nitems = nbytes / typesize, start = nitems / 3, count = nitems / 4;
  /* The header of a chunk has no more than one byte for the size of an item. */
  if (count > 0 && typesize <= 255) {
    int len = blosc2_getitem_ctx(dctx, chunk, stored, start, count, plain, nbytes);
    printf(", items %016llx", (unsigned long long)digest(plain, (size_t)len));
    CHECK(len == count * typesize);
  }
  printf("\n");
  CHECK(blosc2_cbuffer_complib(chunk) != NULL);
  blosc2_free_ctx(dctx);
  free(plain);
  free(chunk);
}

static void chunks(const char *folder, int writes) {
  for (int n = 0; n < 60; n++) {
    state = 1000 + (uint32_t)n;
    blosc2_cparams cparams = parameters();
    size_t nbytes = (size_t)cparams.typesize * (next() % 3 == 0 ? next() % 10 : next() % 20000);
    uint8_t *plain = malloc(nbytes + 1), *chunk = malloc(nbytes + BLOSC2_MAX_OVERHEAD);
    fill(plain, nbytes);
    if (writes) {
      blosc2_context *cctx = blosc2_create_cctx(cparams);
      int room = (int)nbytes + BLOSC2_MAX_OVERHEAD;
      int cbytes = blosc2_compress_ctx(cctx, plain, (int32_t)nbytes, chunk, room);
      CHECK(cbytes > 0 && cbytes <= room);
      put(folder, "chunk", n, chunk, (size_t)cbytes);
      blosc2_free_ctx(cctx);
    }
    read_chunk(folder, n, cparams.typesize);
    free(plain);
    free(chunk);
  }
}

static void show(blosc2_schunk *schunk, const char *what, int n) {
  CHECK(schunk != NULL);
  printf("%s %d: %d chunks of %d, %lld bytes, items of %d\n", what, n, (int)schunk->nchunks, (int)schunk->chunksize,
         (long long)schunk->nbytes, (int)schunk->typesize);
  for (int nchunk = 0; nchunk < schunk->nchunks; nchunk++) {
    uint8_t *chunk, *plain = malloc((size_t)schunk->chunksize + 1);
    bool needs_free;
    int nbytes = blosc2_schunk_decompress_chunk(schunk, nchunk, plain, schunk->chunksize);
    int cbytes = blosc2_schunk_get_lazychunk(schunk, nchunk, &chunk, &needs_free);
    int32_t known;
    CHECK(nbytes >= 0 && cbytes > 0 && blosc2_cbuffer_sizes(chunk, &known, NULL, NULL) == 0 && known == nbytes);
    printf("  %d: %d bytes, %016llx\n", nchunk, nbytes, (unsigned long long)digest(plain, (size_t)nbytes));
    if (needs_free) free(chunk);
    free(plain);
  }
  for (int at = 0; at < schunk->nmetalayers; at++) {
    blosc2_metalayer *layer = schunk->metalayers[at];
    CHECK(blosc2_meta_exists(schunk, layer->name) == at);
    printf("  %s: %d bytes, %016llx\n", layer->name, layer->content_len,
           (unsigned long long)digest(layer->content, (size_t)layer->content_len));
  }
  char *names[BLOSC2_MAX_METALAYERS];
  int count = blosc2_vlmeta_get_names(schunk, names);
  CHECK(count == schunk->nvlmetalayers);
  for (int at = 0; at < count; at++) {
    uint8_t *content;
    int32_t len;
    CHECK(blosc2_vlmeta_exists(schunk, names[at]) == at && blosc2_vlmeta_get(schunk, names[at], &content, &len) == at);
    printf("  %s: %d bytes, %016llx\n", names[at], (int)len, (unsigned long long)digest(content, (size_t)len));
    free(content);
  }
  CHECK(blosc2_meta_exists(schunk, "none") < 0 && blosc2_vlmeta_exists(schunk, "none") < 0);
}

static void frames(const char *folder, int writes) {
  for (int n = 0; n < 12; n++) {
    state = 2000 + (uint32_t)n;
    char path[1000];
    snprintf(path, sizeof(path), "%s/frame%d.b2frame", folder, n);
    blosc2_cparams cparams = parameters();
    blosc2_storage storage = {.contiguous = n % 3 != 2, .urlpath = n % 2 ? path : NULL, .cparams = &cparams};
    int32_t chunksize = cparams.typesize * (int32_t)(100 + next() % 3000);
    uint8_t *plain = malloc((size_t)chunksize);
    if (writes) {
      blosc2_schunk *schunk = blosc2_schunk_new(&storage);
      CHECK(schunk != NULL && schunk->nchunks == 0 && blosc2_meta_add(schunk, "grid", plain, 0) == 0);
      CHECK(blosc2_meta_update(schunk, "none", plain, 0) < 0);
      for (int64_t nchunk = 0; nchunk < 5; nchunk++) {
        fill(plain, (size_t)chunksize);
        CHECK(blosc2_schunk_append_buffer(schunk, plain, chunksize) == nchunk + 1);
      }
      uint8_t *stored, *chunk;
      bool needs_free;
      int cbytes = blosc2_schunk_get_chunk(schunk, 3, &stored, &needs_free);
      CHECK(cbytes > 0);
      /* It may be within the frame, which moves. */
      chunk = memcpy(malloc((size_t)cbytes), stored, (size_t)cbytes);
      if (needs_free) free(stored);
      CHECK(blosc2_schunk_append_chunk(schunk, chunk, true) == 6);
      CHECK(blosc2_schunk_update_chunk(schunk, 1, chunk, true) == 6);
      CHECK(blosc2_schunk_insert_chunk(schunk, 2, chunk, true) == 7);
      CHECK(blosc2_schunk_delete_chunk(schunk, 0) == 6);
      free(chunk);
      CHECK(blosc2_schunk_get_chunk(schunk, 6, &chunk, &needs_free) < 0);
      CHECK(blosc2_vlmeta_add(schunk, "unit", (uint8_t *)"\xa1K", 2, NULL) == 0);
      CHECK(blosc2_vlmeta_add(schunk, "unit", (uint8_t *)"\xa1K", 2, NULL) < 0);
      printf("%d", blosc2_vlmeta_add(schunk, "long", plain, chunksize, NULL));
      printf(" %d", blosc2_vlmeta_update(schunk, "unit", (uint8_t *)"\xa2mK", 3, NULL));
      printf(" %d", blosc2_vlmeta_add(schunk, "more", plain, 3, NULL));
      printf(" %d\n", blosc2_vlmeta_delete(schunk, "more"));
      int64_t items = schunk->nbytes / cparams.typesize;
      CHECK(blosc2_schunk_set_slice_buffer(schunk, items / 4, items / 4 + chunksize / cparams.typesize, plain) == 0);
      CHECK(blosc2_schunk_get_slice_buffer(schunk, items / 2, items / 2 + 100, plain) == 0);
      printf("items %016llx\n", (unsigned long long)digest(plain, 100 * (size_t)cparams.typesize));
      show(schunk, "new", n);
      if (storage.urlpath == NULL) {
        uint8_t *cframe;
        int64_t len = blosc2_schunk_to_buffer(schunk, &cframe, &needs_free);
        CHECK(len > 0);
        put(folder, "buffer", n, cframe, (size_t)len);
        if (needs_free) free(cframe);
      }
      blosc2_schunk_free(schunk);
    }
    size_t len = 0;
    uint8_t *cframe = storage.urlpath == NULL ? get(folder, "buffer", n, &len) : NULL;
    blosc2_schunk *schunk = storage.urlpath == NULL ? blosc2_schunk_from_buffer(cframe, (int64_t)len, true) : blosc2_schunk_open(path);
    show(schunk, "read", n);
    blosc2_schunk_free(schunk);
    free(cframe);
    free(plain);
  }
}

static void show_array(b2nd_array_t *array, int n) {
  printf("array %d: %d dimensions, %lld items, %s;", n, array->ndim, (long long)array->nitems, array->dtype);
  for (int axis = 0; axis < array->ndim; axis++) {
    printf(" %lld/%d/%d (%lld %lld) %lld %lld %lld", (long long)array->shape[axis], (int)array->chunkshape[axis],
           (int)array->blockshape[axis], (long long)array->extshape[axis], (long long)array->extchunkshape[axis],
           (long long)array->item_array_strides[axis], (long long)array->item_extchunk_strides[axis],
           (long long)array->block_chunk_strides[axis]);
  }
  size_t nbytes = (size_t)(array->nitems * array->sc->typesize);
  uint8_t *items = malloc(nbytes + 1);
  CHECK(b2nd_to_cbuffer(array, items, (int64_t)nbytes) == 0);
  printf("; %016llx\n", (unsigned long long)digest(items, nbytes));
  free(items);
}

static void arrays(const char *folder, int writes) {
  for (int n = 0; n < 16; n++) {
    state = 3000 + (uint32_t)n;
    char path[1000];
    snprintf(path, sizeof(path), "%s/array%d.b2nd", folder, n);
    blosc2_cparams cparams = parameters();
    cparams.typesize = TYPESIZES[next() % 6];
    blosc2_storage storage = {.contiguous = true, .urlpath = n % 2 ? path : NULL, .cparams = &cparams};
    int8_t ndim = (int8_t)(1 + next() % 4);
    int64_t shape[4], start[4], stop[4], lens[4], whole[4], nitems = 1, part = 1;
    int32_t chunkshape[4], blockshape[4];
    for (int axis = 0; axis < ndim; axis++) {
      chunkshape[axis] = 1 + (int32_t)(next() % 12);
      blockshape[axis] = 1 + (int32_t)(next() % (uint32_t)chunkshape[axis]);
      whole[axis] = shape[axis] = 1 + next() % 30;
      start[axis] = next() % shape[axis];
      stop[axis] = start[axis] + 1 + next() % (shape[axis] - start[axis]);
      lens[axis] = stop[axis] - start[axis];
      nitems *= shape[axis];
      part *= lens[axis];
    }
    int64_t nbytes = nitems * cparams.typesize;
    uint8_t *items = malloc((size_t)nbytes);
    fill(items, (size_t)nbytes);
    if (writes) {
      char dtype[20];
      snprintf(dtype, sizeof(dtype), "|V%d", (int)cparams.typesize);
      b2nd_context_t *ctx = b2nd_create_ctx(&storage, ndim, shape, chunkshape, blockshape, dtype, 0, NULL, 0);
      b2nd_array_t *array = NULL;
      CHECK(ctx != NULL && b2nd_from_cbuffer(ctx, &array, items, nbytes) == 0);
      show_array(array, n);
      CHECK(b2nd_get_slice_cbuffer(array, start, stop, items, lens, nbytes) == 0);
      printf("slice %016llx\n", (unsigned long long)digest(items, (size_t)(part * cparams.typesize)));
      memset(items, 0, (size_t)nbytes);
      CHECK(b2nd_get_slice_cbuffer(array, start, stop, items, whole, nbytes) == 0);
      printf("within %016llx\n", (unsigned long long)digest(items, (size_t)nbytes));
      fill(items, (size_t)nbytes);
      CHECK(b2nd_set_slice_cbuffer(items, lens, part * cparams.typesize, start, stop, array) == 0);
      show_array(array, n);
      shape[0] += 3;
      CHECK(b2nd_resize(array, shape, NULL) == 0);
      show_array(array, n);
      if (storage.urlpath == NULL) {
        CHECK(b2nd_save(array, path) == 0);
      }
      b2nd_free(array);
      b2nd_free_ctx(ctx);
    }
    b2nd_array_t *array = NULL;
    CHECK(b2nd_open(path, &array) == 0);
    show_array(array, n);
    show(array->sc, "schunk", n);
    b2nd_free(array);
    free(items);
  }
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  int writes = strcmp(argv[1], "write") == 0;
  blosc2_init();
  chunks(argv[2], writes);
  frames(argv[2], writes);
  arrays(argv[2], writes);
  blosc2_destroy();
  return 0;
}
