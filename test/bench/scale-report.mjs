/** Rows of the scale benchmark as text, Markdown and JSON. */
import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { median, time } from './measure.mjs'

const ownColumns = [
  ['', row => row.what],
  [
    'median',
    row =>
      row.number !== undefined
        ? String(row.number)
        : row.ratio !== undefined
          ? `${row.ratio.toFixed(2)} ×`
          : time(row.p50),
  ],
  ['p99', row => timeOf(row.p99)],
  ['a second', row => numberOf(row.rate)],
  ['CPU', row => timeOf(row.cpu)],
  ['× node', row => ratioOf(row.p50, row.node)],
  ['node:http a second', row => numberOf(row.nodeRate)],
  ['CPU × node', row => ratioOf(row.cpu, row.nodeCpu)],
  ['git', row => timeOf(row.git)],
  ['× git', row => ratioOf(row.p50, row.git)],
  ['CPU × git', row => ratioOf(row.cpu, row.gitCpu)],
  ['target', row => row.target ?? ''],
]

/** Beside a MediaWiki; `first` is the first request of each page. */
const besideColumns = [
  ['', row => row.what],
  ['median', row => timeOf(row.p50)],
  ['MediaWiki median', row => timeOf(row.mediaWiki?.p50)],
  ['p99', row => timeOf(row.p99)],
  ['MediaWiki p99', row => timeOf(row.mediaWiki?.p99)],
  ['a second', row => numberOf(row.rate)],
  ['MediaWiki a second', row => numberOf(row.mediaWiki?.rate)],
  ['× MediaWiki a second', row => ratioOf(row.rate, row.mediaWiki?.rate)],
  ['CPU', row => timeOf(row.cpu)],
  ['MediaWiki CPU', row => timeOf(row.mediaWiki?.cpu)],
  ['CPU × MediaWiki', row => ratioOf(row.cpu, row.mediaWiki?.cpu)],
  ['CPU, first', row => timeOf(row.first?.cpu)],
  ['MediaWiki CPU, first', row => timeOf(row.mediaWiki?.first.cpu)],
  ['CPU × MediaWiki, first', row => ratioOf(row.first?.cpu, row.mediaWiki?.first.cpu)],
]

function timeOf(milliseconds) {
  return milliseconds === undefined || Number.isNaN(milliseconds) ? '' : time(milliseconds)
}

function numberOf(value) {
  return value === undefined ? '' : value.toFixed(0)
}

/** Three digits, because some are below a hundredth. */
function ratioOf(ours, beside) {
  if (ours === undefined || !beside) return ''
  const ratio = ours / beside
  return ratio < 0.1 ? ratio.toFixed(3) : ratio.toFixed(2)
}

/** Columns with any content. */
function tableOf(rows) {
  const columns = rows.some(row => row.mediaWiki) ? besideColumns : ownColumns
  const used = columns.filter(([, cell], at) => at === 0 || rows.some(row => cell(row) !== ''))
  return [used.map(([title]) => title), ...rows.map(row => used.map(([, cell]) => cell(row)))]
}

export function printRows(title, rows) {
  const table = tableOf(rows)
  const widths = table[0].map((_, column) => Math.max(...table.map(row => row[column].length)))
  console.log(`\n${title}`)
  for (const row of table)
    console.log(row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  '))
  for (const { what, failures } of rows) if (failures > 0) console.log(`${what}: ${failures} answers were errors`)
}

/** All results: machine, versions, command, rows, and the same as Markdown. */
export function report(results) {
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB`
  const versions = `Node ${process.version.slice(1)}, ${execFileSync('git', ['--version'], { encoding: 'utf8' }).trim()}`
  const command = `npm run bench -- ${process.argv.slice(2).join(' ')}`.trim()
  const about = { date: new Date().toISOString().slice(0, 10), machine, versions, command }
  const head = `${about.date} · ${machine} · ${versions}\n\n    ${command}\n`
  const parts = results.flatMap(({ size, rows, beside }) => [
    `## ${size.replace('/', ' pages, ')} commits\n\n${markdownTable(tableOf(rows))}`,
    ...(beside.length > 0 ? [`### Beside MediaWiki\n\n${markdownTable(tableOf(beside))}`] : []),
  ])
  return { ...about, results, markdown: [head, growth(results), ...parts].join('\n') }
}

function markdownTable([head, ...rows]) {
  const line = cells => `| ${cells.join(' | ')} |\n`
  return line(head) + line(head.map((_, at) => (at === 0 ? '---' : '---:'))) + rows.map(line).join('')
}

/** Times of the largest wiki divided by those of the smallest: only the first index may grow with the history. */
function growth(results) {
  if (results.length < 2) return ''
  const [first, last] = [results[0], results.at(-1)]
  const rows = first.rows.flatMap(row => {
    const other = last.rows.find(({ what }) => what === row.what)
    return row.p50 === undefined || other?.p50 === undefined
      ? []
      : [[row.what, time(row.p50), time(other.p50), (other.p50 / row.p50).toFixed(2)]]
  })
  const typical = median(rows.map(row => Number(row[3]))).toFixed(2)
  return `## Growth\n\n${markdownTable([['median', first.size, last.size, 'ratio'], ...rows])}\nIn the median ${typical} ×.\n`
}
