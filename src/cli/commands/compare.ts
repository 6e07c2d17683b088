/**
 * `wiki compare`: compares two revisions line by line, or the whole wiki at two commits. The exit status is the result,
 * as in diff(1).
 */

import type { Problem, Severity } from '../../checks/problem.ts'
import type { Comparison } from '../../core/comparison.ts'
import { WikiError } from '../../core/errors.ts'
import type { ComparedCommits, PageChange } from '../../operations/compare-commits.ts'
import type { Comparable } from '../../operations/compare-revisions.ts'
import type { ComparedFile, FileChange } from '../../operations/comparing/media-changes.ts'
import type { Wiki } from '../../operations/wiki.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { formatComparison } from '../render/comparison.ts'
import { figures } from '../render/figures.ts'
import { shortTime, visibleLine } from '../render/text.ts'
import { colourLevel } from '../terminal/colour.ts'

/** Forms of a comparison, each of them an option. */
const forms = ['unified', 'stat', 'sideBySide', 'markdown', 'html', 'patch'] as const
type Form = (typeof forms)[number]

type Values = Readonly<Partial<Record<Form, boolean>>> & { readonly page?: string; readonly since?: string }

export const compare: Command<Values> = {
  summary: 'Compare two revisions of a page; exit with 1 if they differ',
  details:
    'Without colours, changed words look like this: [-old-] {+new+}. With --quiet nothing is printed; the exit status is the result. ' +
    'Two branches, tags or commits of git with two dots between them (main..draft) compare the whole wiki, one line a page. ' +
    'Three dots (main...draft) show only the changes of the second since the merge base.',
  arguments: {
    '[from]': 'a revision or a title (wiki help revisions), or <git-rev>..<git-rev>, or ...',
    '[to]': 'another one of the same page (default: its latest; for the latest, the one before)',
  },
  options: [
    { flags: '--page <title>', help: 'compare the latest revision with the file in the work tree' },
    { flags: '--since <git-rev>', help: 'commits since HEAD left that branch or commit: <git-rev>...HEAD' },
    { flags: '--unified', help: 'a patch, for git apply or patch' },
    { flags: '--stat', help: 'figures: lines, bytes, sections' },
    { flags: '--side-by-side', help: 'both texts side by side' },
    {
      flags: '--markdown',
      help: 'for a comment on a pull request, 65,536 characters at most; a range has its new problems',
    },
    { flags: '--html', help: 'one self-contained HTML file' },
    { flags: '--patch', help: 'with two commits: also the comparison of each page' },
  ],
  examples: [
    'wiki compare "Main Page"',
    'wiki compare 41 42',
    'wiki compare "Main Page@prev" --unified | git apply --reverse',
    'wiki compare --page "Main Page"',
    'wiki compare main...draft --stat',
    'wiki compare --since origin/main --markdown',
  ],
  completes: 'titles',
  paged: true,
  async run(context, [from, to], values) {
    const form = chosenForm(values)
    const range = await rangeOf(context, { from, to, ...values })
    if (range !== null) return compareWiki(context, range, form)
    if (form === 'patch') throw usage('--patch goes with two commits: wiki compare main..draft --patch')
    const wiki = await context.snapshot()
    const sides = await findSides(wiki, { from, to, page: values.page })
    const { compareRevisions } = await import('../../operations/compare-revisions.ts')
    const comparison = await compareRevisions(wiki, sides)
    if (comparison.diff.length > 0) context.answer(1)
    if (context.options.json) return context.printJson(comparison)
    if (!context.options.quiet) await printComparison(context, { comparison, sides, form })
  },
}

type RangeArguments = Pick<Values, 'since' | 'page'> & Pick<Named, 'from' | 'to'>

/** Returns the two commits given with dots between them, or by `--since`; null if revisions of a page are given. */
async function rangeOf(context: Context, { from, to, page, since }: RangeArguments): Promise<string | null> {
  if (since !== undefined) {
    if (from !== undefined || page !== undefined)
      throw usage('--since compares the whole wiki: it goes without revisions')
    if (since === '') throw usage('--since names no commit; a variable may be unset: --since origin/main')
    return `${since}...HEAD`
  }
  if (from === undefined || to !== undefined || page !== undefined || !from.includes('..')) return null
  const { store } = await context.snapshot()
  const { findPageNamed } = await import('../../operations/resolve-revision.ts')
  return findPageNamed(store, from) === undefined ? from : null
}

function chosenForm(values: Values): Form | undefined {
  const chosen = forms.filter(form => values[form])
  if (chosen.length > 1) throw usage('Only one form can be printed at once')
  return chosen[0]
}

function usage(sentence: string): WikiError {
  return new WikiError('wiki-usage', { params: [sentence], hint: 'wiki compare --help' })
}

interface Sides {
  readonly from: Comparable
  readonly to: Comparable
}

interface Named {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly page: string | undefined
}

async function findSides(wiki: Wiki, { from, to, page }: Named): Promise<Sides> {
  if ((page === undefined) === (from === undefined)) throw usage('Give either revisions or --page')
  const { resolveRevision } = await import('../../operations/resolve-revision.ts')
  if (page !== undefined)
    return { from: await resolveRevision(wiki, `${page}@latest`), to: await resolveRevision(wiki, `${page}@work`) }
  const older = await resolveRevision(wiki, from as string)
  if (to !== undefined) return { from: older, to: await resolveRevision(wiki, to) }
  const latest = await latestBeside(wiki, older)
  return { from: older === latest ? await revisionBefore(wiki, latest) : older, to: latest }
}

/** The latest revision is compared with its predecessor, so a page alone shows its last edit. */
async function revisionBefore({ store }: Wiki, id: number): Promise<number> {
  const previous = store.revision(id, { deleted: true })?.previous
  if (previous != null) return previous
  if (store.shallow) {
    const { shallowHint } = await import('../../operations/resolve-revision.ts')
    const sentence = `Revision ${id} is the first one of its page in this clone: there is none to compare it with`
    throw new WikiError('wiki-usage', { params: [sentence], hint: shallowHint })
  }
  throw usage(`Revision ${id} is the first one of its page: there is none to compare it with`)
}

/** Returns the latest revision of the same page. */
async function latestBeside(wiki: Wiki, side: Comparable): Promise<number> {
  if (typeof side !== 'number') {
    if ('page' in side) return side.page.latest
    throw usage('A text without a page has no latest revision')
  }
  const { readRevisionBare } = await import('../../operations/read-revision.ts')
  const { readPageBare } = await import('../../operations/read-page.ts')
  const { page } = await readRevisionBare(wiki, { id: side, base: '' })
  return (await readPageBare(wiki, { title: page.title, base: '' })).latest.id
}

interface ShownComparison {
  readonly comparison: Comparison
  readonly sides: Sides
  readonly form: Form | undefined
}

async function printComparison(context: Context, { comparison, sides, form }: ShownComparison): Promise<void> {
  const wiki = await context.snapshot()
  if (form === 'unified') {
    const { patchRevisions } = await import('../../operations/compare-revisions.ts')
    return context.print(await patchRevisions(wiki, sides))
  }
  if (comparison.diff.length === 0) {
    if (context.io.stdout.isTTY) await context.say('No difference')
    return
  }
  const [from, to] = [await sideName(wiki, comparison.from.id), await sideName(wiki, comparison.to.id)]
  const heading = `${from} → ${to}`
  if (form === 'stat') {
    const { summarizeRevisions } = await import('../../operations/compare-revisions.ts')
    return context.print(`${heading}: ${figures(await summarizeRevisions(wiki, sides))}\n`)
  }
  await printForm(context, { comparison, heading, names: [from, to], form })
}

interface Formed {
  readonly comparison: Comparison
  readonly heading: string
  readonly names: readonly [from: string, to: string]
  readonly form: Form | undefined
}

async function printForm(context: Context, { comparison, heading, names, form }: Formed): Promise<void> {
  const { io, options } = context
  const paint = await context.paint()
  const header = `${paint.bold(`--- ${names[0]}`)}\n${paint.bold(`+++ ${names[1]}`)}\n`
  if (form === undefined || form === 'patch' || form === 'stat') {
    const coloured = colourLevel(io.stdout, io.env, options.color) > 0
    return context.print(header + formatComparison(comparison, paint, coloured))
  }
  if (form === 'markdown')
    return context.print((await import('../render/comparison-comment.ts')).formatMarkdown(comparison, heading))
  const { formatHtml, formatSideBySide, sideBySideWidth } = await import('../render/comparison-forms.ts')
  if (form === 'html') return context.print(formatHtml({ heading, comparison }))
  const columns = io.stdout.isTTY ? io.stdout.columns : Math.max(io.stdout.columns, sideBySideWidth)
  if (columns >= sideBySideWidth) return context.print(header + formatSideBySide(comparison, paint, columns))
  await context.say(`The terminal has ${columns} columns; two texts beside each other need ${sideBySideWidth}`)
  await context.print(header + formatComparison(comparison, paint, colourLevel(io.stdout, io.env, options.color) > 0))
}

/** `Main Page, revision 41, 2026-01-31 12:00, Alice` */
async function sideName(wiki: Wiki, id: number): Promise<string> {
  if (id === 0) return 'work tree'
  const { readRevisionBare } = await import('../../operations/read-revision.ts')
  const { page, timestamp, user } = await readRevisionBare(wiki, { id, base: '' })
  return visibleLine(`${page.title}, revision ${id}, ${shortTime(timestamp)}, ${user?.name ?? '(hidden)'}`)
}

const kindSigns: Readonly<Record<PageChange['kind'], string>> = { changed: 'M', added: 'A', deleted: 'D', moved: 'R' }

async function compareWiki(context: Context, range: string, form: Form | undefined): Promise<void> {
  const { compareCommits } = await import('../../operations/compare-commits.ts')
  const [, from = '', dots, to = ''] = /^(.*?)(\.\.\.?)(.*)$/s.exec(range) ?? []
  const query = { from: from || 'HEAD', to: to || 'HEAD', sinceParting: dots === '...' }
  const compared = await compareCommits(await context.snapshot(), query)
  const whole = await wholeForm(context, form, { range, ...compared })
  const pages: (PageChange & { readonly comparison?: Comparison })[] = []
  for await (const { comparison, patch, ...page } of compared.changes) {
    context.answer(1)
    if (context.options.quiet) return
    if (context.options.json) pages.push(form === 'patch' ? { ...page, comparison } : page)
    else if (whole !== null) await whole.add(page, comparison)
    else if (form === 'unified') await context.print(patch)
    else await printPage(context, page, comparison, form)
  }
  for (const file of compared.files) {
    context.answer(1)
    if (context.options.quiet) return
    if (whole !== null) await whole.addFile(file)
    else if (!context.options.json && form !== 'unified') await context.print(fileLine(file))
  }
  if (context.options.json) await context.printJson(await rangeBody(context, compared, pages))
  else if (whole !== null) await whole.end()
}

/** The range as an object: numbers of changes and of new problems, the changes, and the problems as `wiki check` has them. */
async function rangeBody(
  context: Context,
  { from, to, files }: ComparedCommits,
  pages: readonly PageChange[],
): Promise<unknown> {
  const { problemBodies } = await import('../../checks/formats/json.ts')
  const problems = await newProblems(context, { from, to })
  const count = (kind: PageChange['kind']): number => [...pages, ...files].filter(one => one.kind === kind).length
  const severe = (severity: Severity): number => problems.filter(one => one.severity === severity).length
  return {
    ...{ from, to },
    summary: {
      ...{ pages: pages.length, files: files.length },
      ...{ changed: count('changed'), added: count('added'), moved: count('moved'), deleted: count('deleted') },
      problems: { error: severe('error'), warning: severe('warning'), note: severe('note') },
    },
    pages,
    files: files.map(({ pictures: _, ...file }) => file),
    problems: problemBodies(problems),
  }
}

async function newProblems(context: Context, range: Pick<ComparedCommits, 'from' | 'to'>): Promise<readonly Problem[]> {
  const { checkChange } = await import('../../operations/check-change.ts')
  return (await checkChange(await context.snapshot(), { ...range, sinceParting: false })).problems
}

/** A single document of all changes, for the forms that have one. */
interface WholeForm {
  add(page: PageChange, comparison: Comparison): Promise<void> | void
  addFile(file: ComparedFile): Promise<void> | void
  end(): Promise<void>
}

type ComparedRange = Pick<ComparedCommits, 'from' | 'to' | 'pages' | 'files'> & { readonly range: string }

async function wholeForm(
  context: Context,
  form: Form | undefined,
  { range, from, to, pages, files }: ComparedRange,
): Promise<WholeForm | null> {
  if (form !== 'html' && form !== 'markdown') return null
  const { ChangeComment, countsOf } = await import('../render/comparison-comment.ts')
  const problems = await newProblems(context, { from, to })
  if (form === 'html') {
    const { HtmlPage } = await import('../render/comparison-forms.ts')
    const { countsBySeverity } = await import('../../checks/formats/markdown.ts')
    const counts = new Map<PageChange['kind'], number>()
    for (const { kind } of [...pages, ...files]) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    const { total, byKind } = countsOf(counts, files.length > 0)
    const changed = counts.size === 0 ? 'No page is changed.' : `${total}: ${byKind}.`
    const added = problems.length === 0 ? 'No new problems.' : `New problems: ${countsBySeverity(problems)}.`
    const summary = { heading: visibleLine(range), sentences: [changed, added], problems }
    const html = new HtmlPage(text => context.print(text), summary)
    return {
      add: (page, comparison) =>
        html.add({ heading: pageName(page), note: `${page.kind}, ${figures(page)}`, comparison }),
      addFile: file => html.addFile({ ...file, heading: fileName(file), note: `${file.kind}, ${fileSizes(file)}` }),
      end: () => html.end(),
    }
  }
  const comment = new ChangeComment(problems)
  return {
    add: (page, comparison) => comment.add(page, comparison),
    addFile: file => comment.addFile(file),
    end: () => context.print(comment.text(range)),
  }
}

async function printPage(
  context: Context,
  page: PageChange,
  comparison: Comparison,
  form: Form | undefined,
): Promise<void> {
  const name = pageName(page)
  const line = `${kindSigns[page.kind]} ${name}: ${figures(page)}\n`
  if (form === undefined || form === 'stat') return context.print(line)
  if (form === 'patch') await context.print(line)
  const before = page.kind === 'added' ? 'nothing' : visibleLine(page.from?.title ?? page.title)
  const after = page.kind === 'deleted' ? 'nothing' : visibleLine(page.title)
  await printForm(context, { comparison, heading: name, names: [before, after], form })
}

/** `M Map.png: 3000 → 4000 bytes` */
function fileLine(file: FileChange): string {
  return `${kindSigns[file.kind]} ${fileName(file)}: ${fileSizes(file)}\n`
}

function fileName({ path, from }: FileChange): string {
  return visibleLine(from === undefined ? path : `${from} → ${path}`)
}

function fileSizes({ size }: FileChange): string {
  return `${[...new Set([size.from, size.to])].filter(bytes => bytes !== null).join(' → ')} bytes`
}

function pageName({ title, from }: PageChange): string {
  return visibleLine(from === undefined ? title : `${from.title} → ${title}`)
}
