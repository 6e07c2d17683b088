/**
 * Git's conversion between files and blobs: content filters, encodings, line ends, `$Id$`. Git itself runs filters and converts
 * encodings. Line ends and `$Id$` are converted here, as in git, without a process. Source: gitattributes(5), "EFFECTS";
 * git-hash-object(1) `--path`; git-cat-file(1) `--filters`.
 */

import { WikiError } from '../../../core/errors.ts'
import { pathArgument } from '../../../core/shell-quote.ts'
import { readWorkFile, workTreeAt } from '../../../files/work-file.ts'
import { pointerTo, readPointer } from '../../git/lfs.ts'
import { mayRunGit } from '../../git/native.ts'
import { hashBlob } from '../../git/objects.ts'
import { blobAt } from '../../git/tree-file.ts'
import type { GitResult } from '../../repository/process.ts'
import { filterNotRun, mayRunFilters } from '../content-filters.ts'
import { type FileForm, lineEnds } from '../follow.ts'
import { AttributeFinder, type ReadAttributes } from './attribute-files.ts'
import { Cleaner, Smudger } from './filter-process.ts'
import { isPlain, needsGit, type PathForm, pathForm } from './path-form.ts'
import { type ConversionPlace, openPrivateTree } from './private-tree.ts'
import { hasCrlf, losesLineEnds, textToBlob, textToFile } from './text-form.ts'
import { tipAttributes } from './tip-attributes.ts'

/** Bytes of a file are in their work-tree form; those of an editor are UTF-8 with line feeds. */
export type Origin = 'file' | 'editor'

/**
 * The filter of Git LFS, by the name that it gives itself. What it makes of a file is known without it: a pointer.
 * Source: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
 */
export const lfsFilter = 'lfs'

/** Conversions of paths that are cached. */
const maxCachedForms = 10_000

/** Git ignores larger attributes files. */
const largestAttributes = 100 * 1024 * 1024

/** Git's conversion at one place and moment: attributes and settings are read once. Call `end` when done. */
export class Conversion {
  readonly #place: ConversionPlace
  readonly #attributes: AttributeFinder
  readonly #forms = new Map<string, Promise<PathForm>>()
  #mayRun: boolean | null = null
  #mayFilter: boolean | null = null
  #smudger: Smudger | null = null
  #cleaner: Cleaner | null = null

  constructor(place: ConversionPlace) {
    this.#place = place
    this.#attributes = new AttributeFinder(place.repository, attributesIn(place))
  }

  /** Decides how content at a path is converted. */
  form(path: string): Promise<PathForm> {
    const cached = this.#forms.get(path)
    if (cached !== undefined) return cached
    if (this.#forms.size > maxCachedForms) this.#forms.clear()
    const form = this.#attributes.of(path).then(found => pathForm(found, this.#attributes.settings))
    this.#forms.set(path, form)
    return form
  }

  /** Converts content to that of the blob at a path, as `git add` does. Throws `wiki-conversion-failed`. */
  async toBlob(path: string, content: Uint8Array, origin: Origin): Promise<Uint8Array> {
    const form = await this.form(path)
    if (isPlain(form)) return content
    if (!isCleanedByGit(form, origin)) return this.#textToBlob(path, Buffer.from(content), { form, origin })
    this.#checkFilter(path, form, origin)
    const filter = await this.filterNotRun(path)
    if (filter === lfsFilter) return readPointer(Buffer.from(content)) === null ? pointerTo(content) : content
    this.#checkRuns(path, filter)
    return cleanOne(this.#place, path, { content, origin })
  }

  /** Name of the filter of a path if it is not run here; null if it is, or if there is none: see `content-filters.ts`. */
  async filterNotRun(path: string): Promise<string | null> {
    const { filter } = await this.form(path)
    if (filter === null) return null
    this.#mayFilter ??= mayRunFilters(this.#place.repository)
    return this.#mayFilter ? null : filter
  }

  #checkRuns(path: string, filter: string | null): void {
    if (filter !== null) throw filterNotRun(this.#place.repository, path, filter)
  }

  /**
   * Converts an editor's text as `toBlob` does; git is started once for many. The filter runs in a private folder; if it fails
   * there, it runs again in the work tree.
   */
  async toBlobOfMany(path: string, content: Uint8Array): Promise<Uint8Array> {
    const form = await this.form(path)
    if (!isCleanedByGit(form, 'editor')) return this.toBlob(path, content, 'editor')
    this.#checkFilter(path, form, 'editor')
    this.#cleaner ??= new Cleaner(this.#place, attributesIn(this.#place))
    const cleaned = await this.#cleaner.clean(path, content, form.filter as string)
    return cleaned ?? this.toBlob(path, content, 'editor')
  }

  /** Converts a blob to the content of the file at a path, as `git checkout` does. Throws `wiki-conversion-failed`. */
  async toFile(path: string, content: Uint8Array): Promise<Uint8Array> {
    const form = await this.form(path)
    if (isPlain(form)) return content
    if (!needsGit(form)) return textToFile(Buffer.from(content), form, () => hashBlob(content))
    this.#checkGit(path, form)
    this.#checkRuns(path, await this.filterNotRun(path))
    this.#smudger ??= new Smudger(this.#place, attributesIn(this.#place))
    const ran = await this.#smudger.smudge(path, Buffer.from(content))
    if (ran.status !== 0) throw failed(path, ran)
    return ran.stdout
  }

  /**
   * Converts a blob that moves from one path to another. It stays unchanged, as with `git mv`, unless a filter has changed, or
   * has to change, its content. Throws `wiki-conversion-failed`.
   */
  async moved(content: Uint8Array, from: string, to: string): Promise<Uint8Array> {
    const [before, after] = [await this.form(from), await this.form(to)]
    if (before.filter === after.filter) return content
    if (before.filter !== null) this.#checkFilter(from, before, 'editor')
    const plain = before.filter === null ? content : await this.toFile(from, content)
    return this.toBlob(to, plain, 'editor')
  }

  /**
   * Returns the file content that the filter of a path makes of a blob: `unknown` if that cannot be determined, null if no filter
   * applies; then the blob is not read.
   */
  async unfiltered(path: string, read: () => Promise<Uint8Array>): Promise<Uint8Array | 'unknown' | null> {
    if ((await this.form(path)).filter === null) return null
    return this.toFile(path, await read()).catch(() => 'unknown')
  }

  /** Throws `wiki-conversion-failed` if two paths have different filters. */
  async checkMove(from: string, to: string): Promise<void> {
    const [before, after] = [await this.form(from), await this.form(to)]
    if (before.filter !== after.filter) throw refusal(to, `the filter of ${from} is another one`)
  }

  /** Ends the converting processes. */
  end(): void {
    this.#smudger?.end()
    this.#cleaner?.end()
  }

  async #textToBlob(
    path: string,
    content: Buffer,
    { form, origin }: { readonly form: PathForm; readonly origin: Origin },
  ): Promise<Buffer> {
    const isAsked = form.lineEnds.kind === 'guess' && content.includes('\r\n')
    const before = { hasCrlf: isAsked && (await this.#hasCrlf(path)) }
    if (origin === 'file' && form.isSafe && losesLineEnds(content, form, before))
      throw refusal(path, 'core.safecrlf is set, and its line ends would not come back as they are')
    return textToBlob(content, form, before)
  }

  async #hasCrlf(path: string): Promise<boolean> {
    const { commit, read } = this.#place.tree
    const blob = commit === null ? null : await blobAt(read, commit, path)
    return blob !== null && hasCrlf((await read(blob)).content)
  }

  #checkGit(path: string, form: PathForm): void {
    this.#mayRun ??= mayRunGit(this.#place.repository)
    const need = form.filter === null ? `encoding ${form.encoding}` : `filter "${form.filter}"`
    if (!this.#mayRun) throw refusal(path, `git is needed for its ${need}, and cannot be run here`)
  }

  /** An attribute's filter without a definition in the settings would let unfiltered content pass. */
  #checkFilter(path: string, form: PathForm, origin: Origin): void {
    this.#checkGit(path, form)
    const { filter, encoding } = form
    if (filter === null) return
    const keys = [`filter.${filter}.clean`, `filter.${filter}.process`]
    if (!this.#attributes.settings.some(({ key, value }) => keys.includes(key) && value))
      throw refusal(path, `its filter "${filter}" is not configured`)
    if (origin === 'editor' && encoding !== null)
      throw refusal(path, `its filter "${filter}" expects ${encoding}; edit the file in a work tree`)
  }
}

/** An editor's text is UTF-8, as is a blob with an encoding. */
function isCleanedByGit(form: PathForm, origin: Origin): boolean {
  return form.filter !== null || (form.encoding !== null && origin === 'file')
}

function attributesIn({ repository, tree, isFollowing }: ConversionPlace): ReadAttributes {
  const { workTree } = repository
  const atTip = tipAttributes(tree)
  if (!isFollowing || workTree === null) return atTip
  const files = workTreeAt(workTree)
  return async path => {
    const found = readWorkFile(files, path, largestAttributes)
    return found !== null && typeof found === 'object' ? found.content : atTip(path)
  }
}

/** Converts content in a private object store, so that nothing is left behind. */
async function cleanOne(
  place: ConversionPlace,
  path: string,
  { content, origin }: { readonly content: Uint8Array; readonly origin: Origin },
): Promise<Uint8Array> {
  const folder = await openPrivateTree(place, attributesIn(place))
  try {
    await folder.placeAttributes(path)
    const safe = origin === 'editor' ? ['-c', 'core.safecrlf=false'] : []
    const ran = await folder.run([...safe, 'hash-object', '-w', '--stdin', `--path=${path}`], content)
    if (ran.status !== 0) throw failed(path, ran)
    const hash = ran.stdout.toString().trim()
    const object = folder.written(hash)
    if (object !== null) return object
    // Git writes no object that the repository has already.
    return (await place.tree.read(hash)).content
  } finally {
    folder.remove()
  }
}

function failed(path: string, { status, stderr }: GitResult): WikiError {
  if (status === null) return refusal(path, 'git or the filter did not end in time')
  const reason = stderr.trim().split('\n').at(-1)?.replace('fatal: ', '').replace(`${path}: `, '') || 'git failed'
  const [, kind, name] = /^(clean|smudge) filter '(.+)' failed$/.exec(reason) ?? []
  return refusal(path, name === undefined ? reason : `the program of filter.${name}.${kind} in git's settings fails`)
}

function refusal(path: string, reason: string): WikiError {
  return new WikiError('wiki-conversion-failed', {
    params: [path, reason],
    hint: `See what applies to it: git check-attr --all -- ${pathArgument(path)}`,
  })
}

/** Returns git's conversion for files that follow the branch. Call `end` when done. */
export function fileForm(place: ConversionPlace): FileForm & { readonly end: () => void } {
  const conversion = new Conversion(place)
  const applies = async (path: string) => !isPlain(await conversion.form(path))
  return {
    applies,
    fromFile: async (path, content) =>
      (await applies(path)) ? conversion.toBlob(path, content, 'file') : lineEnds.fromFile(path, content),
    toFile: async (path, content) =>
      (await applies(path)) ? conversion.toFile(path, content) : lineEnds.toFile(path, content),
    end: () => conversion.end(),
  }
}
