/** Sequences of acknowledged edits and git commands in which an edit was lost without a report, or reported although nothing was lost. */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { restoreEdits } from '../../src/operations/restore-edits.ts'
import { verifyWiki } from '../../src/operations/verify-wiki.ts'
import { MadeHistory, mergeOf, type Texts } from './_made-history.ts'
import { ada } from './_wiki.ts'

const rows = ['Low water at six.', 'High water at noon.', 'Slack water at nine.', 'Neap tide on Sunday.']
const tides = `${rows.join('\n\n')}\n`
const boats = 'Oars.\n\nSails.\n'
const [six, noon] = [tides.replace('six', 'seven'), tides.replace('six', 'seven').replace('noon', 'one')]
const moved = `${[rows[3], rows[0], rows[1], rows[2]].join('\n\n')}\n`
const withOwn = (text: string | undefined) => `${text}\nA line of their own.\n`

beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())

function newHistory(pages: Readonly<Record<string, string>> = {}): Promise<MadeHistory> {
  return MadeHistory.begin(new Map(Object.entries({ 'Tides.wiki': tides, 'Boats.wiki': boats, ...pages })))
}

function changed(texts: Texts, path: string, text: string): Texts {
  return new Map([...texts, [path, text]])
}

/** The comments of the edits that are reported as lost. */
async function reported({ wiki }: MadeHistory): Promise<string[]> {
  return (await verifyWiki(wiki)).lost.map(({ comment, title }) => `${comment}: ${title}`)
}

/** Restores what is reported, and returns a page's text. */
async function restored(history: MadeHistory, path: string): Promise<string | undefined> {
  await restoreEdits(history.wiki, { author: async () => ada })
  return history.tip.texts.get(path)
}

describe('git commit --amend of a text from before the edit is found', () => {
  test.each([
    ['a moved paragraph', tides, moved],
    ['a broken line', tides, tides.replace('at six', '\nat six')],
    ['a space', tides, tides.replace('six.', 'six .')],
  ])('if the edit changed nothing but %s', async (_, before, after) => {
    const history = await newHistory()
    await history.save({ 'Tides.wiki': after }, 'edit')
    history.amend(changed(history.tip.texts, 'Tides.wiki', withOwn(before)))
    expect(await reported(history)).toEqual(['edit: Tides'])
  })

  test('if the amended commit reverts another edit through the wiki', async () => {
    const history = await newHistory()
    await history.save({ 'Tides.wiki': six }, 'edit')
    const other = await history.save({ 'Boats.wiki': withOwn(boats) }, 'other')
    await history.save({ 'Boats.wiki': boats }, 'undo', { reverts: other })
    history.amend(changed(history.tip.texts, 'Tides.wiki', tides))
    expect(await reported(history)).toEqual(['edit: Tides'])
    expect(await restored(history, 'Tides.wiki')).toBe(six)
  })
})

describe('edits that were squashed, and examined after that,', () => {
  test.each<[how: string, lose: (history: MadeHistory, start: string) => void]>([
    ['git reset', (history, start) => history.moveTo(start)],
    ['a commit of older files', (history, start) => history.plain(history.commit(start).texts, 'older')],
  ])('are found if %s takes the squashed commit away', async (_, lose) => {
    const history = await newHistory()
    const start = history.tip.hash
    await history.save({ 'Tides.wiki': six }, 'one')
    await history.save({ 'Tides.wiki': noon }, 'two')
    history.plain(history.tip.texts, 'squashed', { parents: [start] })
    expect(await reported(history)).toEqual([])
    lose(history, start)
    expect(await reported(history)).toEqual(['squashed: Tides'])
    expect(await restored(history, 'Tides.wiki')).toBe(noon)
  })

  test('are not reported if later edits replaced their words', async () => {
    const history = await newHistory()
    const start = history.tip.hash
    await history.save({ 'Ropes.wiki': 'Hemp and jute.\n' }, 'create')
    await history.save({ 'Ropes.wiki': 'Hemp.\n' }, 'shorten')
    history.plain(history.tip.texts, 'squashed', { parents: [start] })
    await history.save({ 'Ropes.wiki': 'Nylon.\n' }, 'replace')
    expect(await reported(history)).toEqual([])
  })
})

test('a commit of older files after a rebase is not taken for an edit of the wiki at the next verification', async () => {
  const history = await newHistory()
  const start = history.tip
  const edit = await history.save({ 'Tides.wiki': six }, 'edit')
  const other = history.make(changed(start.texts, 'Boats.wiki', withOwn(boats)), 'other', { parents: [start.hash] })
  history.moveTo(history.pick(edit, other) as string)
  await history.save({ 'Tides.wiki': noon }, 'second')
  history.plain(changed(history.tip.texts, 'Tides.wiki', tides), 'older')
  expect(await reported(history)).toEqual(['edit: Tides', 'second: Tides'])
  expect(await reported(history)).toEqual(['edit: Tides', 'second: Tides'])
  expect(await restored(history, 'Tides.wiki')).toBe(noon)
})

test.each([
  ['first', 0],
  ['second', 1],
])(
  'an older file committed on a reset branch, to which the former tip is merged back as %s parent',
  async (_, place) => {
    const history = await newHistory()
    const edit = await history.save({ 'Tides.wiki': six }, 'edit')
    const former = await history.save({ 'Boats.wiki': withOwn(boats) }, 'other')
    expect(await reported(history)).toEqual([])
    history.moveTo(edit)
    const older = history.plain(changed(history.tip.texts, 'Tides.wiki', withOwn(tides)), 'older')
    const [base, mine, theirs] = [edit, older, former].map(hash => history.commit(hash).texts) as [Texts, Texts, Texts]
    const parents = place === 0 ? [former, older] : [older, former]
    history.plain(mergeOf(base, mine, theirs) as Texts, 'merge', { parents })
    expect(await reported(history)).toEqual(['edit: Tides'])
  },
)

test('blank lines that an edit removed come back with an older file', async () => {
  const history = await newHistory()
  await history.save({ 'Tides.wiki': tides.replace('at six', 'at\n\nsix') }, 'break')
  const older = history.tip.texts.get('Tides.wiki')
  await history.save({ 'Tides.wiki': tides.replace('at six', 'at\nsix') }, 'join')
  history.plain(changed(history.tip.texts, 'Tides.wiki', withOwn(older)), 'older')
  expect(await reported(history)).toEqual(['join: Tides'])
})

test('older files take back both edits that moved a paragraph to another page, and restoring keeps it', async () => {
  const paragraph = 'A long paragraph about the cranes on the quay, which is to move.\n'
  const history = await newHistory({ 'Boats.wiki': `${boats}\n${paragraph}` })
  const older = history.tip.texts
  await history.save({ 'Tides.wiki': `${tides}\n${paragraph}` }, 'add')
  await history.save({ 'Boats.wiki': boats }, 'remove')
  history.plain(older, 'older')
  expect(await reported(history)).toEqual(['add: Tides', 'remove: Boats'])
  expect(await restored(history, 'Tides.wiki')).toBe(`${tides}\n${paragraph}`)
})

test('a rebase of an edit and of the git revert that names it is no loss', async () => {
  const history = await newHistory()
  const start = history.tip
  const edit = await history.save({ 'Tides.wiki': six }, 'edit')
  const revert = history.plain(start.texts, `Revert "edit"\n\nThis reverts commit ${edit}.`)
  const other = history.make(changed(start.texts, 'Boats.wiki', withOwn(boats)), 'other', { parents: [start.hash] })
  history.moveTo(history.pick(revert, history.pick(edit, other) as string) as string)
  expect(await reported(history)).toEqual([])
})

test('an edit of a page that moved twice is restored there, and the move is not reported', async () => {
  const history = await newHistory()
  const start = history.tip
  await history.save({ 'Tides.wiki': six }, 'edit')
  history.moveTo(start.hash)
  await history.save({ 'Tides.wiki': null, 'Waters.wiki': tides }, 'move')
  history.plain(history.tip.texts, 'squashed', { parents: [start.hash] })
  expect(await reported(history)).toEqual(['edit: Tides'])
  expect(await restored(history, 'Waters.wiki')).toBe(six)
  expect(history.tip.texts.has('Tides.wiki')).toBe(false)
})

test('a deleted line that git brought back is found, although a later edit adds a word to it', async () => {
  const history = await newHistory()
  const start = history.tip.hash
  await history.save({ 'Tides.wiki': tides.replace(`${rows[1]}\n\n`, '') }, 'delete')
  history.moveTo(start)
  await history.save({ 'Tides.wiki': tides.replace('at noon.', 'at noon. Mostly.') }, 'add')
  expect(await reported(history)).toEqual(['delete: Tides'])
})

test('a later edit replaced nothing that a merge had dropped before', async () => {
  const history = await newHistory()
  const start = history.tip
  await history.save({ 'Tides.wiki': six }, 'one')
  const text = history.tip.texts.get('Tides.wiki') as string
  const two = await history.save({ 'Tides.wiki': noon }, 'two')
  const side = history.make(changed(start.texts, 'Boats.wiki', withOwn(boats)), 'side', { parents: [start.hash] })
  history.plain(history.commit(side).texts, 'merge', { parents: [side, two] })
  await history.save({ 'Tides.wiki': text }, 'again')
  history.plain(history.tip.texts, 'squashed', { parents: [side] })
  await history.save({ 'Tides.wiki': text.replace('seven', 'eight') }, 'last')
  expect(await reported(history)).toEqual(['two: Tides'])
})

test('an edit that was undone after git moved its page is restored on the page', async () => {
  const history = await newHistory()
  await history.save({ 'Tides.wiki': six }, 'edit')
  history.plain(renamed(history.tip.texts, 'Tides.wiki', 'Waters.wiki', six), 'move')
  history.plain(changed(history.tip.texts, 'Waters.wiki', tides), 'older')
  expect(await reported(history)).toEqual(['edit: Waters'])
  expect(await restored(history, 'Waters.wiki')).toBe(six)
})

function renamed(texts: Texts, from: string, to: string, text: string): Texts {
  return new Map([...[...texts].filter(([path]) => path !== from), [to, text]])
}

test.each([
  ['an older text', tides],
  ['an older text with a line of its own', withOwn(tides)],
])('a commit that moves a page with %s, minutes after an edit, undid the edit', async (_, text) => {
  const history = await newHistory()
  await history.save({ 'Tides.wiki': six }, 'edit')
  history.pass(1000)
  history.plain(renamed(history.tip.texts, 'Tides.wiki', 'Waters.wiki', text), 'move')
  expect(await reported(history)).toEqual(['edit: Tides'])
  expect(await restored(history, text === tides ? 'Waters.wiki' : 'Tides.wiki')).toBe(six)
})

test('a merge that takes a side without a page undid its edits, unless that side deleted them', async () => {
  const history = await newHistory()
  const start = history.tip
  history.plain(new Map([...start.texts, ['Ropes.wiki', 'Hemp.\n']]), 'create')
  const seen = await history.save({ 'Ropes.wiki': 'Hemp. Jute.\n' }, 'seen')
  const deleted = history.make(start.texts, 'delete', { parents: [seen] })
  const dropped = await history.save({ 'Ropes.wiki': 'Hemp. Jute. Nylon.\n' }, 'dropped')
  history.pass(1000)
  history.plain(start.texts, 'merge', { parents: [dropped, deleted] })
  expect(await reported(history)).toEqual(['dropped: Ropes'])
})

test.each([
  ['of the same text', tides],
  ['with a line of its own', withOwn(tides)],
])('a page %s that older files bring back was deleted on purpose', async (_, text) => {
  const history = await newHistory()
  await history.save({ 'Tides.wiki': null }, 'delete')
  history.plain(changed(history.tip.texts, 'Tides.wiki', text), 'older')
  expect(await reported(history)).toEqual(['delete: Tides'])
})

test('an older media file takes back all uploads since', async () => {
  const history = await newHistory({ 'Pier.svg': '<svg>1</svg>' })
  const start = history.tip.texts
  await history.save({ 'Pier.svg': '<svg>2</svg>' }, 'two')
  await history.save({ 'Pier.svg': '<svg>3</svg>' }, 'three')
  history.plain(start, 'older')
  expect(await reported(history)).toEqual(['two: File:Pier.svg', 'three: File:Pier.svg'])
  expect(await restored(history, 'Pier.svg')).toBe('<svg>3</svg>')
})

describe('a value that a merge brought', () => {
  const settings = '{\n  "name": "Tides",\n  "mainPage": "Boats"\n}\n'
  const [named, renamed] = [settings.replace('Tides', 'Waters'), settings.replace('Tides', 'Moons')]

  /** The branch is at a merge that a clone has made, whose first parent is the clone's, and which has a text in place of its own. */
  async function mergedInClone(path: string, before: string, after: string, merged = after): Promise<MadeHistory> {
    const history = await newHistory({ [path]: before })
    const start = history.tip
    const edit = await history.save({ [path]: after }, 'edit')
    const side = history.make(changed(start.texts, 'Boats.wiki', withOwn(boats)), 'side', { parents: [start.hash] })
    history.plain(changed(history.commit(side).texts, path, merged), 'merge', { parents: [side, edit] })
    return history
  }

  test.each([
    ['wiki.json', settings, named, renamed],
    ['Pier.svg', '<svg>1</svg>', '<svg>2</svg>', '<svg>3</svg>'],
  ])('is no loss after somebody has replaced it: %s', async (path, before, after, later) => {
    const history = await mergedInClone(path, before, after)
    await history.save({ [path]: later }, 'later')
    expect(await reported(history)).toEqual([])
    expect(await reported(history)).toEqual([])
  })

  test.each([
    ['wiki.json', settings, named],
    ['Pier.svg', '<svg>1</svg>', '<svg>2</svg>'],
  ])(
    'is found if an older file takes it back, also after verify has seen the merge: %s',
    async (path, before, after) => {
      const history = await mergedInClone(path, before, after)
      expect(await reported(history)).toEqual([])
      history.plain(changed(history.tip.texts, path, before), 'older')
      expect((await verifyWiki(history.wiki)).lost.map(loss => loss.path)).toEqual([path])
      expect(await restored(history, path)).toBe(after)
    },
  )

  test.each([
    ['wiki.json', settings, named],
    ['Pier.svg', '<svg>1</svg>', '<svg>2</svg>'],
  ])('is found if the merge dropped it: %s', async (path, before, after) => {
    const history = await mergedInClone(path, before, after, before)
    expect((await verifyWiki(history.wiki)).lost).toMatchObject([{ comment: 'edit', kind: 'undone' }])
    expect(await restored(history, path)).toBe(after)
    expect(await reported(history)).toEqual([])
  })

  test('is no loss if somebody resolved a conflict of two values', async () => {
    const history = await newHistory({ 'wiki.json': settings })
    const start = history.tip
    await history.save({ 'wiki.json': named }, 'edit')
    const side = history.make(changed(start.texts, 'wiki.json', renamed), 'side', { parents: [start.hash] })
    history.plain(history.commit(side).texts, 'merge', { parents: [side, history.tip.hash] })
    expect(await reported(history)).toEqual([])
  })
})

test('a setting that another clone sets back on purpose looks like an older file, and is reported until that is accepted', async () => {
  const settings = '{\n  "name": "Tides"\n}\n'
  const history = await newHistory({ 'wiki.json': settings })
  const edit = await history.save({ 'wiki.json': settings.replace('Tides', 'Waters') }, 'edit')
  history.plain(changed(history.tip.texts, 'wiki.json', settings), 'Set name', {
    author: 'Ada Example <ada@example.org>',
  })
  const { lost } = await verifyWiki(history.wiki)
  expect(lost).toMatchObject([{ comment: 'edit', kind: 'undone', path: 'wiki.json' }])
  expect((await verifyWiki(history.wiki, { accept: [edit] })).lost).toEqual([])
})

test('wiki.json from before two changes of one setting takes back both', async () => {
  const history = await newHistory({ 'wiki.json': '{\n  "name": "Tides"\n}\n' })
  const older = history.tip.texts
  await history.save({ 'wiki.json': '{\n  "name": "Waters"\n}\n' }, 'one')
  await history.save({ 'wiki.json': '{\n  "name": "Moons"\n}\n' }, 'two')
  history.plain(older, 'older')
  expect((await verifyWiki(history.wiki)).lost.map(({ comment }) => comment)).toEqual(['one', 'two'])
  expect(JSON.parse((await restored(history, 'wiki.json')) as string)).toEqual({ name: 'Moons' })
})

test('an edit is not back because a merge that drops it keeps the text of its first parent', async () => {
  const history = await newHistory()
  const start = history.tip
  const edit = await history.save({ 'Tides.wiki': `First.\n\n${tides}` }, 'edit')
  const side = history.make(changed(start.texts, 'Tides.wiki', withOwn(tides)), 'side', { parents: [start.hash] })
  const merged = changed(start.texts, 'Tides.wiki', withOwn(withOwn(tides)))
  history.plain(merged, 'merge', { parents: [side, edit] })
  expect(await reported(history)).toEqual(['edit: Tides'])
})

test('an edit that took another one back is no loss after both were rebased', async () => {
  const history = await newHistory()
  const start = history.tip
  const one = await history.save({ 'Tides.wiki': moved }, 'one')
  const two = await history.save({ 'Tides.wiki': tides }, 'two')
  const other = history.make(changed(start.texts, 'Boats.wiki', withOwn(boats)), 'other', { parents: [start.hash] })
  history.moveTo(history.pick(two, history.pick(one, other) as string) as string)
  expect(await reported(history)).toEqual([])
  expect(await reported(history)).toEqual([])
})

test('a text from before a plain commit takes back the edit of what that had written', async () => {
  const history = await newHistory()
  const start = history.tip.texts
  history.plain(changed(start, 'Tides.wiki', withOwn(tides)), 'own')
  await history.save({ 'Tides.wiki': withOwn(tides).replace('A line of their own', 'Another line') }, 'edit')
  history.plain(start, 'older')
  expect(await reported(history)).toEqual(['edit: Tides'])
})

test('the text from before sixty edits of one line takes back the last of them', async () => {
  const history = await newHistory()
  const start = history.tip.texts
  for (let at = 0; at < 60; at++) await history.save({ 'Tides.wiki': tides.replace('six', `hour ${at}`) }, `edit ${at}`)
  history.plain(start, 'older')
  expect(await reported(history)).toEqual(['edit 59: Tides'])
})

test('a text from before two edits of one line takes back both, if it keeps a newer line', async () => {
  const history = await newHistory()
  const both = six.replace('seven.', 'seven sharp.')
  await history.save({ 'Tides.wiki': six }, 'one')
  await history.save({ 'Tides.wiki': both }, 'two')
  history.plain(changed(history.tip.texts, 'Tides.wiki', withOwn(both)), 'own')
  history.plain(changed(history.tip.texts, 'Tides.wiki', withOwn(tides)), 'older')
  expect(await reported(history)).toEqual(['one: Tides', 'two: Tides'])
})

test.each([
  ['is free', {}],
  ['has another page', { 'Tides.wiki': 'Another page.\n' }],
])('a merge that takes the other side is found after git moved the page and its old path %s', async (_, pages) => {
  const history = await newHistory()
  const start = history.tip
  const side = history.make(changed(start.texts, 'Tides.wiki', withOwn(tides)), 'side', { parents: [start.hash] })
  await history.save({ 'Tides.wiki': six }, 'edit')
  history.plain(history.commit(side).texts, 'merge', { parents: [history.tip.hash, side] })
  const { 'Tides.wiki': text, ...others } = Object.fromEntries(history.tip.texts)
  history.plain(new Map(Object.entries({ ...others, 'Moons.wiki': text as string })), 'move')
  if (Object.keys(pages).length > 0) history.plain(new Map([...history.tip.texts, ...Object.entries(pages)]), 'new')
  expect((await verifyWiki(history.wiki)).lost).toMatchObject([{ comment: 'edit' }])
  expect(await restored(history, 'Moons.wiki')).toBe(withOwn(six))
})

test('an edit whose page git has moved since it was back is not reported', async () => {
  const history = await newHistory()
  await history.save({ 'Tides.wiki': six }, 'edit')
  history.plain(changed(history.tip.texts, 'Tides.wiki', tides), 'older')
  history.plain(changed(history.tip.texts, 'Tides.wiki', withOwn(six)), 'by hand')
  history.plain(renamed(history.tip.texts, 'Tides.wiki', 'Waters.wiki', withOwn(six)), 'move')
  expect(await reported(history)).toEqual([])
})

test('restoring an amended commit restores the edits that its older files take back, too', async () => {
  const history = await newHistory()
  await history.save({ 'Tides.wiki': six }, 'edit')
  const seen = history.tip.hash
  await history.save({ 'Boats.wiki': withOwn(boats) }, 'other')
  history.amend(changed(history.tip.texts, 'Tides.wiki', tides))
  await history.save({ 'Boats.wiki': `${withOwn(boats)}\nMore.\n` }, 'later')
  expect(await reported(history)).toEqual(['edit: Tides'])
  history.moveTo(seen)
  expect(await restored(history, 'Boats.wiki')).toBe(`${withOwn(boats)}\nMore.\n`)
  expect(history.tip.texts.get('Tides.wiki')).toBe(six)
  expect(await reported(history)).toEqual([])
})

test('a squashed edit, to whose line another one added words, is found if both are squashed again and undone', async () => {
  const history = await newHistory()
  const start = history.tip.hash
  await history.save({ 'Tides.wiki': six }, 'one')
  const squashed = history.plain(history.tip.texts, 'squashed', { parents: [start] })
  await history.save({ 'Tides.wiki': six.replace('seven.', 'seven. Or later.') }, 'two')
  expect(await reported(history)).toEqual([])
  history.plain(history.tip.texts, 'again', { parents: [squashed] })
  history.plain(changed(history.tip.texts, 'Tides.wiki', withOwn(tides)), 'older')
  expect((await reported(history)).sort()).toEqual(['squashed: Tides', 'two: Tides'])
  expect(await restored(history, 'Tides.wiki')).toBe(withOwn(six.replace('seven.', 'seven. Or later.')))
})

describe('an edit is never forgotten because another commit had it once', () => {
  /** Makes the commits after one again, under other hashes, as `git filter-branch` does, and moves the branch there. */
  function copyAfter(history: MadeHistory, base: string): string {
    const commits = history.ancestors()
    let at = base
    for (const hash of commits.slice(0, commits.indexOf(base)).reverse()) {
      const { texts, message, author, time } = history.commit(hash)
      at = history.make(texts, `${message}\n\nFor: all`, { parents: [at], author, time })
    }
    history.moveTo(at)
    return at
  }

  test('if the branch is back at the settled commit, by a stream that was exported before, and is reset then', async () => {
    const history = await newHistory()
    const base = history.tip.hash
    const edit = await history.save({ 'Tides.wiki': six }, 'edit')
    copyAfter(history, base)
    expect(await reported(history)).toEqual([])
    history.moveTo(edit)
    expect(await reported(history)).toEqual([])
    history.moveTo(base)
    expect(await reported(history)).toEqual(['edit: Tides'])
    expect(await restored(history, 'Tides.wiki')).toBe(six)
  })

  test('if an editor had saved an older text, git took the edit back with `add -A`, and the branch was rewritten', async () => {
    const history = await newHistory()
    await history.save({ 'Tides.wiki': six }, 'edit')
    const before = history.tip
    await history.save({ 'Boats.wiki': withOwn(boats) }, 'other')
    const stale = changed(history.tip.texts, 'Tides.wiki', tides)
    history.moveTo(before.hash)
    history.plain(stale, 'add -A')
    expect(await reported(history)).toEqual(['edit: Tides'])
    for (let round = 0; round < 3; round++) {
      copyAfter(history, before.hash)
      await history.save({ 'Boats.wiki': withOwn(history.tip.texts.get('Boats.wiki')) }, `while ${round}`)
      expect(await reported(history)).toEqual(['edit: Tides'])
    }
    expect(await restored(history, 'Tides.wiki')).toBe(six)
  })

  test('if the last commits were exported without those before, so that the first has everything, and an older text was committed', async () => {
    const history = await newHistory()
    await history.save({ 'Tides.wiki': six }, 'edit')
    const { texts, message, author, time } = history.tip
    await history.save({ 'Boats.wiki': withOwn(boats) }, 'other')
    const other = history.tip
    const first = history.make(texts, message, { parents: [], author, time })
    history.moveTo(history.make(other.texts, other.message, { ...other, parents: [first] }))
    history.plain(changed(history.tip.texts, 'Tides.wiki', tides), 'add -A')
    expect(await reported(history)).toEqual(['edit: Tides'])
    expect(await restored(history, 'Tides.wiki')).toBe(six)
  })

  test('if the branch is back at a squash from before others, which has its author and time', async () => {
    const history = await newHistory()
    const base = history.tip
    await history.save({ 'Tides.wiki': `${six}\nSpring tide on Monday and on Tuesday.\n` }, 'first')
    const { texts, message, author, time } = history.tip
    history.amend(changed(texts, 'Tides.wiki', withOwn(texts.get('Tides.wiki'))))
    const amended = history.tip
    await history.save({ 'Tides.wiki': (amended.texts.get('Tides.wiki') as string).replace('noon', 'one') }, 'second')
    expect(await reported(history)).toEqual([])
    history.plain(history.tip.texts, message, { parents: [base.hash], author, time })
    expect(await reported(history)).toEqual([])
    history.moveTo(amended.hash)
    expect(await reported(history)).toEqual(['first: Tides'])
  })

  test('if the branch is back at it, a merge has it, and the merge is amended with an older text', async () => {
    const history = await newHistory()
    const start = history.tip
    const edit = await history.save({ 'Tides.wiki': six }, 'edit')
    history.plain(history.tip.texts, 'squash', { parents: [start.hash] })
    expect(await reported(history)).toEqual([])
    history.moveTo(edit)
    const side = history.make(changed(start.texts, 'Tides.wiki', withOwn(tides)), 'side', { parents: [start.hash] })
    const merged = mergeOf(start.texts, history.tip.texts, history.commit(side).texts) as Texts
    history.plain(merged, 'merge', { parents: [edit, side] })
    expect(await reported(history)).toEqual([])
    history.amend(changed(history.tip.texts, 'Tides.wiki', withOwn(tides)))
    expect(await reported(history)).toEqual(['edit: Tides'])
  })

  test('if the other page of its commit was undone and restored', async () => {
    const history = await newHistory()
    const base = history.tip.hash
    await history.save({ 'Tides.wiki': six, 'Boats.wiki': withOwn(boats) }, 'edit')
    history.plain(changed(history.tip.texts, 'Boats.wiki', boats), 'stale')
    expect(await reported(history)).toEqual(['edit: Boats'])
    expect(await restored(history, 'Boats.wiki')).toBe(withOwn(boats))
    expect(await reported(history)).toEqual([])
    history.moveTo(base)
    expect(await reported(history)).toContain('edit: Tides')
    expect(await restored(history, 'Tides.wiki')).toBe(six)
  })

  test('if a later edit had changed its line, and both are undone by a text that the page had before', async () => {
    const history = await newHistory()
    await history.save({ 'Tides.wiki': six }, 'first')
    history.plain(changed(history.tip.texts, 'Tides.wiki', tides), 'stale')
    const eight = tides.replace('six', 'eight')
    await history.save({ 'Tides.wiki': eight }, 'second')
    await history.save({ 'Tides.wiki': eight.replace('eight.', 'eight. Wind.') }, 'third')
    history.plain(changed(history.tip.texts, 'Tides.wiki', six), 'older')
    expect(await reported(history)).toEqual(expect.arrayContaining(['second: Tides', 'third: Tides']))
  })

  test('if a commit into which an older file was put is taken from the branch, and the file stays', async () => {
    const history = await newHistory()
    const base = history.tip.hash
    await history.save({ 'Tides.wiki': six }, 'edit')
    await history.save({ 'Boats.wiki': withOwn(boats) }, 'other')
    history.amend(changed(history.tip.texts, 'Tides.wiki', tides))
    expect(await reported(history)).toEqual(['edit: Tides'])
    history.moveTo(base)
    expect(await reported(history)).toEqual(['edit: Tides', 'other: Boats'])
    expect(await restored(history, 'Tides.wiki')).toBe(six)
  })
})

test('a text from before an edit takes it back after a merge of which the edit is not the first parent', async () => {
  const history = await newHistory()
  const { hash: base, texts } = history.tip
  const edit = await history.save({ 'Tides.wiki': six }, 'edit')
  // The merge drops the line of the other side, which the index has as the page's revision before the edit.
  const theirs = history.make(changed(texts, 'Tides.wiki', withOwn(tides)), 'theirs', { parents: [base] })
  history.plain(history.tip.texts, 'merge', { parents: [theirs, edit] })
  history.plain(changed(history.tip.texts, 'Tides.wiki', `Spring tides.\n\n${tides}`), 'older')
  expect(await reported(history)).toEqual(['edit: Tides'])
  expect(await restored(history, 'Tides.wiki')).toBe(`Spring tides.\n\n${six}`)
})

/** Losses that docs/proof.md names: where git keeps nothing of what an author had seen, or the wiki keeps too little. */
describe('is not reported, as docs/proof.md says:', () => {
  const [one, both] = [six, noon]

  test('a file from between two squashed edits, after verify has seen the squash', async () => {
    const history = await newHistory()
    const base = history.tip.hash
    await history.save({ 'Tides.wiki': one }, 'first')
    await history.save({ 'Tides.wiki': both }, 'second')
    history.plain(history.tip.texts, 'squash', { parents: [base] })
    expect(await reported(history)).toEqual([])
    history.plain(changed(history.tip.texts, 'Tides.wiki', withOwn(one)), 'between')
    expect(await reported(history)).toEqual([])
  })

  test('a file from before more than 50 edits of one line, with a line added', async () => {
    const history = await newHistory()
    const start = history.tip.texts
    for (let at = 0; at < 60; at++) await history.save({ 'Tides.wiki': tides.replace('six', `${at}`) }, `edit ${at}`)
    history.plain(changed(start, 'Tides.wiki', withOwn(tides)), 'older')
    expect(await reported(history)).toEqual([])
  })

  test('a plain `git mv` that moves a page back', async () => {
    const history = await newHistory()
    const before = history.tip.texts
    await history.save({ 'Tides.wiki': null, 'Neap.wiki': tides }, 'move')
    history.plain(before, 'mv')
    expect(await reported(history)).toEqual([])
  })

  test('a page that no edit created, deleted more than a minute after its last edit', async () => {
    const history = await newHistory()
    await history.save({ 'Tides.wiki': one }, 'edit')
    history.plain(new Map([...history.tip.texts].filter(([path]) => path !== 'Tides.wiki')), 'delete')
    expect(await reported(history)).toEqual([])
  })

  test('another word in place of that of the edit in the same line', async () => {
    const history = await newHistory()
    await history.save({ 'Tides.wiki': one }, 'edit')
    history.plain(changed(history.tip.texts, 'Tides.wiki', tides.replace('six', 'ten')), 'plain')
    expect(await reported(history)).toEqual([])
  })

  test('another word in the same line, by a squash of an older file and an edit upon that', async () => {
    const history = await newHistory()
    const before = history.tip.texts
    const edit = await history.save({ 'Tides.wiki': one }, 'edit')
    history.plain(before, 'older')
    await history.save({ 'Tides.wiki': tides.replace('six', 'ten') }, 'upon')
    history.plain(history.tip.texts, 'squash', { parents: [edit] })
    expect(await reported(history)).toEqual([])
  })

  test('a text that is older than the line of a plain commit which the edit changed, with a line added', async () => {
    const history = await newHistory()
    const line = 'Spring tide on Monday.'
    history.plain(changed(history.tip.texts, 'Tides.wiki', `${line}\n\n${tides}`), 'plain')
    await history.save({ 'Tides.wiki': `${line} And Tuesday.\n\n${tides}` }, 'edit')
    history.plain(changed(history.tip.texts, 'Tides.wiki', withOwn(tides)), 'older')
    expect(await reported(history)).toEqual([])
  })

  test('an edit that a merge on a side branch dropped, after that branch was merged', async () => {
    const history = await newHistory()
    const base = history.tip
    const edit = await history.save({ 'Boats.wiki': `${boats}\nOars of ash.\n` }, 'edit')
    const side = history.make(changed(base.texts, 'Tides.wiki', one), 'side', { parents: [base.hash] })
    const dropped = history.make(changed(base.texts, 'Tides.wiki', one), 'merge', { parents: [side, edit] })
    const other = history.make(changed(base.texts, 'Tides.wiki', both), 'side', { parents: [side] })
    const merged = changed(changed(base.texts, 'Tides.wiki', both), 'Boats.wiki', `Rudder.\n\n${boats}`)
    history.plain(merged, 'merge', { parents: [other, dropped] })
    expect(await reported(history)).toEqual([])
  })

  test('the other page of a commit whose loss was accepted', async () => {
    const history = await newHistory()
    const base = history.tip.hash
    const edit = await history.save({ 'Tides.wiki': one, 'Boats.wiki': withOwn(boats) }, 'edit')
    history.plain(changed(history.tip.texts, 'Boats.wiki', boats), 'stale')
    expect((await verifyWiki(history.wiki, { accept: [edit] })).lost).toEqual([])
    history.moveTo(base)
    expect(await reported(history)).toEqual([])
  })
})
