import { setName } from '../base/errors.js'
import { check, checked } from '../base/validation.js'
import { getEngine } from '../engine/init.js'
import { limitsOf, type Limits } from '../engine/protocol.js'
import type { Selection } from '../reading/selection.js'
import { ArrayFile, type Values } from './array-file.js'
import { callFile, editedFile, type Editable } from './files.js'
import { FrameState } from './frame.js'
import type { Items } from './items.js'
import { EDIT, LENGTHS, ROWS } from './options.js'
import type { Target } from './target.js'

/** Options of `edit`. */
export interface EditOptions {
  /** How much may be allocated for untrusted data. More fails as `limit`. */
  limits?: { [name in keyof Limits]?: Limits[name] | undefined } | undefined
}

/**
 * Changes an array in its file. Changes are written to space that the committed frame does not use; `commit` makes them visible.
 * They are written at once, except for rows that are appended one after the other: these fill chunks first. A file that is interrupted at any moment holds either the old array or the new one. In Node.js the file is
 * locked. If another writer has changed it all the same, changes and commits fail as `changed` and leave it alone: open it again.
 */
export class ArrayEditor extends ArrayFile {
  static {
    setName(this, 'ArrayEditor')
  }

  /** Writes items to a selection. Other items keep their values. */
  set(selection: Selection, values: Values): Promise<void> {
    return this.queued(async () => {
      const write = this.planned(selection, values)
      for (const box of this.boxes(write)) await this.setPart(write, box)
    })
  }

  /** Changes the shape. Items beyond the new shape are lost; new items are zero. */
  resize(shape: readonly number[]): Promise<void> {
    return this.queued(async () => {
      check('shape', shape, LENGTHS)
      await this.change('resize', [new Float64Array(shape)])
      this.array.shape = Array.from<number>(shape)
    })
  }

  /** Appends items along an axis. Their number determines how much it grows. */
  append(values: Items, options: { axis?: number | undefined } = {}): Promise<void> {
    return this.queued(async () => {
      const { axis = 0 } = checked(options, ROWS)
      const { bytes, rows, size } = this.rowsOf(values, axis)
      // As many rows at a time as make a chunk complete, if they follow each other in memory.
      for (let done = 0, count; done < rows; done += count) {
        const [length, chunk] = [this.shape[axis]!, this.chunks[axis]!]
        count = axis > 0 ? rows : Math.min(rows - done, chunk - (length % chunk))
        await this.change('append', [bytes.subarray(done * size, (done + count) * size)], axis)
        this.array.shape = this.shape.with(axis, length + count)
      }
    })
  }

  /**
   * Sets a metalayer of the header to a value that MessagePack has. `undefined` removes it. If its length changes, the next
   * commit replaces the file, which must have been opened by path.
   */
  setMetalayer(name: string, value: unknown): Promise<void> {
    return this.metalayer(0, name, value)
  }

  /** Makes the changes so far the content of the file. */
  commit(): Promise<void> {
    return this.queued(() => this.change('commit', []))
  }

  /** Commits, and replaces the file by one without unused space. It must have been opened by path. */
  compact(): Promise<void> {
    return this.queued(() => {
      this.checkReplaceable()
      return this.change('commit', [], 1)
    })
  }

  /** @internal */
  protected override async complete(): Promise<void> {
    await this.change('commit', [])
    await this.end()
  }

  /** Ends without a commit: changes since the last one are lost. */
  abort(): Promise<void> {
    return this.stop(undefined)
  }
}

/** Opens an array to change it. Sparse frames, and frames of beta releases, fail as `unsupported`. */
export const edit = (file: Editable, options: EditOptions = {}): Promise<ArrayEditor> =>
  editorOf(() => editedFile(file), options)

/** Opens the array in the file that `open` opens, after the options were checked. */
export async function editorOf(open: () => Promise<Target>, options: EditOptions): Promise<ArrayEditor> {
  const limits = limitsOf(checked(options, EDIT).limits)
  const { module } = await getEngine()
  const target = await callFile(open)
  const state = new FrameState(module, limits)
  try {
    await state.open(async (offset, length) => callFile(() => target.read!(offset, length)))
  } catch (error) {
    await callFile(() => target.abort?.(error))
    throw error
  }
  return new ArrayEditor(state, target)
}
