// The rules of style for all viewers of a page.

export const sheet = new CSSStyleSheet()
let rules = ''

/** Adds rules, for parts of the viewer that are loaded on demand. */
export const addRules = (css: string): void => sheet.replaceSync((rules += css))
