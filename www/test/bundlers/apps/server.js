// Answers with slices of the file behind the address in `?url=`.
import { openArray } from 'b2nd'
import { Blosc } from 'b2nd/codecs'
import { openArray as openExternal } from 'b2nd/external'
import { hdf5Filters } from 'b2nd/hdf5'
import { encodeArray } from 'b2nd/write'
import { register } from 'b2nd/zarr'

export async function answer(request) {
  const url = new URL(request.url).searchParams.get('url')
  const [data, external] = await Promise.all(
    [openArray, openExternal].map(async open => {
      const array = await open(url)
      const copy = await openArray(await encodeArray({ ...(await array.get()), dtype: array.dtype }))
      return String((await copy.get([null, null, 3])).data)
    }),
  )
  return Response.json({ data, external, entries: [Blosc, register, hdf5Filters[32026]].map(entry => typeof entry) })
}
