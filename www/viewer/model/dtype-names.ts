// Names of dtypes, for people.
const KINDS: Record<string, string> = { i: 'int', u: 'uint', f: 'float', c: 'complex' }

/** The name of a dtype as NumPy prints it: `uint16` for `<u2`. Others, such as `>u2` and `<U5`, stay: their letters tell what a name does not. */
export function dtypeName(dtype: string): string {
  if (dtype === '|b1') return 'bool'
  const [, kind, size] = /^[<|]([iufc])(\d+)$/.exec(dtype) ?? []
  return kind ? `${KINDS[kind]}${Number(size) * 8}` : dtype
}
