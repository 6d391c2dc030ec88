// A read-only editor for arrays and stores. It runs where the files are, and reads only the ranges that the page asks for.
import { basename } from 'node:path'
import * as vscode from 'vscode'
import { ArrayDocument } from './document.js'
import type { FromExtension, FromPage } from './messages.js'

const VIEW = 'b2nd.viewer'

export function activate(context: vscode.ExtensionContext): void {
  const provider = new ArrayEditor(context.extensionUri)
  const options = { webviewOptions: { retainContextWhenHidden: true }, supportsMultipleEditorsPerDocument: true }
  context.subscriptions.push(vscode.window.registerCustomEditorProvider(VIEW, provider, options))
}

export class ArrayEditor implements vscode.CustomReadonlyEditorProvider<ArrayDocument> {
  readonly #home: vscode.Uri

  constructor(home: vscode.Uri) {
    this.#home = home
  }

  openCustomDocument(uri: vscode.Uri): Promise<ArrayDocument> {
    return ArrayDocument.open(uri)
  }

  resolveCustomEditor(document: ArrayDocument, panel: vscode.WebviewPanel): void {
    const { webview } = panel
    const home = vscode.Uri.joinPath(this.#home, 'dist')
    webview.options = { enableScripts: true, localResourceRoots: [home] }
    // A page that was closed meanwhile fails, and needs no answer.
    const send = (message: FromExtension) => void webview.postMessage(message).then(undefined, () => {})
    const show = () => {
      const files = document.files.map(({ uri, size }) => ({ name: basename(uri.path), size }))
      send({ kind: 'open', first: document.first, files })
    }
    document.onChange.add(show)
    const listening = webview.onDidReceiveMessage(async (message: FromPage) => {
      if (message.kind === 'ready') {
        show()
        return
      }
      const { id, file, offset, length } = message
      try {
        send({ kind: 'answer', id, bytes: await document.read(file, offset, length) })
      } catch (error) {
        send({ kind: 'answer', id, error: error instanceof Error ? error.message : String(error) })
      }
    })
    panel.onDidDispose(() => {
      document.onChange.delete(show)
      listening.dispose()
    })
    webview.html = page(webview, vscode.Uri.joinPath(home, 'webview.js'))
  }
}

/** The page. Its policy allows the module with its wasm and workers, and no network. */
function page(webview: vscode.Webview, script: vscode.Uri): string {
  const source = webview.cspSource
  const policy = [
    "default-src 'none'",
    `script-src ${source} 'wasm-unsafe-eval'`,
    `style-src ${source} 'unsafe-inline'`,
    `img-src ${source} data: blob:`,
    'connect-src data: blob:',
    'worker-src blob:',
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>b2nd</title>
<style>html, body { block-size: 100%; margin: 0; padding: 0 }</style>
</head>
<body><script type="module" src="${String(webview.asWebviewUri(script))}"></script></body>
</html>`
}
