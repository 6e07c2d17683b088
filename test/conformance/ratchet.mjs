/**
 * Compares the results of a run with the file beside this one that the last update wrote: what passed must pass again, and what the file
 * does not have must pass. Nothing that is not run has passed.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * Reads the command line. `update`: rewrites the file; `other`: the data are not those of the file, so every case must pass. Ends with
 * status 2 if there are fewer sources than `usage` names.
 */
export function readCommandLine(usage, options = {}) {
  const flag = { type: 'boolean', default: false }
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { update: flag, other: flag, ...options },
  })
  const fewest = usage.replace(/\[[^\]]*\]/g, '').match(/<[^>]*>/g)?.length ?? 0
  if (positionals.length >= fewest) return { sources: positionals, ...values }
  const others = Object.entries(options).map(([name, { type }]) => `[--${name}${type === 'string' ? ' <value>' : ''}] `)
  console.error(`usage: node ${process.argv[1]} [--update | --other] ${others.join('')}${usage}`)
  return process.exit(2)
}

/** The cases of a run by set. A file has the number of a set's cases, a hash of their names, and a hash of each that fails; no names. */
export class Cases {
  #sets = new Map()

  /** Declares a set, which must have a case. */
  expect(set) {
    if (!this.#sets.has(set)) this.#sets.set(set, new Map())
    return this.#sets.get(set)
  }

  /** Counts a case. Cases of one name are numbered. */
  add(set, name, passed) {
    const cases = this.expect(set)
    let unique = name
    for (let nth = 2; cases.has(unique); nth++) unique = `${name} (${nth})`
    cases.set(unique, passed)
  }

  /** `{total, cases, open}` by set, in the order of their names. */
  summary() {
    return Object.fromEntries([...this.#sets].sort(byName).map(([set, cases]) => [set, summaryOf(cases)]))
  }
}

function summaryOf(cases) {
  const failing = [...cases].filter(([, passed]) => !passed)
  return {
    total: cases.size,
    cases: hash([...cases.keys()].sort().join('\n')),
    open: failing.map(([name]) => hash(name)).sort(),
  }
}

function byName([one], [other]) {
  return one < other ? -1 : 1
}

function hash(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/**
 * Compares summaries by set. `faults` and `better` are sentences. A run of a part of the file's cases (`isPart`) need not have the others;
 * with other data (`isOther`) the file excuses nothing.
 */
export function compareSets(measured, known, { isOther = false, isPart = false } = {}) {
  const result = { faults: [], better: [] }
  const missing = Object.keys(known).filter(set => !(set in measured))
  if (!isOther && !isPart) result.faults.push(...missing.map(set => `${set}: not run`))
  if (Object.keys(measured).length === 0) result.faults.push('no cases')
  for (const [set, now] of Object.entries(measured)) {
    const { faults, better } = compareSet(now, isOther ? { ...now, open: [] } : known[set], isPart)
    result.faults.push(...faults.map(fault => `${set}: ${fault}`))
    result.better.push(...better.map(one => `${set}: ${one}`))
  }
  return result
}

function compareSet(now, before, isPart) {
  if (now.total === 0) return { faults: ['no cases'], better: [] }
  const lost = now.open.filter(one => !before?.open.includes(one)).length
  const won = before === undefined ? 0 : before.open.filter(one => !now.open.includes(one)).length
  const isSame = isPart || (before?.cases === now.cases && before.total === now.total)
  const faults = [
    ...(lost > 0 ? [`${lost} of ${now.total} cases fail that must pass`] : []),
    ...(before === undefined ? ['not in the file (--other: of other data)'] : []),
    ...(before === undefined || isSame
      ? []
      : [`${now.total} other cases than the ${before.total} of the file (--other: of other data)`]),
  ]
  return { faults, better: won > 0 && isSame && !isPart ? [`${won} cases pass that failed`] : [] }
}

/** Compares numbers by name, which may not fall. */
export function compareFigures(measured, known) {
  const faults = Object.keys(known)
    .filter(name => !Number.isFinite(measured[name]))
    .map(name => `${name}: not measured`)
  const better = []
  for (const [name, figure] of Object.entries(measured)) {
    if (!(name in known)) faults.push(`${name}: not in the file`)
    if (figure < known[name]) faults.push(`${name}: ${figure}, was ${known[name]}`)
    if (figure > known[name]) better.push(`${name}: ${figure}, was ${known[name]}`)
  }
  return { faults, better }
}

/**
 * Compares findings, by name, with those that a file accepts: `accepted`, a count and a reason for each name, and `judged`, the number of
 * cases of the last update. Fewer than nine tenths of them are a fault too, since a judge that sees nothing finds nothing; so is an accepted
 * finding without a reason.
 */
export function compareFindings({ counts, judged }, known) {
  const faults = Object.entries(counts).flatMap(([name, count]) => {
    const { count: accepted = 0, reason } = known.accepted[name] ?? {}
    if (count > accepted) return [`${name}: ${count}, accepted are ${accepted}`]
    return reason ? [] : [`${name}: accepted without a reason`]
  })
  if (!(judged > 0 && judged >= known.judged * 0.9)) faults.push(`only ${judged} cases, there were ${known.judged}`)
  const gone = Object.entries(known.accepted).filter(([name, { count }]) => (counts[name] ?? 0) < count)
  return { faults, better: gone.map(([name, { count }]) => `${name}: ${counts[name] ?? 0}, accepted are ${count}`) }
}

/** Judges cases by a file and prints the totals: see `finish`. */
export function judgeCases(file, cases, { update, other, isPart = false, faults = [] }) {
  const measured = cases.summary()
  for (const [set, { total, open }] of Object.entries(measured)) console.log(passedOf(set, total - open.length, total))
  const compare = known => compareSets(measured, known, { isOther: other, isPart })
  finish(file, measured, { update, compare, faults })
}

/** A row of a table of totals. */
export function passedOf(name, passed, total) {
  const share = `${((100 * passed) / Math.max(total, 1)).toFixed(1)} %`
  return `${name.padEnd(56)}${`${passed}/${total}`.padStart(12)}${share.padStart(9)}`
}

/** Judges findings by a file, which on an update keeps its reasons and leaves new ones to be written by hand. */
export function judgeFindings(file, findings, judged) {
  const counts = {}
  for (const name of [...findings].sort()) counts[name] = (counts[name] ?? 0) + 1
  const { accepted } = readRatchet(file)
  const now = Object.entries(counts).map(([name, count]) => [name, { count, reason: accepted[name]?.reason ?? '' }])
  for (const [name, { count, reason }] of now) console.log(`${count} × ${name}${reason && ` (${reason})`}`)
  console.log(`${basename(file, '.json')}: ${judged} cases, ${findings.length} findings`)
  finish(
    file,
    { judged, accepted: Object.fromEntries(now) },
    {
      update: process.argv.includes('--update'),
      compare: known => compareFindings({ counts, judged }, known),
    },
  )
}

/** Prints each fault and what has become better, and sets the exit status. An update rewrites the file; `faults` no update excuses. */
export function finish(file, measured, { update, compare, faults = [] }) {
  if (update) writeFileSync(urlOf(file), `${printed(measured)}\n`)
  const compared = compare(update ? measured : readRatchet(file))
  for (const fault of [...faults, ...compared.faults]) console.log(`FAILED: ${fault}`)
  for (const better of compared.better) console.log(`better: ${better}; raise the ratchet with --update`)
  process.exitCode = faults.length + compared.faults.length > 0 ? 1 : 0
}

/** JSON as the formatter has it, with a set on a line where it fits. */
function printed(value, before = '') {
  if (typeof value !== 'object') return before + JSON.stringify(value)
  const spread = JSON.stringify(value, null, 1)
  const line = spread
    .replace(/(?<=\[)\n */g, '')
    .replace(/\n *(?=\])/g, '')
    .replace(/\n */g, ' ')
  if (before !== '' && before.length + line.length < 120) return before + line
  const indent = `${/^ */.exec(before)[0]}  `
  const members = Object.entries(value).map(([name, member]) =>
    printed(member, Array.isArray(value) ? indent : `${indent}${JSON.stringify(name)}: `),
  )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${before}${open}\n${members.join(',\n')}\n${indent.slice(2)}${close}`
}

function readRatchet(file) {
  return JSON.parse(readFileSync(urlOf(file), 'utf8'))
}

function urlOf(file) {
  return new URL(file, import.meta.url)
}
