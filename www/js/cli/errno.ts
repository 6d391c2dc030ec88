// Error numbers of WASI.

export const SUCCESS = 0
export const BADF = 8
export const INVAL = 28
export const IO = 29
export const NOENT = 44
export const NOSYS = 52
export const NOTDIR = 54
export const NOTSUP = 58

/** Error numbers by the codes of Node.js. */
const NUMBERS: Readonly<Record<string, number>> = {
  EACCES: 2,
  EAGAIN: 6,
  EBADF: BADF,
  EBUSY: 10,
  EDQUOT: 19,
  EEXIST: 20,
  EFBIG: 22,
  EINVAL: INVAL,
  EISDIR: 31,
  ELOOP: 32,
  EMFILE: 33,
  ENAMETOOLONG: 37,
  ENOENT: NOENT,
  ENOSPC: 51,
  ENOSYS: NOSYS,
  ENOTDIR: NOTDIR,
  ENOTEMPTY: 55,
  ENOTSUP: NOTSUP,
  EPERM: 63,
  EPIPE: 64,
  EROFS: 69,
  ESPIPE: 70,
  EXDEV: 75,
}

/** An error that has a number of WASI, but no code of Node.js. */
export class WasiError extends Error {
  readonly errno: number

  constructor(errno: number) {
    super(`errno ${errno}`)
    this.errno = errno
  }
}

/** The error number for what a call of Node.js throws. Anything else is thrown on. */
export function errnoOf(error: unknown): number {
  if (error instanceof WasiError) return error.errno
  const { code } = error as NodeJS.ErrnoException
  if (typeof code !== 'string') throw error
  return NUMBERS[code] ?? IO
}
