// The pages of the site, and the files that have their text. `node pages.mjs` copies these to .pages, where VitePress finds them,
// with plots of the benchmarks, and the viewer, if it has been built.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withPlots } from './plots.mjs'

export const REPOSITORY = 'https://github.com/b2nd/b2nd'

/** Titles by files, in the order of the sidebar. */
export const GROUPS = {
  'First steps': {
    'docs/start.md': 'Two minutes',
    'docs/tool.md': 'The command b2nd',
    'www/README.md': 'JavaScript',
    'python/README.md': 'Python',
    'docs/embedded.md': 'Microcontrollers',
    'www/viewer/README.md': 'The viewer',
  },
  Guides: {
    'docs/support.md': 'What is supported',
    'docs/moving.md': 'From other libraries',
    'docs/files.md': 'Files on disk',
    'docs/object-stores.md': 'Object stores and URLs',
    'docs/zarr.md': 'Zarr',
    'docs/sql.md': 'SQL',
    'docs/c.md': 'C, C++ and HDF5',
    'integrations/zarrs/README.md': 'The crate zarrs',
    'integrations/icechunk/README.md': 'Icechunk',
    'integrations/jpeg2000/README.md': 'JPEG 2000',
    'examples/dask/README.md': 'Dask',
    'www/jupyter/README.md': 'Notebooks',
    'www/vscode/README.md': 'VS Code',
    'docs/scale.md': 'At scale',
    'SECURITY.md': 'Security',
  },
  Reference: {
    'docs/format.md': 'The formats',
    'docs/implementations.md': 'Implementations compared',
    'docs/reference-bugs.md': 'Bugs of the reference',
    'conformance/README.md': 'The corpus of conformance',
    'www/API.md': 'The JavaScript API',
    'docs/speed.md': 'Speed',
    'benches/RESULTS.md': 'Benchmarks',
    'CHANGELOG.md': 'Changes',
  },
  Contributing: {
    'CONTRIBUTING.md': 'A change',
    'docs/building.md': 'Building',
    'ARCHITECTURE.md': 'The code',
    'docs/testing.md': 'Tests',
    'RELEASING.md': 'Releases',
  },
}
export const FILES = Object.values(GROUPS).flatMap(Object.keys)

/** The page of a file: `docs/tool.md` is `tool`, `www/README.md` is `www`. */
export const route = file =>
  file
    .replace(/^docs\//, '')
    .replace(/\/README\.md$|\.md$/, '')
    .replaceAll('/', '-')
    .toLowerCase()

/** The text of a page: with plots, and code blocks whose language is all that the site's highlighter reads. */
const page = text => withPlots(text).replace(/^```(\w+),\w+$/gm, '```$1')

if (process.argv[1] === import.meta.filename) {
  const [root, pages] = [join(import.meta.dirname, '..'), join(import.meta.dirname, '.pages')]
  rmSync(pages, { recursive: true, force: true })
  mkdirSync(pages)
  copyFileSync(join(root, 'docs/index.md'), join(pages, 'index.md'))
  for (const file of FILES) writeFileSync(join(pages, `${route(file)}.md`), page(readFileSync(join(root, file), 'utf8')))
  // With its examples.
  const viewer = join(root, 'www/dist/viewer')
  if (existsSync(viewer)) cpSync(viewer, join(pages, 'public/viewer'), { recursive: true })
}
