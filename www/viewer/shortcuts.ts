// The keyboard shortcuts.

import { MAPS } from './draw/colours.js'
import type { Shortcut } from './keys.js'
import type { Session } from './model/session.js'
import type { Scale } from './model/state.js'
import type { Dimensions } from './panels/dims.js'
import type { View } from './views/view.js'

/** The parts that shortcuts act on. */
interface Stage {
  readonly session: Session
  readonly dims: Dimensions
  readonly view: View | null
  /** Chooses a kind of view. */
  choose(k: number): void
  panel(name: 'contrast' | 'labels' | 'statistics' | 'export'): Promise<unknown>
  toggleFacts(): void
  help(): Promise<void>
}

export function shortcuts(stage: Stage): Shortcut[] {
  const { session } = stage
  const next = <T>(list: readonly T[], now: T): T => list[(list.indexOf(now) + 1) % list.length]!
  const axis = (by: number) => () => {
    const axes = session.steppable()
    if (!axes.length) return
    const at = axes.indexOf(session.active ?? -1)
    session.active = axes[(at + by + axes.length) % axes.length]!
    stage.dims.update()
  }
  const move = (dx: number, dy: number) => (event: KeyboardEvent) => {
    const far = event.shiftKey ? 10 : 1
    stage.view?.move?.(dx * far, dy * far)
  }
  return [
    {
      keys: ['1', '2', '3', '4', '5', '6', '7'],
      text: 'the first, second, … kind of view',
      run: ({ key }) => stage.choose(Number(key) - 1),
    },
    { keys: ['.'], text: 'one position on', run: () => session.step(1) },
    { keys: [','], text: 'one position back', run: () => session.step(-1) },
    { keys: ['>'], text: 'ten positions on', run: () => session.step(10) },
    { keys: ['<'], text: 'ten positions back', run: () => session.step(-10) },
    { keys: [' '], text: 'play and pause', run: () => stage.dims.play() },
    { keys: [']'], text: 'step along the next axis', run: axis(1) },
    { keys: ['['], text: 'step along the axis before', run: axis(-1) },
    { keys: ['g'], text: 'go to a position', run: () => stage.dims.focus() },
    {
      keys: ['t'],
      text: 'swap the axes of the view',
      run: () =>
        session.set({ x: session.state.y ?? session.state.x, y: session.state.y === null ? null : session.state.x }),
    },
    { keys: ['ArrowUp'], text: 'cursor up; with shift by ten', run: move(0, -1) },
    { keys: ['ArrowDown'], text: 'cursor down', run: move(0, 1) },
    { keys: ['ArrowLeft'], text: 'cursor left', run: move(-1, 0) },
    { keys: ['ArrowRight'], text: 'cursor right', run: move(1, 0) },
    { keys: ['+', '='], text: 'zoom in', run: () => stage.view?.zoom?.(1 / 1.5) },
    { keys: ['-'], text: 'zoom out', run: () => stage.view?.zoom?.(1.5) },
    { keys: ['0'], text: 'fit: all of it', run: () => stage.view?.zoom?.(0) },
    { keys: ['9'], text: '1:1, a pixel for each item', run: () => stage.view?.actual?.() },
    { keys: ['p'], text: 'profile: start at the cursor, then its end', run: () => stage.view?.profile?.() },
    {
      keys: ['c'],
      text: 'next colour map',
      run: () => session.set({ map: next(Object.keys(MAPS), session.state.map) }),
    },
    {
      keys: ['l'],
      text: 'next scale',
      run: () => session.set({ scale: next<Scale>(['linear', 'log', 'symlog'], session.state.scale) }),
    },
    {
      keys: ['r'],
      text: 'auto range: all or 1 % to 99 %',
      run: () => session.set({ range: session.state.range === 'auto' ? 'percentile' : 'auto' }),
    },
    { keys: ['i'], text: 'smooth or not', run: () => session.set({ smooth: !session.state.smooth }) },
    { keys: ['q'], text: 'equal aspect or stretched', run: () => session.set({ equal: !session.state.equal }) },
    { keys: ['h'], text: 'contrast: a histogram with handles', run: () => void stage.panel('contrast') },
    { keys: ['b'], text: 'labels over the image', run: () => void stage.panel('labels') },
    { keys: ['s'], text: 'statistics', run: () => void stage.panel('statistics') },
    { keys: ['e'], text: 'export: files, code, link', run: () => void stage.panel('export') },
    { keys: ['f'], text: 'info about the file', run: () => stage.toggleFacts() },
    { keys: ['?'], text: 'this list', run: () => void stage.help() },
  ]
}
