// What the extension uses of the API of editors, in memory: its web views are pages of a browser.
import Module from 'node:module'
import { pathToFileURL } from 'node:url'

/** The module `vscode`, and what was registered. */
export function standIn(files = {}) {
  const registered = {}
  class Uri {
    constructor(scheme, path) {
      Object.assign(this, { scheme, path, fsPath: path })
    }
    static file = path => new Uri('file', path)
    static joinPath = (uri, ...parts) => new Uri(uri.scheme, [uri.path, ...parts].join('/'))
    with = ({ path }) => new Uri(this.scheme, path)
    toString = () => (this.scheme === 'file' ? pathToFileURL(this.path).href : `${this.scheme}:${this.path}`)
  }
  const vscode = {
    Uri,
    window: { registerCustomEditorProvider: (view, provider, options) => (registered[view] = { provider, options }) },
    workspace: {
      fs: {
        stat: async ({ path }) => ({ size: found(files, path).length }),
        readFile: async ({ path }) => found(files, path),
      },
    },
  }
  return { vscode, registered }
}

function found(files, path) {
  if (!files[path]) throw new Error(`no file ${path}`)
  return files[path]
}

/** Loads the built extension with this module in place of the editor's. */
export function load(path, vscode) {
  const loads = Module['_load']
  Module['_load'] = (request, ...rest) => (request === 'vscode' ? vscode : loads(request, ...rest))
  try {
    return Module.createRequire(import.meta.url)(path)
  } finally {
    Module['_load'] = loads
  }
}
