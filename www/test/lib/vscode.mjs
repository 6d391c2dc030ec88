// What the extension uses of the API of editors, in memory: its web views are pages of a browser.
import Module from 'node:module'
import { posix } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The module `vscode`, what was registered, and a way to tell of a change as the editor's watchers do. */
export function standIn(files = {}) {
  const registered = {}
  const watchers = new Set()
  class Uri {
    constructor(scheme, path) {
      Object.assign(this, { scheme, path, fsPath: path })
    }
    static file = path => new Uri('file', path)
    static joinPath = (uri, ...parts) => new Uri(uri.scheme, posix.join(uri.path, ...parts))
    with = ({ path }) => new Uri(this.scheme, path)
    toString = () => (this.scheme === 'file' ? pathToFileURL(this.path).href : `${this.scheme}:${this.path}`)
  }
  const vscode = {
    Uri,
    RelativePattern: function RelativePattern(base) {
      this.base = base
    },
    window: { registerCustomEditorProvider: (view, provider, options) => (registered[view] = { provider, options }) },
    workspace: {
      createFileSystemWatcher({ base }) {
        const uses = { base: base.path }
        watchers.add(uses)
        return {
          onDidChange: use => (uses.change = use),
          onDidCreate: use => (uses.create = use),
          onDidDelete: use => (uses.delete = use),
          dispose: () => watchers.delete(uses),
        }
      },
      fs: {
        stat: async ({ path }) => ({ size: found(files, path).length }),
        readFile: async ({ path }) => found(files, path),
      },
    },
  }
  /** `kind` is change, create or delete. */
  const tell = (kind, uri) => {
    for (const uses of watchers) if (uses.base === posix.dirname(uri.path)) uses[kind](uri)
  }
  return { vscode, registered, watchers, tell }
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
