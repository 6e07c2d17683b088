/** `wiki check` as a gate: reports the problems of a change in the formats of CI systems. */

import { join, resolve } from 'node:path'
import { type Baseline, baselineFile, formatBaseline, prunedBaseline, readBaseline } from '../checks/baseline.ts'
import { type ReportFormat, reportFormats } from '../checks/formats.ts'
import { isAtLeast, type Problem, type Severity } from '../checks/problem.ts'
import type { Report } from '../checks/report.ts'
import { linkWithin } from '../files/link-within.ts'
import { writeOutput } from '../files/private-files.ts'
import { type Obstacle, readRegular } from '../files/work-file.ts'
import { type ChangeReport, checkChange } from '../operations/check-change.ts'
import { changeOf, type FixValues, type GateValues, usage } from './arguments/gate-arguments.ts'
import type { Context } from './context.ts'
import { runFixes } from './fixes.ts'
import { printProblems } from './render/problems.ts'

/**
 * Runs the check. The exit status is 1 if a new problem reaches `--fail-on`, and 2 if the baseline has obsolete
 * entries.
 */
export async function runGate(context: Context, values: GateValues & FixValues): Promise<void> {
  const outputs = outputsOf(context, values)
  const change = changeOf(values)
  if (values.fix && change.to !== 'HEAD')
    throw usage('--fix changes pages as they are at HEAD, so it goes only with --since and --all')
  const wiki = await context.wiki()
  const place = baselinePlace(context, values, wiki.store.repository.workTree)
  const isNamed = values.baseline !== undefined
  const baseline = values.updateBaseline ? {} : change.from === null || isNamed ? baselineAt(place, isNamed) : undefined
  const progress = context.progress('Checking')
  const onProgress = (done: number, total: number): void => progress.report(done, total)
  const checkSince = (from: string | null) =>
    checkChange(wiki, { ...change, from, baseline, onProgress }).finally(() => progress.clear())
  let found = await checkSince(change.from)
  for (const name of found.unknownKinds)
    await context.say(`wiki.json: checks.levels names "${name}", which is not a kind of problem`)
  if (found.changesSettings)
    await context.say('The change edits the settings of checks or the baseline; they count from the next change on')
  if (values.updateBaseline) return updateBaseline(context, { place, found, isWhole: change.from === null })
  const failOn = values.failOn ?? 'warning'
  // Fixes move the remaining problems on their lines, so they are searched for again, since the same commit: HEAD~1 is another one now.
  if (values.fix && (await runFixes(context, found.problems, values)).length < found.problems.length)
    found = await checkSince(found.base)
  // Before the output, because a reader may close it early: wiki check | head
  answerFor(context, found.problems, failOn)
  const report: Report = { ...found, version: context.io.version() }
  if (!(values.fix && values.dryRun)) await writeReports(context, { report, outputs, failOn })
  await settleBaseline(context, { place, found, baseline: baseline ?? {}, values })
}

function answerFor(context: Context, problems: readonly Problem[], failOn: Severity): void {
  if (problems.some(({ severity }) => isAtLeast(severity, failOn))) context.answer(1)
}

interface Output {
  readonly format: ReportFormat
  /** Null for stdout. */
  readonly file: string | null
}

/** Parses `--format sarif=out.sarif --format github`: each format goes to its file, at most one to stdout. Throws `wiki-usage`. */
export function outputsOf({ options, io }: Context, { format = [], output }: GateValues): Output[] {
  const outputs = format.map((text): Output => {
    const [name = '', ...rest] = text.split('=')
    if (!Object.hasOwn(reportFormats, name))
      throw usage(`"${name}" is not a format; there are ${Object.keys(reportFormats).join(', ')}`)
    return { format: name as ReportFormat, file: rest.length === 0 ? null : rest.join('=') }
  })
  if (options.json) outputs.push({ format: 'json', file: null })
  if (outputs.length === 0) outputs.push({ format: 'text', file: null })
  const isSent = output !== undefined && output !== '-'
  if (isSent && outputs.every(({ file }) => file !== null))
    throw usage('Every format names its own file, so nothing is left for --output')
  const toStdout = outputs.filter(({ file }) => file === null)
  if (toStdout.length > 1) throw usage('Only one format can go to stdout; give the others a file: sarif=wiki.sarif')
  const placed = outputs.map(one => (one.file === null && isSent ? { ...one, file: output } : one))
  const files = placed.flatMap(({ file }) => (file === null ? [] : [file]))
  if (files.includes('')) throw usage('A format has no file name: sarif=wiki.sarif')
  const places = files.map(file => resolve(io.cwd, file))
  const twice = files.find((_, at) => places.indexOf(places[at]!) !== at)
  if (twice !== undefined) throw usage(`Two formats would be written to ${twice}`)
  return placed
}

interface Reporting {
  readonly report: Report
  readonly outputs: readonly Output[]
  readonly failOn: Severity
}

/** Writes the report in each of the formats: where one cannot be written, the others are, and the error follows. */
export async function writeReports(context: Context, { report, outputs, failOn }: Reporting): Promise<void> {
  const failures: unknown[] = []
  for (const { format, file } of outputs) {
    try {
      if (file === null && format === 'text' && context.io.stdout.isTTY) await printProblems(context, report)
      else {
        const text = reportFormats[format](report, failOn)
        if (file === null) await context.print(text)
        else await writeReport(context, resolve(context.io.cwd, file), text)
      }
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

function baselinePlace({ io }: Context, { baseline }: GateValues, workTree: string | null): string {
  return baseline === undefined ? join(workTree ?? io.cwd, baselineFile) : resolve(io.cwd, baseline)
}

/**
 * Writes a file that the user named. A link in the work tree is refused, because the repository chose where it leads: a
 * pull request could have a CI job overwrite any file.
 */
async function writeReport(context: Context, path: string, text: string): Promise<void> {
  const { workTree } = (await context.wiki()).store.repository
  const link = workTree === null ? null : linkWithin(workTree, path)
  if (link !== null) throw usage(`${link} is a symbolic link of the work tree, so nothing was written through it`)
  writeOutput(path, text)
}

/** Maximum size of a baseline, in bytes. */
const largestBaseline = 64 * 1024 * 1024

/** Reads the baseline. It may come from a pull request, so links, devices and pipes are refused. */
function baselineAt(place: string, isNamed: boolean): Baseline {
  const found = readRegular(place, largestBaseline)
  if (found === null && !isNamed) return {}
  if (found === null) throw usage(`${place} does not exist`)
  if (typeof found === 'string') throw usage(`${place} cannot be read as a baseline: it is ${obstacles[found]}`)
  return readBaseline(found.content.toString('utf8'), place)
}

const obstacles = {
  'behind a link': 'behind a link',
  'no regular file': 'no regular file',
  'too large': 'larger than 64 MiB',
} as const satisfies Record<Obstacle, string>

interface Updating {
  readonly place: string
  readonly found: ChangeReport
  readonly isWhole: boolean
}

async function updateBaseline(context: Context, { place, found, isWhole }: Updating): Promise<void> {
  if (!isWhole) throw usage('--update-baseline needs all problems: wiki check --all --update-baseline')
  await writeReport(context, place, formatBaseline(found.found))
  const { length } = found.found
  await context.say(`Wrote ${length} problem${length === 1 ? '' : 's'} into ${place}`)
}

interface Settling {
  readonly place: string
  readonly found: ChangeReport
  readonly baseline: Baseline
  readonly values: GateValues
}

/** Obsolete entries would hide new problems of the same kind. */
async function settleBaseline(context: Context, { place, found, baseline, values }: Settling): Promise<void> {
  const { unneeded } = found
  if (unneeded.length === 0) return
  if (values.prune) {
    await writeReport(context, place, prunedBaseline(found.found, baseline))
    return context.say(`Took ${unneeded.length} ${unneeded.length === 1 ? 'entry' : 'entries'} out of ${place}`)
  }
  const [first] = unneeded
  throw usage(
    `The baseline counts problems that are fixed: ${first!.path} has ${first!.count} fewer of ${first!.kind}` +
      `${unneeded.length > 1 ? `, and ${unneeded.length - 1} more entries` : ''}; take them out with --prune`,
  )
}
