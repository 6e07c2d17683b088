/**
 * The main line of a history: from a commit to the parent that others had, down to the root. This is the first parent, but for
 * merges by which somebody brought the shared branch into unshared work: there git puts the shared line second.
 */

/** Branch names that git, or everybody, takes for the integration branch. */
const integrationBranches: ReadonlySet<string> = new Set(['main', 'master'])

/** Git's default subject of a merge. Source: git-fmt-merge-msg(1). */
const mergeSubject =
  /^Merge (?:remote-tracking )?branch(?:es)? ('[^']+'(?:(?:, | and )'[^']+')*)( of .+?)?(?: into (\S+))?$/

/** Longer subjects are no git's own: the bound keeps the pattern's time small. */
const subjectLimit = 1000

/**
 * Returns the parent on which the main line goes on; undefined at a root. `message` is the commit's message or its subject.
 * A function of the commit alone: `docs/architecture.md` lists the cases.
 */
export function mainParent(parents: readonly string[], message: string): string | undefined {
  return parents.length < 2 ? parents[0] : (parents[sharedParent(parents.length, subjectOf(message))] ?? parents[0])
}

/** Returns the parents with that of the main line first, in their order otherwise. */
export function mainParentFirst(parents: readonly string[], main: string | undefined): readonly string[] {
  if (main === undefined || main === parents[0] || !parents.includes(main)) return parents
  return [main, ...parents.filter(parent => parent !== main)]
}

/** Place of the parent that is the shared line: 0 where the subject names none. */
function sharedParent(parents: number, subject: string): number {
  const match = subject.length > subjectLimit ? null : mergeSubject.exec(subject)
  if (match === null) return 0
  const names = [...(match[1] as string).matchAll(/'([^']+)'/g)].map(([, name]) => ownName(name as string))
  // Git names no branch that is not a parent, and leaves the own side out where a merged branch contains it.
  const first = parents - names.length
  if (first !== 0 && first !== 1) return 0
  const into = match[3]
  const at = names.findIndex(name => integrationBranches.has(name) || name === into)
  return at < 0 ? 0 : at + first
}

/** Name that a branch of the remote `origin` has there. */
function ownName(name: string): string {
  return name.replace(/^(?:refs\/remotes\/)?origin\//, '')
}

/** Returns the subject as git's `%s` does: the first paragraph in one line. */
function subjectOf(message: string): string {
  const lines = message
    .slice(0, 2 * subjectLimit)
    .split('\n')
    .map(line => line.trimEnd())
  const start = lines.findIndex(line => line !== '')
  const end = lines.indexOf('', start)
  return lines.slice(Math.max(start, 0), end < 0 ? undefined : end).join(' ')
}
