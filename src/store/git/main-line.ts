/**
 * The main line of a history: from a commit to the shared parent, down to the root. This is the first parent, except for merges
 * that bring the shared branch into unshared work: there git puts the shared line second.
 */

/** Branch names that git or convention uses for the integration branch. */
const integrationBranches: ReadonlySet<string> = new Set(['main', 'master'])

/** Start of the default subject of a merge. Source: git-fmt-merge-msg(1). */
const mergeStart = /^Merge (?:remote-tracking )?branch(?:es)? /

/** A branch in such a subject, and the text before the next one. */
const mergedBranch = /'([^']+)'(, | and )?/y

/** Longer subjects are not git's own: the bound limits the pattern's time. */
const subjectLimit = 1000

/**
 * Returns the parent that continues the main line; undefined at a root. `message` is the beginning of the commit's message, its
 * bytes read as UTF-8 whatever the commit's encoding. A function of the commit alone: `docs/reference/storage.md` lists the cases.
 */
export function mainParent(parents: readonly string[], message: string): string | undefined {
  return parents.length < 2 ? parents[0] : (parents[sharedParent(parents.length, subjectOf(message))] ?? parents[0])
}

/** Returns the parents with the main line's first, otherwise in their order. */
export function mainParentFirst(parents: readonly string[], main: string | undefined): readonly string[] {
  if (main === undefined || main === parents[0] || !parents.includes(main)) return parents
  return [main, ...parents.filter(parent => parent !== main)]
}

/** Index of the parent that is the shared line: 0 if the subject names none. */
function sharedParent(parents: number, subject: string): number {
  const merge = subject.length > subjectLimit ? null : readMerge(subject)
  if (merge === null) return 0
  const names = merge.names.map(ownName)
  // Git names only parents, and omits its own side if a merged branch contains it.
  const first = parents - names.length
  if (first !== 0 && first !== 1) return 0
  const at = names.findIndex(name => integrationBranches.has(name) || name === merge.into)
  return at < 0 ? 0 : at + first
}

/** Reads git's default subject of a merge: the branches, and the branch they were merged into, if named. */
function readMerge(subject: string): { readonly names: readonly string[]; readonly into: string | undefined } | null {
  const start = mergeStart.exec(subject)
  if (start === null) return null
  const names: string[] = []
  mergedBranch.lastIndex = start[0].length
  for (let isMore = true; isMore; ) {
    const at = mergedBranch.lastIndex
    const found = mergedBranch.exec(subject)
    if (found === null) return null
    names.push(found[1] as string)
    isMore = found[2] !== undefined
    mergedBranch.lastIndex = at + found[0].length
  }
  const rest = subject.slice(mergedBranch.lastIndex)
  const end = rest.lastIndexOf(' into ')
  const into = end < 0 ? '' : rest.slice(end + ' into '.length)
  const isInto = into !== '' && !/[\0-\x20]/.test(into)
  const of = isInto ? rest.slice(0, end) : rest
  if (of !== '' && !(of.startsWith(' of ') && of.length > ' of '.length)) return null
  return { names, into: isInto ? into : undefined }
}

/** Name that a branch of the remote `origin` has there. */
function ownName(name: string): string {
  return name.replace(/^(?:refs\/remotes\/)?origin\//, '')
}

/** Returns the subject: the first paragraph in one line. */
function subjectOf(message: string): string {
  const lines = message.split('\n').map(line => line.trimEnd())
  const start = lines.findIndex(line => line !== '')
  const end = lines.indexOf('', start)
  return lines.slice(Math.max(start, 0), end < 0 ? undefined : end).join(' ')
}
