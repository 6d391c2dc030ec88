// Looks for barriers in the pages of the site with axe, light and dark: `node axe.mjs CHROMIUM`.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'

const SITE = join(import.meta.dirname, 'dist')
const TYPES = { '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.svg': 'image/svg+xml' }
const require = createRequire(join(import.meta.dirname, '../www/package.json'))
const { chromium } = require('playwright-core')
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** The file at a path: pages are linked to without `.html`. */
function fileAt(path) {
  const file = join(SITE, decodeURIComponent(path))
  return [file, `${file}.html`, join(file, 'index.html')].find(file => existsSync(file) && statSync(file).isFile())
}

function serve({ url }, response) {
  const file = fileAt(new URL(url, 'http://localhost').pathname)
  response.writeHead(file ? 200 : 404, { 'content-type': TYPES[extname(file ?? '')] ?? 'application/octet-stream' })
  response.end(file && readFileSync(file))
}

const server = createServer(serve)
await new Promise(done => server.listen(0, 'localhost', done))
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] })
const names = readdirSync(SITE).filter(name => name.endsWith('.html'))
let found = 0
for (const colorScheme of ['light', 'dark']) {
  const page = await browser.newPage({ colorScheme })
  for (const name of names) {
    await page.goto(`http://localhost:${server.address().port}/${name.replace(/(index)?\.html$/, '')}`)
    await page.waitForFunction('document.querySelector("main, [role=main]")')
    await page.evaluate(axe)
    const { violations } = await page.evaluate('axe.run()')
    found += violations.length
    for (const { id, help, nodes } of violations) {
      console.error(`${name}, ${colorScheme}: ${id}: ${help}: ${nodes.map(node => node.html.slice(0, 100)).join('; ')}`)
    }
  }
}
await browser.close()
server.close()
console.log(`${names.length} pages, light and dark: axe finds ${found || 'nothing'}`)
process.exitCode = found ? 1 : 0
