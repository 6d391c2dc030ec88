// Error numbers of WASI.

/** Error numbers by the codes of Node.js. */
export const ERRNO = {
  EACCES: 2,
  EAGAIN: 6,
  EBADF: 8,
  EBUSY: 10,
  EDQUOT: 19,
  EEXIST: 20,
  EFBIG: 22,
  EINVAL: 28,
  EIO: 29,
  EISDIR: 31,
  ELOOP: 32,
  EMFILE: 33,
  ENAMETOOLONG: 37,
  ENOENT: 44,
  ENOSPC: 51,
  ENOSYS: 52,
  ENOTDIR: 54,
  ENOTEMPTY: 55,
  ENOTSUP: 58,
  EPERM: 63,
  EPIPE: 64,
  EROFS: 69,
  ESPIPE: 70,
  EXDEV: 75,
} as const

type Code = keyof typeof ERRNO

/** An error such as Node.js throws. */
export const systemError = (code: Code): Error => Object.assign(new Error(code), { code })

/** The error number for what a call of Node.js throws. Anything else is thrown on. */
export function errnoOf(error: unknown): number {
  const { code } = error as NodeJS.ErrnoException
  if (typeof code !== 'string') throw error
  return ERRNO[code as Code] ?? ERRNO.EIO
}
