/** Random acknowledged edits between random git commands: each edit is on the branch, was replaced by one that saw it, or is reported. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { restoreEdits } from '../../src/operations/restore-edits.ts'
import { verifyWiki } from '../../src/operations/verify-wiki.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { rounds } from '../_rounds.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { numbersFrom } from './_made-history.ts'
import { ada, openTestWiki } from './_wiki.ts'

const pages = ['A.wiki', 'B.wiki', 'C.wiki']
const start = Array.from({ length: 12 }, (_, at) => `Line ${at} of the page.\n`).join('\n')

/** An acknowledged edit: the word that only it writes, and the word that it replaced, if any. */
interface Edit {
  readonly commit: string
  readonly word: string
  readonly replaced: string | null
}

class Scene {
  readonly directory: string
  readonly wiki: Wiki
  readonly edits: Edit[] = []
  readonly log: string[] = []
  readonly #random: () => number
  #words = 0
  /** Texts that were read earlier, by path. */
  #stale = new Map<string, string>()

  constructor(directory: string, wiki: Wiki, seed: number) {
    this.directory = directory
    this.wiki = wiki
    this.#random = numbersFrom(seed)
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item
  }

  git(...words: string[]): string {
    this.log.push(`git ${words.join(' ')}`)
    return git(this.directory, ...words)
  }

  /** False if git refuses, which it may. */
  try(...words: string[]): boolean {
    try {
      this.git(...words)
      return true
    } catch {
      this.log.push('  refused')
      return false
    }
  }

  text(path: string): string {
    try {
      return git(this.directory, 'show', `main:${path}`).concat('\n')
    } catch {
      return ''
    }
  }

  /** Replaces the last word of a line that has one of ours, or appends one to another line. */
  #changed(text: string, word: string): { text: string; replaced: string | null } {
    const lines = text.split('\n')
    const at = this.pick([...lines.keys()].filter(one => lines[one] !== ''))
    const [, known] = / (w\d+)$/.exec(lines[at] as string) ?? []
    lines[at] = known === undefined ? `${lines[at]} ${word}` : (lines[at] as string).replace(/ w\d+$/, ` ${word}`)
    return { text: lines.join('\n'), replaced: known ?? null }
  }

  async save(): Promise<void> {
    await this.wiki.store.refresh()
    const path = this.pick(pages)
    const word = `w${this.#words++}`
    const { text, replaced } = this.#changed(this.text(path) || start, word)
    const { commit } = await this.wiki.store.commit(() => ({
      changes: [{ path, content: Buffer.from(text) }],
      author: ada,
      comment: word,
      subject: 'Edit',
    }))
    this.log.push(`save ${path} ${word} for ${replaced}: ${commit}`)
    this.edits.push({ commit: commit as string, word, replaced })
  }

  read(): void {
    for (const path of pages) this.#stale.set(path, this.text(path))
  }

  /** Commits a text that was read earlier, with a new line, like an editor that was open meanwhile. */
  commitStale(): void {
    const path = this.pick(pages)
    const text = this.#stale.get(path)
    if (!text) return
    writeFileSync(join(this.directory, path), `${text}\nNative ${this.#words++}.\n`)
    this.try('commit', '-q', '-m', `stale ${path}`, '--', path)
  }

  commitStaleIndex(): void {
    if (!this.try('read-tree', 'HEAD~1')) return
    this.try('commit', '-q', '-m', 'stale index')
    this.try('reset', '-q', '--hard')
  }

  commitNative(): void {
    const path = this.pick(pages)
    writeFileSync(join(this.directory, path), `${this.text(path)}\nNative ${this.#words++}.\n`)
    this.try('commit', '-q', '-m', `native ${path}`, '--', path)
  }

  /**
   * Leaves `main` for a branch that starts some commits earlier, commits there, and merges back by one of git's ways.
   */
  topic(): void {
    const from = this.pick(['HEAD~1', 'HEAD~2'])
    if (!this.try('checkout', '-q', '-B', 'topic', from)) return
    const path = this.pick(pages)
    writeFileSync(
      join(this.directory, path),
      `${git(this.directory, 'show', `HEAD:${path}`)}\n\nTopic ${this.#words++}.\n`,
    )
    this.try('commit', '-q', '-m', 'topic', '--', path)
    this.try('checkout', '-q', 'main')
    const way = this.pick(['merge', 'ours', 'theirs', 'rebase', 'reversed'])
    if (way === 'rebase' && !this.try('rebase', '-q', 'topic')) this.try('rebase', '--abort')
    if (way === 'merge' && !this.try('merge', '-q', '-m', 'merge', 'topic')) this.try('reset', '-q', '--merge')
    if (way === 'ours') this.try('merge', '-q', '-s', 'ours', '-m', 'ours', 'topic')
    if (way === 'theirs') this.try('merge', '-q', '-X', 'theirs', '-m', 'theirs', 'topic')
    if (way !== 'reversed' || !this.try('checkout', '-q', 'topic')) return
    this.try('merge', '-q', '-s', 'ours', '-m', 'reversed', 'main')
    this.try('checkout', '-q', '-B', 'main')
  }

  async step(): Promise<void> {
    const steps: (() => unknown)[] = [
      () => this.save(),
      () => this.save(),
      () => this.save(),
      () => this.read(),
      () => this.commitStale(),
      () => this.commitStaleIndex(),
      () => this.commitNative(),
      () => this.topic(),
      () => this.try('reset', '-q', '--hard', this.pick(['HEAD~1', 'HEAD~2', 'ORIG_HEAD'])),
      () => this.try('commit', '-q', '--amend', '-m', `${git(this.directory, 'log', '-1', '--format=%s')} amended`),
      () => this.try('update-ref', 'refs/heads/main', 'HEAD~1') && this.try('reset', '-q', '--hard'),
      () => this.try('rebase', '-q', '--onto', 'HEAD~2', 'HEAD~1') || this.try('rebase', '--abort'),
      () => this.try('cherry-pick', 'ORIG_HEAD') || this.try('cherry-pick', '--abort'),
      () => this.try('gc', '-q', '--prune=now'),
      async () => (await verifyWiki(this.wiki)).lost.length,
    ]
    await this.pick(steps)()
    if (git(this.directory, 'symbolic-ref', '-q', 'HEAD') !== 'refs/heads/main')
      this.try('checkout', '-q', '-f', 'main')
    this.try('reset', '-q', '--hard')
  }

  /** Edits whose word the branch lacks, that no later edit on the branch replaced, and that are not reported. */
  async unreported(): Promise<string[]> {
    const { lost } = await verifyWiki(this.wiki)
    const reported = new Set(lost.map(({ comment }) => comment?.split(' ')[0]))
    const text = pages.map(path => this.text(path)).join('')
    const isThere = (word: string): boolean => new RegExp(`\\b${word}\\b`).test(text)
    const isSafe = (word: string): boolean =>
      isThere(word) || reported.has(word) || this.edits.some(edit => edit.replaced === word && isSafe(edit.word))
    return this.edits.map(({ word }) => word).filter(word => !isSafe(word))
  }
}

async function newScene(seed: number): Promise<Scene> {
  const directory = await temporaryDirectory()
  git(directory, 'init', '-q')
  for (const path of pages) writeFileSync(join(directory, path), start)
  git(directory, 'add', '.')
  git(directory, 'commit', '-q', '-m', 'start')
  git(directory, 'commit', '-q', '--allow-empty', '-m', 'second')
  return new Scene(directory, await openTestWiki(directory), seed)
}

const first = Number(process.env.VERIFY_SEED ?? 1)
const count = Number(process.env.VERIFY_SEEDS ?? rounds(1, 3, 6))

describe.skipIf(!hasGit)('whatever git does in between', () => {
  test.each(Array.from({ length: count }, (_, at) => first + at))(
    'acknowledged edits are on the branch, replaced, or reported, and can be restored: seed %i',
    { tags: 'rounds' },
    async seed => {
      const scene = await newScene(seed)
      for (let step = 0; step < 30; step++) await scene.step()
      expect(await scene.unreported(), scene.log.join('\n')).toEqual([])
      const fresh = await openTestWiki(scene.directory)
      const { restored, failures } = await restoreEdits(fresh, { author: async () => ada })
      const { lost } = await verifyWiki(fresh)
      expect(lost.length, scene.log.join('\n')).toBeLessThanOrEqual(failures.length * 2)
      expect(restored.length + failures.length >= lost.length).toBe(true)
    },
  )
})

const listTexts = Number(process.env.VERIFY_LISTS ?? rounds(4, 60))

/** A page of few different lines, in which one text easily resembles another. */
function repeatedLines(random: () => number): string {
  const lines = Array.from({ length: 2 + Math.floor(random() * 6) }, () => `* ${'aabcd'[Math.floor(random() * 5)]}`)
  return `${lines.join('\n')}\n`
}

describe.skipIf(!hasGit)('a reset takes back edits of a page with repeated lines', () => {
  test.each(Array.from({ length: listTexts }, (_, at) => first + at))(
    'and the last of its texts is restored: seed %i',
    { tags: 'rounds' },
    async seed => {
      const random = numbersFrom(seed)
      const { wiki, directory } = await newScene(seed)
      const texts = Array.from({ length: 4 }, () => repeatedLines(random))
      for (const text of texts) await saveAs(wiki, text)
      git(directory, 'reset', '-q', '--hard', 'HEAD~3')
      await restoreEdits(wiki, { author: async () => ada })
      expect(git(directory, 'show', 'main:A.wiki'), JSON.stringify(texts)).toBe(texts.at(-1)?.trimEnd())
    },
  )
})

async function saveAs(wiki: Wiki, text: string): Promise<void> {
  const changes = [{ path: 'A.wiki', content: Buffer.from(text) }]
  await wiki.store.commit(() => ({ changes, author: ada, comment: text.replaceAll('\n', ' '), subject: 'Edit' }))
}
