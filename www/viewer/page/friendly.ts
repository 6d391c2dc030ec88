/** Converts the address of a page about a file to that of the file. */
export function friendly(text: string): string {
  const url = text.trim()
  const rules: [RegExp, string][] = [
    [/^(https:\/\/)github\.com\/([^/]+)\/([^/]+)\/(?:blob|raw)\/(.+)$/, '$1raw.githubusercontent.com/$2/$3/$4'],
    [/^(https:\/\/[^/]*gitlab[^/]*\/.+\/-\/)blob\/(.+)$/, '$1raw/$2'],
    [/^(https:\/\/zenodo\.org\/)records?\/(\d+)\/(?:files|preview)\/([^?]+).*$/, '$1api/records/$2/files/$3/content'],
    [/^(https:\/\/huggingface\.co\/.+\/)blob\/(.+)$/, '$1resolve/$2'],
  ]
  const rule = rules.find(([pattern]) => pattern.test(url))
  return rule ? url.replace(...rule) : /^[\w-]+(\.[\w-]+)+\//.test(url) ? `https://${url}` : url
}
