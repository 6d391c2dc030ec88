// Builds the widget. The package's build.mjs calls it.
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { singleModule } from '../viewer/single.mjs'

const here = import.meta.dirname

/** `viewer` is the folder of the built viewer. */
export async function buildWidget(viewer) {
  const out = join(here, 'b2nd_jupyter')
  writeFileSync(join(out, 'widget.js'), await singleModule(join(here, 'widget.ts'), viewer))
  copyFileSync(join(viewer, 'licences.txt'), join(out, 'licences.txt'))
}
