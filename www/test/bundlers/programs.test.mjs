// Programs read files and decode in workers, plain and bundled, in each runtime.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { app, EXPECTED, PATH, project, run } from './project.mjs'

const WEBPACK = `
  import webpack from 'webpack'
  const output = { path: process.cwd() + '/webpack', filename: 'app.cjs' }
  webpack({ mode: 'production', target: 'node', entry: './app.js', output }, (error, stats) => {
    if (error ?? stats.hasErrors()) throw error ?? new Error(stats.toString())
  })`
/** How a bundler makes a program, if one does, and what runs it. */
const PROGRAMS = {
  node: { run: ['node', 'app.js'] },
  bun: { run: ['bun', 'app.js'] },
  deno: { run: ['deno', 'run', '--allow-all', '--node-modules-dir=manual', 'app.js'] },
  'esbuild for Node.js': {
    build: [
      'esbuild',
      'app.js',
      '--bundle',
      '--minify',
      '--platform=node',
      '--format=esm',
      '--outfile=esbuild/app.mjs',
    ],
    run: ['node', 'esbuild/app.mjs'],
  },
  'esbuild as CommonJS': {
    build: ['esbuild', 'app.js', '--bundle', '--platform=node', '--log-level=error', '--outfile=esbuild/app.cjs'],
    run: ['node', 'esbuild/app.cjs'],
  },
  'esbuild for Deno': {
    build: ['esbuild', 'app.js', '--bundle', '--platform=node', '--format=esm', '--outfile=esbuild/deno.mjs'],
    run: ['deno', 'run', '--allow-all', 'esbuild/deno.mjs'],
  },
  rollup: {
    build: [
      'rollup',
      'app.js',
      '--dir=rollup',
      '--external=node:fs/promises,node:path,node:url',
      '--plugin',
      'node-resolve={exportConditions:["node"]}',
    ],
    run: ['node', 'rollup/app.js'],
  },
  vite: {
    build: ['vite', 'build', '--ssr', 'app.js', '--outDir=vite', '--logLevel=warn'],
    run: ['node', 'vite/app.js'],
  },
  webpack: { build: ['node', '--input-type=module', '--eval', WEBPACK], run: ['node', 'webpack/app.cjs'] },
  'bun build for Node.js': {
    build: ['bun', 'build', 'app.js', '--target=node', '--outdir=bun'],
    run: ['node', 'bun/app.js'],
  },
  'bun build for Bun': {
    build: ['bun', 'build', 'app.js', '--target=bun', '--outdir=bun-bun'],
    run: ['bun', 'bun-bun/app.js'],
  },
}
let folder

before(async () => {
  // Vite leaves packages of servers where they are unless told otherwise.
  const config = 'export default { ssr: { noExternal: true } }'
  folder = await project('programs', { 'app.js': await app('program.js'), 'vite.config.js': config })
})

for (const [
  name,
  {
    build,
    run: [program, ...args],
  },
] of Object.entries(PROGRAMS)) {
  test(name, async () => {
    if (build) await run(folder, build[0], build.slice(1))
    const printed = await run(folder, program, [...args, PATH])
    assert.deepEqual(JSON.parse(printed), { slices: Array(4).fill(EXPECTED), workers: 2 })
  })
}
