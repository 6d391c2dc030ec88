// The documentation site: pages of docs/ and the READMEs of the parts. `npm --prefix docs run build` builds it and fails on dead links.
import { posix } from 'node:path'
import { defineConfig } from 'vitepress'
import { FILES, GROUPS, REPOSITORY, route } from '../pages.mjs'

/** Links between files become links between pages; those to other files lead to the repository. */
function links(md) {
  md.core.ruler.push('pages', state => {
    const here = FILES.find(file => `${route(file)}.md` === state.env.relativePath) ?? 'docs/index.md'
    for (const token of state.tokens.flatMap(token => token.children ?? [])) {
      if (token.type === 'link_open') token.attrSet('href', page(token.attrGet('href'), posix.dirname(here)))
      if (token.type === 'image') token.attrSet('src', image(token.attrGet('src'), posix.dirname(here)))
    }
  })
}

function page(href, folder) {
  const own = `${REPOSITORY}/blob/main/`
  const isOwn = href.startsWith(own)
  if (!isOwn && (/^[a-z]+:/.test(href) || href.startsWith('#'))) return href
  const [path, heading = ''] = (isOwn ? href.slice(own.length) : href).split('#')
  const file = isOwn ? path : posix.join(folder, path)
  const known = FILES.find(known => known === file || known === `${file}/README.md`)
  const end = heading && `#${heading}`
  return known ? `/${route(known)}${end}` : `${REPOSITORY}/blob/main/${file}${end}`
}

/** Cells without text are no headers of tables. */
function headers(md) {
  md.core.ruler.push('headers', ({ tokens }) => {
    for (const [k, token] of tokens.entries()) {
      if (token.type !== 'th_open' || tokens[k + 1].content) continue
      for (const cell of [token, tokens[k + 2]]) cell.tag = 'td'
    }
  })
}

const image = (src, folder) => (/^[a-z]+:/.test(src) ? src : `${REPOSITORY}/raw/main/${posix.join(folder, src)}`)

/** The anchor of a heading, as GitHub has it. */
const slugify = heading =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

const sidebar = Object.entries(GROUPS).map(([text, pages]) => ({
  text,
  items: Object.entries(pages).map(([file, text]) => ({ text, link: `/${route(file)}` })),
}))

export default defineConfig({
  title: 'b2nd',
  description: 'Blosc2 arrays in Rust, JavaScript, Python, on the command line and on microcontrollers',
  base: process.env.SITE_BASE ?? '/',
  srcDir: '.pages',
  outDir: 'dist',
  cleanUrls: true,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: md => md.use(links).use(headers),
    anchor: { slugify },
    // Braces behind code are text.
    attrs: { disable: true },
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Formats', link: '/format' },
      // No page of VitePress.
      { text: 'Viewer', link: '/viewer/index.html', target: '_self' },
      { text: 'Rust API', link: 'https://docs.rs/b2nd' },
    ],
    sidebar,
    // The name that the link has for screen readers is its text.
    notFound: { linkLabel: 'Take me home' },
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
  },
})
