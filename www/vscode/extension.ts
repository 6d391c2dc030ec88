// A read-only editor for arrays and stores. It runs where the files are, and reads only the ranges that the page asks for.
import { basename } from 'node:path'
import * as vscode from 'vscode'
import { segmentationOf } from '../viewer/open/segmentation.js'
import { openFile, type OpenFile } from './file.js'
import type { FromExtension, FromPage } from './messages.js'

const VIEW = 'b2nd.viewer'

export function activate(context: vscode.ExtensionContext): void {
  const provider = new ArrayEditor(context.extensionUri)
  const options = { webviewOptions: { retainContextWhenHidden: true }, supportsMultipleEditorsPerDocument: true }
  context.subscriptions.push(vscode.window.registerCustomEditorProvider(VIEW, provider, options))
}

/** A document: the file, and a segmentation beside it. */
class ArrayDocument implements vscode.CustomDocument {
  readonly uri: vscode.Uri
  readonly files: readonly OpenFile[]

  constructor(uri: vscode.Uri, files: readonly OpenFile[]) {
    this.uri = uri
    this.files = files
  }

  dispose(): void {
    for (const file of this.files) void file.close()
  }
}

export class ArrayEditor implements vscode.CustomReadonlyEditorProvider<ArrayDocument> {
  readonly #home: vscode.Uri

  constructor(home: vscode.Uri) {
    this.#home = home
  }

  async openCustomDocument(uri: vscode.Uri): Promise<ArrayDocument> {
    const files = [await openFile(uri)]
    try {
      files.push(await openFile(uri.with({ path: segmentationOf(uri.path) })))
    } catch {
      // There is none.
    }
    return new ArrayDocument(uri, files)
  }

  resolveCustomEditor({ files }: ArrayDocument, panel: vscode.WebviewPanel): void {
    const { webview } = panel
    const home = vscode.Uri.joinPath(this.#home, 'dist')
    webview.options = { enableScripts: true, localResourceRoots: [home] }
    const send = (message: FromExtension) => void webview.postMessage(message)
    const listening = webview.onDidReceiveMessage(async (message: FromPage) => {
      if (message.kind === 'ready') {
        const named = files.map(({ uri, size }) => ({ name: basename(uri.path), size }))
        send({ kind: 'open', files: named })
        return
      }
      const { id, file, offset, length } = message
      try {
        send({ kind: 'answer', id, bytes: await files[file]!.read(offset, length) })
      } catch (error) {
        send({ kind: 'answer', id, error: error instanceof Error ? error.message : String(error) })
      }
    })
    panel.onDidDispose(() => void listening.dispose())
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
