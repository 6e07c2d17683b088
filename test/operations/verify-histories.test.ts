/**
 * Generated histories of acknowledged edits and git commands, without processes. Each edit is on the branch, was replaced by one that
 * saw it or reverted by name, or is reported and restored.
 *
 * Found that edits were forgotten after a squash, that plain commits entered the record, that an edit was settled and not restored
 * after git had moved its page, and that merges with the former tip were not examined. Slow: a quarter of a second for each history.
 */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { restoreEdits } from '../../src/operations/restore-edits.ts'
import { verifyWiki } from '../../src/operations/verify-wiki.ts'
import { rounds } from '../_rounds.ts'
import { isSame, MadeHistory, mergeOf, numbersFrom, type Side, type Texts } from './_made-history.ts'
import { ada, bob } from './_wiki.ts'

/** A word that an edit adds, or one that it removes. */
interface Fact {
  readonly word: string
  readonly isAdded: boolean
}

interface Edit {
  readonly name: string
  readonly facts: readonly Fact[]
  /** The reason for which its words need not be there. */
  excuse: string | null
}

const vocabulary = 'tide harbour rope knot sail mast keel anchor buoy pier crane quay gull storm chart compass'.split(
  ' ',
)

/** A fact that concerns a page's text. Nothing is known of a word that no text had. */
function isTrue({ word, isAdded }: Fact, texts: Texts): boolean {
  const pattern = new RegExp(`\\b${word}\\b`)
  return [...texts.values()].some(text => pattern.test(text)) === isAdded
}

class Generated {
  readonly log: string[] = []
  readonly #history: MadeHistory
  readonly #edits: Edit[] = []
  readonly #made: string[] = []
  /** The commits that the branch has named, oldest first. */
  readonly #tips: string[] = []
  readonly #separator: string
  readonly #random: () => number
  #words = 0

  private constructor(history: MadeHistory, random: () => number) {
    this.#history = history
    this.#random = random
    this.#separator = random() < 0.3 ? '\n' : '\n\n'
  }

  static async begin(seed: number): Promise<Generated> {
    const random = numbersFrom(seed)
    const generated = new Generated(await MadeHistory.begin(new Map([['Start.wiki', 'Start here.\n']])), random)
    const pages = ['A.wiki', 'B.wiki', 'C.wiki'].map(path => [path, generated.#page()] as const)
    generated.#commit(new Map(pages), 'pages')
    return generated
  }

  async step(): Promise<void> {
    this.#tips.push(this.#history.tip.hash)
    if (this.#random() < 0.45) return this.#save()
    const [name, run] = this.#pick(Object.entries(this.#commands))
    this.log.push(name)
    await run()
    this.log.push(`  ${this.#history.tip.hash.slice(0, 7)}`)
  }

  /** The edits that are neither there nor reported and restored. */
  async lost(): Promise<string[]> {
    await this.#restore()
    const { texts } = this.#history.tip
    const found = this.#edits.filter(({ facts }) => !facts.every(fact => !fact.isAdded || isTrue(fact, texts)))
    return found.filter(({ excuse }) => excuse === null).map(({ name }) => name)
  }

  readonly #commands: Readonly<Record<string, () => unknown>> = {
    commit: () => this.#commit(this.#withLine(this.#history.tip.texts), 'plain'),
    older: () => this.#commit(this.#older(), 'older'),
    amend: () => {
      const { texts, message } = this.#history.tip
      const text = this.#pick([texts, this.#withLine(texts), this.#older(), this.#older()])
      this.#made.push(this.#history.amend(text, { message: this.#random() < 0.3 ? `${message} again` : message }))
    },
    reset: () => this.#history.moveTo(this.#back(1, 4)),
    'reset to any': () => this.#history.moveTo(this.#pick(this.#made)),
    squash: () => this.#commit(this.#history.tip.texts, 'squash', [this.#back(2, 5)]),
    rebase: () => this.#rebase(),
    revert: () => this.#revert(),
    merge: () => this.#merge(),
    move: () => {
      const { texts } = this.#history.tip
      const path = this.#pick([...texts.keys()])
      const pages = [...texts].map(([one, text]) => [one === path ? `${this.#word('G')}.wiki` : one, text] as const)
      this.#commit(new Map(pages), 'move')
    },
    'filter-branch': () => {
      const made = new Map<string, string>()
      const copy = (hash: string): string => {
        const { texts, message, parents, author, time } = this.#history.commit(hash)
        const copied =
          made.get(hash) ??
          this.#history.make(texts, `${message}\n\nFor: all`, { parents: parents.map(copy), author, time })
        made.set(hash, copied)
        return copied
      }
      this.#history.moveTo(copy(this.#history.tip.hash))
    },
    // An editor has saved an older text, and the index follows the branch to the commit before.
    'reset, add and commit': () => {
      const texts = this.#older()
      this.#history.moveTo(this.#back(1, 2))
      this.#commit(texts, 'add -A')
    },
    // The stream was exported before the last commits were made.
    'fast-export and fast-import': () => this.#history.moveTo(this.#pick(this.#tips.slice(-6))),
    // The first commit has no parent, and everything that those before had.
    'fast-export of the last commits': () => {
      const commits = this.#history.ancestors().slice(0, 1 + Math.floor(this.#random() * 4))
      let parents: string[] = []
      for (const { texts, message, author, time } of commits.reverse().map(hash => this.#history.commit(hash)))
        parents = [this.#history.make(texts, message, { parents, author, time })]
      this.#history.moveTo(parents[0] as string)
    },
    verify: () => verifyWiki(this.#history.wiki),
    restore: () => this.#restore(),
  }

  async #save(): Promise<void> {
    const { texts } = this.#history.tip
    const name = `e${this.#edits.length}`
    const path = this.#random() < 0.1 ? `${this.#word('N')}.wiki` : this.#pick([...texts.keys()])
    const before = texts.get(path) ?? this.#page()
    const word = this.#word('w')
    const gone = this.#random() < 0.4 ? this.#pick(before.match(/\b[bw]\d+x\d+\b/g) ?? [null]) : null
    const lines = before.split('\n')
    const at = this.#pick([...lines.keys()].filter(one => lines[one] !== ''))
    const after =
      gone === null
        ? lines.with(at, `${lines[at]} ${word}`).join('\n')
        : before.replace(new RegExp(`\\b${gone}\\b`), word)
    const facts = [{ word, isAdded: true }, ...(gone === null ? [] : [{ word: gone, isAdded: false }])]
    this.#made.push(await this.#history.save({ [path]: after }, name, { author: this.#pick([ada, bob]) }))
    for (const edit of this.#changedBy(texts, this.#history.tip.texts)) edit.excuse ??= `seen by ${name}`
    this.#edits.push({ name, facts, excuse: null })
    this.log.push(`${name} ${this.#history.tip.hash.slice(0, 7)} ${path}: ${gone ?? ''} ${word}`)
  }

  async #restore(): Promise<void> {
    const { restored, failures } = await restoreEdits(this.#history.wiki, { author: async () => ada })
    this.log.push(
      `  restored ${restored.map(one => one.restored.slice(0, 7)).join(' ')}, failed ${failures.map(one => one.commit.slice(0, 7)).join(' ')}`,
    )
    for (const { commit } of restored) if (commit !== null) this.#made.push(commit)
    // An edit that conflicts is shown; a squashed commit has several.
    for (const { commit } of failures) {
      const { texts, parents } = this.#history.commit(commit)
      const before = parents[0] === undefined ? new Map() : this.#history.commit(parents[0]).texts
      for (const edit of this.#changedBy(texts, before)) edit.excuse ??= 'conflict'
    }
    this.#history.pass(100)
  }

  #rebase(): void {
    const count = 2 + Math.floor(this.#random() * 3)
    const list = this.#history.ancestors().slice(0, count).reverse()
    const base = this.#history.commit(list[0] as string).parents[0]
    if (
      base === undefined ||
      this.#history.commit(base).message === 'start' ||
      list.some(hash => this.#history.commit(hash).parents.length !== 1)
    )
      return
    const way = this.#pick(['drop', 'reorder', 'fixup', 'onto'])
    if (way === 'drop') list.splice(Math.floor(this.#random() * list.length), 1)
    if (way === 'reorder') list.push(...list.splice(0, 1))
    let at =
      way === 'onto'
        ? this.#history.make(this.#withLine(this.#history.commit(base).texts), 'upstream', { parents: [base] })
        : base
    for (const hash of list) {
      const picked = this.#history.pick(hash, at)
      if (picked === null) return
      const { parents, message, author, time } = this.#history.commit(at)
      const isFixup = way === 'fixup' && at !== base && picked !== at
      at = isFixup ? this.#history.make(this.#history.commit(picked).texts, message, { parents, author, time }) : picked
    }
    this.#history.moveTo(at)
  }

  #revert(): void {
    const { hash, parents, texts, message } = this.#history.commit(this.#back(0, 4))
    const now = this.#history.tip.texts
    const reverted = parents.length === 1 && mergeOf(texts, now, this.#history.commit(parents[0] as string).texts)
    if (!reverted || isSame(reverted, now)) return
    for (const edit of this.#changedBy(now, reverted)) edit.excuse ??= 'reverted'
    this.#commit(reverted, `Revert "${message.split('\n')[0]}"\n\nThis reverts commit ${hash}.`)
  }

  #merge(): void {
    const { hash: tip, texts: mine } = this.#history.tip
    const from = this.#back(1, 4)
    const base = this.#history.commit(from).texts
    const theirs = this.#withLine(base)
    const side = this.#history.make(theirs, 'side', { parents: [from] })
    const [way, reversed] = [this.#pick(['ours', 'theirs', 'mine', 'none'] as const), this.#random() < 0.3]
    const sides: Record<string, Side> = { theirs: 'theirs', mine: 'mine' }
    const merged =
      way === 'ours' ? mine : way === 'theirs' && reversed ? theirs : mergeOf(base, mine, theirs, sides[way])
    if (merged !== null) this.#commit(merged, 'merge', reversed ? [side, tip] : [tip, side])
  }

  /** Text that is older than a line of a plain commit: that the line goes counts as intended, with the edits of it. */
  #excuseYoungLines(texts: Texts): void {
    for (const [path, now] of this.#history.tip.texts)
      for (const line of now.split('\n')) {
        const [own] = /\bb0x\d+\b/.exec(line) ?? []
        if (own === undefined || new RegExp(`\\b${own}\\b`).test(texts.get(path) ?? own)) continue
        for (const edit of this.#edits)
          if (edit.facts.some(({ word }) => new RegExp(`\\b${word}\\b`).test(line)))
            edit.excuse ??= 'older than its line'
      }
  }

  #commit(texts: Texts, message: string, parents?: readonly string[]): void {
    if (parents === undefined) this.#excuseYoungLines(texts)
    if (parents !== undefined || !isSame(texts, this.#history.tip.texts))
      this.#made.push(this.#history.plain(texts, message, parents === undefined ? {} : { parents }))
  }

  /** The texts of one page or of all from some commits ago, often with a line more. To delete a page counts as intended. */
  #older(): Texts {
    const { texts } = this.#history.tip
    const former = this.#history.commit(this.#back(1, 6)).texts
    const path = this.#pick([...former.keys()])
    const text = former.get(path)
    const older =
      this.#random() < 0.3
        ? new Map([...texts, ...former])
        : text === undefined
          ? texts
          : new Map([...texts, [path, text]])
    return this.#random() < 0.6 ? this.#withLine(older) : older
  }

  #withLine(texts: Texts): Texts {
    const path = this.#pick([...texts.keys()])
    const parts = (texts.get(path) as string).trimEnd().split(this.#separator)
    parts.splice(Math.floor(this.#random() * (parts.length + 1)), 0, this.#line())
    return new Map([...texts, [path, `${parts.join(this.#separator)}\n`]])
  }

  /** Edits that hold in the first texts and not in the second. */
  #changedBy(before: Texts, after: Texts): Edit[] {
    return this.#edits.filter(({ facts }) => facts.some(fact => isTrue(fact, before) && !isTrue(fact, after)))
  }

  /** A commit of the first-parent chain, some steps back, that has all pages: to delete a page counts as intended. */
  #back(least: number, most: number): string {
    let { hash } = this.#history.tip
    for (let left = least + Math.floor(this.#random() * (most - least)); left > 0; left--)
      hash =
        (this.#history.commit(hash).message.startsWith('pages') ? null : this.#history.commit(hash).parents[0]) ?? hash
    return hash
  }

  #page(): string {
    return `${Array.from({ length: 3 + Math.floor(this.#random() * 4) }, () => this.#line()).join(this.#separator)}\n`
  }

  #line(): string {
    return `${Array.from({ length: 3 }, () => this.#pick(vocabulary)).join(' ')} ${this.#word('b')}.`
  }

  #word(kind: string): string {
    return `${kind}0x${this.#words++}`
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item
  }
}

beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())

const first = Number(process.env.VERIFY_SEED ?? 1)
const steps = Number(process.env.VERIFY_STEPS ?? 14)
const count = Number(process.env.VERIFY_SEEDS ?? rounds(4, 60, 1000))

describe('whatever git makes of acknowledged edits', () => {
  test.each(Array.from({ length: count }, (_, at) => first + at))(
    'they are there, replaced, or reported and restored: seed %i',
    { tags: 'rounds' },
    async seed => {
      const generated = await Generated.begin(seed)
      for (let step = 0; step < steps; step++) await generated.step()
      expect(await generated.lost(), generated.log.join('\n')).toEqual([])
    },
  )
})
