// Golden files as sources in a page.

/**
 * What can be opened: a URL; or bytes, of a file that cannot be read as it should. Asked for what is not there, a server
 * has to refuse, and browsers complain of that whoever expected it.
 */
export async function open({ B2ndError }, { file, files, error }) {
  const url = new URL(`/golden/${file}`, location).href
  if (!error) return files ? `${url}/` : url
  if (!files) return blob(url)
  return {
    async part(number) {
      const name = number < 0 ? 'chunks.b2frame' : `${number.toString(16).toUpperCase().padStart(8, '0')}.chunk`
      if (!files.includes(name)) throw new B2ndError('format', `${name} is missing`)
      const bytes = new Uint8Array(await (await blob(`${url}/${name}`)).arrayBuffer())
      return { read: async (offset, length) => bytes.subarray(offset, offset + length) }
    },
  }
}

const blob = async url => (await fetch(url)).blob()
