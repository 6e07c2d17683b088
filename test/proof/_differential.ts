/** One history of the differential test: everything kept beside the repository must be what a rebuild gives. */

import { vi } from 'vitest'
import { isWikiError } from '../../src/core/errors.ts'
import { removeFolder } from '../_environment.ts'
import { type Served, startServed, stopServed } from '../rest/_served.ts'
import { type Answer, askServed, copyUnderived, openedSide, questionsOf, Side } from './_asked-wiki.ts'
import { RandomWiki } from './_random-wiki.ts'
import { Chance } from './_random-words.ts'

/** A difference, with the question that shows it. */
export interface Difference {
  readonly kind: 'live' | 'cold' | 'served' | 'error' | 'tag' | 'date'
  readonly step: number
  readonly target: string
  readonly text: string
}

/** Numbers of a run. */
export interface Counts {
  steps: number
  answers: number
  conditions: number
}

export interface HistoryOptions {
  readonly seed: number
  readonly steps: number
  /** Steps to leave out. */
  readonly without?: ReadonlySet<number>
  /** True if the built server is asked, too. */
  readonly isServed?: boolean
  readonly counts: Counts
}

/** Answers of a server for one URL, by tag and by date. */
interface Said {
  readonly byTag: Map<string, string>
  readonly byDate: Map<string, Set<string>>
}

/** Kinds of differences that are looked for. */
const kinds = (process.env.DIFFERENTIAL_KINDS ?? 'cold,live,served,error,tag,date').split(',')

/** Questions whose answers do not tell the time, which is another one in the built server. */
const isTimeless =
  /^\/v1\/(?:search\/|pages|files|changes|category\/|lists\/|page\/[^/]+\/(?:history|links\/(?:here|out)|bare))/

/** Runs one history; returns its first differences, and what was done. */
export async function runHistory(
  directory: string,
  { seed, steps, without = new Set(), isServed = false, counts }: HistoryOptions,
): Promise<{ readonly differences: readonly Difference[]; readonly log: readonly string[] }> {
  const random = new RandomWiki(directory, seed)
  const differences: Difference[] = []
  const memory = new Map<string, Said>()
  vi.useFakeTimers({ toFake: ['Date'], now: random.time * 1000 })
  random.begin()
  const live = await Side.open(directory)
  const served = isServed ? await startServed(directory, ['--allow-anonymous', '--quiet']) : null
  try {
    for (let step = 0; step < steps && differences.length === 0; step++) {
      const chance = new Chance(seed * 7919 + step + 1)
      const isChecked = chance.is(0.4) || step === steps - 1
      const isCold = chance.is(0.25)
      if (!without.has(step)) {
        const other = isCold ? await openedSide(directory) : null
        const side = other ?? live
        vi.setSystemTime(random.time * 1000)
        await random.step(step, { wiki: side.wiki, request: (...sent) => side.send(...sent) })
        await other?.close()
        counts.steps++
      }
      if (!isChecked) continue
      // Renderings with the time or statistics of the wiki are kept for a minute.
      random.time += 120
      vi.setSystemTime(random.time * 1000)
      const found = await compare({ directory, live, served, step, lacks: random.lacksObjects, chance, memory, counts })
      differences.push(...found.filter(({ kind }) => kinds.includes(kind)))
    }
  } finally {
    vi.useRealTimers()
    await live.close()
    await stopServed()
  }
  return { differences, log: random.log }
}

interface Check {
  readonly directory: string
  readonly live: Side
  readonly served: Served | null
  readonly step: number
  /** True while objects are missing: their texts cannot be shown. */
  readonly lacks: boolean
  readonly chance: Chance
  readonly memory: Map<string, Said>
  readonly counts: Counts
}

async function compare(check: Check): Promise<Difference[]> {
  const { directory, live, served, step, lacks, chance, memory, counts } = check
  const found: Difference[] = []
  const fresh = `${directory}-copy`
  // The first who sees a rewritten history notes which ids were used.
  await live.wiki.store.refresh().catch(() => undefined)
  copyUnderived(directory, fresh)
  const questions = questionsOf(live.wiki, chance)
  const answers = new Map<string, Answer>()
  for (const target of questions) answers.set(target, await live.ask(target))
  const cold = await openedSide(directory)
  const rebuilt = await openedSide(fresh)
  // A wiki that has had valid settings keeps them where wiki.json is not valid; one without derived files cannot know them.
  const compared = (await hasValidSettings(rebuilt)) ? answers : []
  for (const [target, answer] of compared) {
    const expected = rebuilt === null ? null : await rebuilt.ask(target)
    const opened = cold === null ? null : await cold.ask(target)
    counts.answers += 3
    const report = (kind: Difference['kind'], text: string) => found.push({ kind, step, target, text })
    if (answer.status >= 500 && answer.status !== 501 && !lacks) report('error', shown(answer))
    const [own, other, made] = [shown(answer), opened && shown(opened), expected && shown(expected)]
    if (served !== null && isTimeless.test(target) && chance.is(0.3)) {
      counts.answers++
      const told = shown(await askServed(served, target))
      if (told !== made) report('served', differing(told, made))
    }
    if (other !== made) report('cold', differing(other, made))
    else if (own !== made) report('live', differing(own, made))
  }
  for (const [target, answer] of answers) {
    const said = memory.get(target) ?? { byTag: new Map(), byDate: new Map() }
    if (chance.is(0.2)) found.push(...(await conditions({ live, cold, step, chance, said, target, answer, counts })))
    memory.set(target, said)
    if (answer.status !== 200) continue
    const body = shown(answer)
    if (answer.tag !== null) {
      const before = said.byTag.get(answer.tag)
      if (before !== undefined && before !== body && !answer.tag.startsWith('W/'))
        found.push({
          kind: 'tag',
          step,
          target,
          text: `${answer.tag} stood for another body: ${differing(before, body)}`,
        })
      said.byTag.set(answer.tag, body)
    }
    if (answer.date !== null) said.byDate.set(answer.date, (said.byDate.get(answer.date) ?? new Set()).add(body))
  }
  await cold?.close()
  await rebuilt?.close()
  removeFolder(fresh)
  return found
}

async function hasValidSettings(side: Side | null): Promise<boolean> {
  const failure = await side?.wiki.store.refresh().catch((error: unknown) => error)
  return !isWikiError(failure, 'wiki-bad-config')
}

interface Condition {
  readonly live: Side
  readonly cold: Side | null
  readonly step: number
  readonly chance: Chance
  readonly said: Said
  readonly target: string
  readonly answer: Answer
  readonly counts: Counts
}

/** Asks with tags and dates of earlier answers. */
async function conditions({
  live,
  cold,
  step,
  chance,
  said,
  target,
  answer,
  counts,
}: Condition): Promise<Difference[]> {
  const found: Difference[] = []
  const body = shown(answer)
  const tags = [...said.byTag].filter(() => chance.is(0.7)).slice(-6)
  const dates = [...said.byDate].filter(() => chance.is(0.7)).slice(-4)
  const side = chance.is(0.3) && cold !== null ? cold : live
  for (const [tag, before] of tags) {
    counts.conditions++
    const { status } = await side.ask(target, { 'if-none-match': tag })
    if (status === 304 && before !== body)
      found.push({ kind: 'tag', step, target, text: `304 for ${tag}: ${differing(before, body)}` })
  }
  for (const [date, bodies] of dates) {
    counts.conditions++
    const { status } = await side.ask(target, { 'if-modified-since': date })
    const stale = [...bodies].find(one => one !== body)
    if (status === 304 && stale !== undefined)
      found.push({ kind: 'date', step, target, text: `304 since ${date}: ${differing(stale, body)}` })
  }
  return found
}

/** The part that two answers must have in common: all but the number of the request, which an error page shows. */
function shown({ status, type, location, body }: Answer): string {
  return `${status} ${type} ${location}\n${status < 400 ? body : body.replace(/<code>[0-9a-f]{24}</, '<code><')}`
}

/** The first place at which two answers differ. */
function differing(one: string | null, other: string | null): string {
  if (one === null || other === null)
    return `${one === null ? 'not opened' : 'opened'}, ${other === null ? 'not opened' : 'opened'}`
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const from = Math.max(0, at - 80)
  return `…${one.slice(from, at + 160)}…\n   where a rebuild says …${other.slice(from, at + 160)}…`
}

/** Leaves out steps while the same question still differs; at most this many replays. */
export async function shrink(
  folder: () => Promise<string>,
  options: HistoryOptions,
  found: Difference,
  replays = 60,
): Promise<{ readonly without: ReadonlySet<number>; readonly log: readonly string[] }> {
  const without = new Set(options.without)
  const steps = found.step + 1
  let log: readonly string[] = []
  let left = replays
  for (let size = Math.ceil(steps / 2); size >= 1; size = Math.floor(size / 2))
    for (let from = 0; from < steps && left > 0; from += size) {
      const tried = new Set([...without, ...Array.from({ length: size }, (_, at) => from + at)])
      if (tried.size === without.size) continue
      left--
      const counts = { steps: 0, answers: 0, conditions: 0 }
      const again = await runHistory(await folder(), { ...options, steps, without: tried, counts })
      if (!again.differences.some(({ kind, target }) => kind === found.kind && target === found.target)) continue
      for (const one of tried) without.add(one)
      log = again.log
    }
  return { without, log }
}
