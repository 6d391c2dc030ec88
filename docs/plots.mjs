// Plots of the tables of benchmarks, which `pages.mjs` puts above them. Their colours are those of the page.

const WIDTH = 640
const LABELS = 130
const ROW = 22
const TICKS = [0.25, 0.5, 1, 2, 4, 8, 16, 32]

/** A text with a plot in each section whose last column of a table of cases is a ratio. */
export function withPlots(text) {
  return text
    .split(/^(?=## )/m)
    .map(section => {
      const at = section.search(/^\| case \|.*\| ratio \|$/m)
      const rows = at < 0 ? [] : cases(section.slice(at))
      return rows.length < 3
        ? section
        : section.slice(0, at) + svg(section.match(/^## (.*)$/m)[1], rows) + '\n\n' + section.slice(at)
    })
    .join('')
}

/** The first word of each case, with its ratio. */
function cases(table) {
  const lines = table.match(/^\|.*\|$/gm).map(line => line.split('|').map(cell => cell.trim()))
  return lines
    .map(cells => ({ group: cells[1].split(/[ ,]/)[0], about: cells[1], ratio: Number(cells.at(-2)) }))
    .filter(({ ratio }) => ratio > 0)
}

/** Ratios by group, on a logarithmic axis. */
function svg(title, rows) {
  const groups = [...new Set(rows.map(({ group }) => group))]
  const ratios = rows.map(({ ratio }) => ratio)
  const ticks = TICKS.filter(tick => tick * 2 > Math.min(...ratios, 1) && tick < Math.max(...ratios, 1) * 2)
  const [low, high] = [Math.min(...ratios, ticks[0]), Math.max(...ratios, ticks.at(-1))].map(Math.log)
  const x = ratio => LABELS + ((Math.log(ratio) - low) / (high - low)) * (WIDTH - LABELS - 20)
  const bottom = groups.length * ROW + 6
  const grid = ticks.map(
    tick =>
      `<line x1="${round(x(tick))}" x2="${round(x(tick))}" y1="0" y2="${bottom}" stroke="currentColor" stroke-opacity="${tick === 1 ? 0.6 : 0.15}"/>` +
      `<text x="${round(x(tick))}" y="${bottom + 14}" text-anchor="middle">${tick}×</text>`,
  )
  const dots = groups.map((group, row) => {
    const y = row * ROW + ROW / 2
    const of = rows.filter(one => one.group === group)
    const marks = of.map(
      ({ about, ratio }) =>
        `<circle cx="${round(x(ratio))}" cy="${y}" r="4" fill="var(--vp-c-brand-1, currentColor)" fill-opacity="0.45"><title>${escape(about)}: ${ratio}</title></circle>`,
    )
    return `<text x="${LABELS - 12}" y="${y + 4}" text-anchor="end">${escape(group)}</text>${marks.join('')}`
  })
  const label = escape(
    `${title}: the time of the other divided by that of b2nd, for each case. To the right of 1, b2nd is faster.`,
  )
  return `<svg viewBox="0 0 ${WIDTH} ${bottom + 20}" role="img" aria-label="${label}" font-size="12" fill="currentColor" style="max-width: ${WIDTH}px">${grid.join('')}${dots.join('')}</svg>`
}

const round = value => Math.round(value * 10) / 10
const escape = text =>
  text.replace(/[&<>"]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign])
