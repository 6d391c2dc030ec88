/* Prints the sizes and offsets of the structs of blosc2.h: compiled with this header and with that of C-Blosc2, it prints the same. */
#include <b2nd.h>
#include <stddef.h>
#include <stdio.h>

#define SIZE(type) printf("%s %zu\n", #type, sizeof(type))
#define FIELD(type, field) printf("%s.%s %zu %zu\n", #type, #field, offsetof(type, field), sizeof(((type *)0)->field))

int main(void) {
  SIZE(blosc2_cparams);
  FIELD(blosc2_cparams, compcode);
  FIELD(blosc2_cparams, compcode_meta);
  FIELD(blosc2_cparams, clevel);
  FIELD(blosc2_cparams, use_dict);
  FIELD(blosc2_cparams, typesize);
  FIELD(blosc2_cparams, nthreads);
  FIELD(blosc2_cparams, blocksize);
  FIELD(blosc2_cparams, splitmode);
  FIELD(blosc2_cparams, schunk);
  FIELD(blosc2_cparams, filters);
  FIELD(blosc2_cparams, filters_meta);
  FIELD(blosc2_cparams, prefilter);
  FIELD(blosc2_cparams, preparams);
  FIELD(blosc2_cparams, tuner_params);
  FIELD(blosc2_cparams, tuner_id);
  FIELD(blosc2_cparams, instr_codec);
  FIELD(blosc2_cparams, codec_params);
  FIELD(blosc2_cparams, filter_params);
  SIZE(blosc2_dparams);
  FIELD(blosc2_dparams, nthreads);
  FIELD(blosc2_dparams, schunk);
  FIELD(blosc2_dparams, postfilter);
  FIELD(blosc2_dparams, postparams);
  FIELD(blosc2_dparams, typesize);
  SIZE(blosc2_io);
  FIELD(blosc2_io, id);
  FIELD(blosc2_io, name);
  FIELD(blosc2_io, params);
  SIZE(blosc2_storage);
  FIELD(blosc2_storage, contiguous);
  FIELD(blosc2_storage, urlpath);
  FIELD(blosc2_storage, cparams);
  FIELD(blosc2_storage, dparams);
  FIELD(blosc2_storage, io);
  SIZE(blosc2_metalayer);
  FIELD(blosc2_metalayer, name);
  FIELD(blosc2_metalayer, content);
  FIELD(blosc2_metalayer, content_len);
  SIZE(blosc2_schunk);
  FIELD(blosc2_schunk, version);
  FIELD(blosc2_schunk, compcode);
  FIELD(blosc2_schunk, compcode_meta);
  FIELD(blosc2_schunk, clevel);
  FIELD(blosc2_schunk, splitmode);
  FIELD(blosc2_schunk, typesize);
  FIELD(blosc2_schunk, blocksize);
  FIELD(blosc2_schunk, chunksize);
  FIELD(blosc2_schunk, flags2);
  FIELD(blosc2_schunk, use_dict);
  FIELD(blosc2_schunk, filters);
  FIELD(blosc2_schunk, filters_meta);
  FIELD(blosc2_schunk, nchunks);
  FIELD(blosc2_schunk, current_nchunk);
  FIELD(blosc2_schunk, nbytes);
  FIELD(blosc2_schunk, cbytes);
  FIELD(blosc2_schunk, data);
  FIELD(blosc2_schunk, data_len);
  FIELD(blosc2_schunk, storage);
  FIELD(blosc2_schunk, frame);
  FIELD(blosc2_schunk, cctx);
  FIELD(blosc2_schunk, dctx);
  FIELD(blosc2_schunk, metalayers);
  FIELD(blosc2_schunk, nmetalayers);
  FIELD(blosc2_schunk, vlmetalayers);
  FIELD(blosc2_schunk, nvlmetalayers);
  FIELD(blosc2_schunk, tuner_params);
  FIELD(blosc2_schunk, tuner_id);
  FIELD(blosc2_schunk, ndim);
  FIELD(blosc2_schunk, blockshape);
  FIELD(blosc2_schunk, view);
  FIELD(blosc2_schunk, change_tick);
  SIZE(b2nd_array_t);
  FIELD(b2nd_array_t, sc);
  FIELD(b2nd_array_t, shape);
  FIELD(b2nd_array_t, chunkshape);
  FIELD(b2nd_array_t, extshape);
  FIELD(b2nd_array_t, blockshape);
  FIELD(b2nd_array_t, extchunkshape);
  FIELD(b2nd_array_t, nitems);
  FIELD(b2nd_array_t, chunknitems);
  FIELD(b2nd_array_t, extnitems);
  FIELD(b2nd_array_t, blocknitems);
  FIELD(b2nd_array_t, extchunknitems);
  FIELD(b2nd_array_t, ndim);
  FIELD(b2nd_array_t, chunk_cache);
  FIELD(b2nd_array_t, item_array_strides);
  FIELD(b2nd_array_t, item_chunk_strides);
  FIELD(b2nd_array_t, item_extchunk_strides);
  FIELD(b2nd_array_t, item_block_strides);
  FIELD(b2nd_array_t, block_chunk_strides);
  FIELD(b2nd_array_t, chunk_array_strides);
  FIELD(b2nd_array_t, dtype);
  FIELD(b2nd_array_t, dtype_format);
  FIELD(b2nd_array_t, last_tick);
  printf("defaults");
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS, same = blosc2_get_blosc2_cparams_defaults();
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS, equal = blosc2_get_blosc2_dparams_defaults();
  for (int twice = 0; twice < 2; twice++, cparams = same, dparams = equal) {
    printf(" %d %d %d %d %d %d %d", cparams.compcode, cparams.clevel, (int)cparams.typesize, cparams.nthreads,
           (int)cparams.splitmode, cparams.filters[5], cparams.tuner_id);
    printf(" %d %d", dparams.nthreads, (int)dparams.typesize);
  }
  printf("\n");
  return 0;
}
