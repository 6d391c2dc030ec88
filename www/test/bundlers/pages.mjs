// Bundler configurations that build a page from app.js into `dist/`.

import { run } from './project.mjs'

const WEBPACK = `
  import webpack from 'webpack'
  const output = { path: process.cwd() + '/dist', filename: 'app.js' }
  webpack({ mode: 'production', entry: './app.js', output }, (error, stats) => {
    if (error ?? stats.hasErrors()) throw error ?? new Error(stats.toString())
  })`

const parcel = folder =>
  run(folder, 'parcel', ['build', 'index.html', '--public-url=./', '--no-cache', '--no-source-maps'])

/**
 * `finds` tells of those that find the worker and the wasm by themselves: for the others they have to be copied beside the
 * script, or else the worker comes from the script. Some make `dist/index.html` of `index.html` (`html`).
 */
export const BUNDLERS = {
  vite: {
    build: folder => run(folder, 'vite', ['build', '--base', './', '--logLevel', 'warn']),
    finds: true,
    html: true,
  },
  webpack: { build: folder => run(folder, 'node', ['--input-type=module', '--eval', WEBPACK]), finds: true },
  parcel: { build: parcel, finds: true, html: true },
  'parcel with packageExports': {
    build: parcel,
    finds: true,
    html: true,
    settings: { '@parcel/resolver-default': { packageExports: true } },
  },
  esbuild: {
    build: folder => run(folder, 'esbuild', ['app.js', '--bundle', '--minify', '--format=esm', '--outdir=dist']),
  },
  rollup: { build: folder => run(folder, 'rollup', ['app.js', '--dir=dist', '--format=es', '--plugin=node-resolve']) },
  'bun build': { build: folder => run(folder, 'bun', ['build', 'app.js', '--minify', '--outdir=dist']) },
}
