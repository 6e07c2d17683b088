/** Tables, talk pages, sections, code, and what is put around parts of a page. */

import { adding, atEnd, moving, oneOf, placeAt, removal, setting, some } from './changes.ts'
import type { Kind } from './kinds.ts'
import { type Change, type Edits, live, type Part, part } from './page.ts'
import { newSentence, sentenceOf, sentenceWays } from './prose.ts'
import type { Source } from './words.ts'

const cellsOf = (source: Source, columns: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: columns }, (_, at) => [
      `c${at + 1}`,
      source.pick([
        () => 'yes',
        () => 'no',
        () => source.word('role'),
        () => source.word('day'),
        () => source.digits(2),
      ])(),
    ]),
  )

function newRow(source: Source, page: Part): Part {
  const columns = Object.keys(page.parts[0]!.values).length - 1
  const c0 = source.is(0.15)
    ? source.word('person')
    : source.fresh(() => `${source.word('person')} ${source.word('place')}`)
  return part(source.id(), 'row', { c0, ...cellsOf(source, columns) })
}

/** A row's cells; a column that was taken out is the empty text. */
function cells(row: Part): string[] {
  return Object.keys(row.values)
    .sort()
    .filter(name => row.values[name] !== '')
}

/** Each row has the columns of the head, or lacks the last ones. */
function hasWholeRows(page: Part): boolean {
  const [head, ...rows] = live(page).map(cells) as [string[], ...string[][]]
  return rows.every(row => row.every((name, at) => name === head[at]))
}

const table: Kind = {
  make: source => {
    const columns = source.from(1, 3)
    const head = part(
      'head',
      'head',
      Object.fromEntries(['Name', 'Role', 'Day', 'Berth'].slice(0, columns + 1).map((name, at) => [`c${at}`, name])),
    )
    const page = part('page', 'page', { form: source.pick(['row', 'cell']) }, [head])
    for (let left = source.from(2, 6); left > 0; left--) page.parts.push(newRow(source, page))
    return page
  },
  edit: oneOf([
    [
      5,
      (source, page) => {
        const row = some(source, page, 'row')
        if (row === undefined) return null
        const name = source.pick(cells(row))
        const value =
          name === 'c0' ? `${row.values.c0} ${source.pick(['II', 'III', 'junior'])}` : cellsOf(source, 1).c1!
        return { do: 'set', id: row.id, name, value }
      },
    ],
    [
      3,
      (source, page) => {
        const at = source.from(1, live(page).length)
        return { do: 'insert', part: newRow(source, page), ...placeAt(page, at) }
      },
    ],
    [2, removal('row')],
    [
      1,
      (source, page) => {
        const change = moving('row')(source, page)
        return change?.do === 'move' && change.after === null ? null : change
      },
    ],
  ]),
  rules: {
    wikitext: {
      isSound: hasWholeRows,
      write: page => {
        const join = page.values.form === 'row' ? ' || ' : '\n| '
        const [head, ...rows] = live(page).map(row => cells(row).map(name => row.values[name])) as [
          string[],
          ...string[][],
        ]
        return `{| class="wikitable"\n! ${head.join(' !! ')}\n${rows.map(row => `|-\n| ${row.join(join)}\n`).join('')}|}\n`
      },
    },
    markdown: {
      isSound: hasWholeRows,
      write: page => {
        const [head, ...rows] = live(page).map(
          row =>
            `| ${cells(row)
              .map(name => row.values[name])
              .join(' | ')} |\n`,
        ) as [string, ...string[]]
        return `${head}|${' --- |'.repeat(cells(page.parts[0]!).length)}\n${rows.join('')}`
      },
    },
  },
}

function newComment(source: Source): Part {
  const text = source.is(0.3) ? source.word('agree') : source.fresh(() => sentenceOf(newSentence(source)))
  const isSigned = source.is(0.6)
  const sign = isSigned
    ? `${source.word('person')} 1${source.digits(1)}:3${source.digits(1)}, ${source.digits(1)} May 2026`
    : ''
  return part(source.id(), 'comment', { text, sign })
}

function newTopic(source: Source): Part {
  const heading = source.fresh(() => `${source.word('quality')} ${source.word('thing')}`)
  return part(source.id(), 'topic', { heading }, [newComment(source)])
}

function commentLines(
  comments: readonly Part[],
  depth: number,
  write: (depth: number, text: string) => string,
): string[] {
  return comments.flatMap(comment => {
    const { text, sign } = comment.values
    const line = write(
      depth,
      sign === '' ? text! : `${text} --[[User:${sign!.split(' ')[0]}|${sign!.split(' ')[0]}]] ${sign}`,
    )
    return [line, ...commentLines(live(comment), depth + 1, write)]
  })
}

const talk: Kind = {
  make: source => {
    const page = part('page', 'page')
    for (let left = source.from(1, 3); left > 0; left--) {
      const topic = newTopic(source)
      for (let replies = source.below(3); replies > 0; replies--) {
        const within = source.is(0.5) ? topic : topic.parts[0]!
        within.parts.push(newComment(source))
      }
      page.parts.push(topic)
    }
    return page
  },
  edit: oneOf([
    [5, adding(newComment, 'comment', atEnd)],
    [2, adding(newComment, 'topic', atEnd)],
    [3, adding(newTopic, undefined, atEnd)],
    [1, adding(newTopic)],
    [2, setting('comment', 'text', source => source.fresh(() => sentenceOf(newSentence(source))))],
    [1, removal('topic')],
  ]),
  rules: {
    wikitext: {
      write: page =>
        `${live(page)
          .map(
            topic =>
              `== ${topic.values.heading} ==\n${commentLines(live(topic), 0, (depth, text) => `${':'.repeat(depth)}${depth > 0 ? ' ' : ''}${text}`).join('\n')}\n`,
          )
          .join('\n')}`,
    },
    markdown: {
      write: page =>
        `${live(page)
          .map(
            topic =>
              `## ${topic.values.heading}\n\n${commentLines(live(topic), 0, (depth, text) => `${'  '.repeat(depth)}- ${text}`).join('\n')}\n`,
          )
          .join('\n')}`,
    },
  },
}

function newParagraph(source: Source): Part {
  return part(
    source.id(),
    'paragraph',
    {},
    Array.from({ length: source.from(1, 3) }, () => newSentence(source)),
  )
}

function newSection(source: Source): Part {
  const heading = source.is(0.25)
    ? source.pick(['History', 'Notes'])
    : source.fresh(() => `The ${source.word('thing')}`)
  return part(
    source.id(),
    'section',
    { heading },
    Array.from({ length: source.from(1, 2) }, () => newParagraph(source)),
  )
}

export function textOf(paragraph: Part): string {
  return live(paragraph).map(sentenceOf).join(' ')
}

function writeSections(heading: (text: string) => string): (page: Part) => string {
  return page =>
    `${live(page)
      .map(section =>
        [
          heading(section.values.heading!),
          ...live(section)
            .map(textOf)
            .filter(text => text !== ''),
        ].join('\n\n'),
      )
      .join('\n\n')}\n`
}

const sections: Kind = {
  make: source => {
    const page = part('page', 'page')
    for (let left = source.from(2, 5); left > 0; left--) page.parts.push(newSection(source))
    return page
  },
  edit: oneOf([
    [3, moving('section')],
    [2, adding(newSection)],
    [1, removal('section')],
    [2, adding(newParagraph, 'section')],
    [1, setting('section', 'heading', (source, now) => source.fresh(() => `${now} of ${source.word('place')}`))],
    [4, oneOf(sentenceWays)],
  ]),
  rules: {
    wikitext: { write: writeSections(text => `== ${text} ==`) },
    markdown: { write: writeSections(text => `## ${text}`) },
  },
}

const statements: readonly ((source: Source) => string)[] = [
  source => `const ${source.word('role')} = ${source.digits(2)}`,
  source => `  ${source.word('action')}(${source.word('role')}, ${source.digits(1)})`,
  source => `if (${source.word('role')} > ${source.digits(1)}) {`,
  () => '}',
  () => '',
  source => `  return ${source.word('role')}`,
]

function newLine(source: Source): Part {
  return part(source.id(), 'line', { text: source.pick(statements)(source) })
}

/** A block unlike all others: nobody can tell which of two equal ones was there before. */
function newBlock(source: Source): Part {
  const statement = () => source.pick(statements)(source)
  const lines = source.fresh(() => Array.from({ length: source.from(2, 7) }, statement).join('\n')).split('\n')
  return part(
    source.id(),
    'block',
    {},
    lines.map(text => part(source.id(), 'line', { text })),
  )
}

const code: Kind = {
  make: source => {
    const page = part('page', 'page')
    for (let left = source.from(1, 2); left > 0; left--) page.parts.push(newParagraph(source), newBlock(source))
    if (source.is(0.6)) page.parts.push(newParagraph(source))
    return page
  },
  edit: oneOf([
    [4, setting('line', 'text', source => source.fresh(() => statements[source.below(3)]!(source)))],
    [3, adding(newLine, 'block')],
    [2, removal('line')],
    [2, adding(newBlock)],
    [2, adding(newParagraph)],
    [2, oneOf(sentenceWays)],
  ]),
  rules: {
    markdown: { ordered: ['line'], asks: addLinesTogether, write: writeCode('```js', '```') },
    wikitext: {
      ordered: ['line'],
      asks: addLinesTogether,
      write: writeCode('<syntaxhighlight lang="js">', '</syntaxhighlight>'),
    },
  },
}

function writeCode(open: string, close: string): (page: Part) => string {
  return page =>
    `${live(page)
      .map(one =>
        one.kind === 'block' ? [open, ...live(one).map(line => line.values.text), close].join('\n') : textOf(one),
      )
      .filter(text => text !== '')
      .join('\n\n')}\n`
}

/** Code lines of both at one place: nobody knows which comes first. */
function addLinesTogether({ mine, theirs }: Edits): boolean {
  const places = (changes: readonly Change[]) =>
    changes.flatMap(change => (change.do === 'insert' && change.part.kind === 'line' ? [change] : []))
  return places(mine).some(one =>
    places(theirs).some(
      other =>
        one.into === other.into &&
        one.part.id !== other.part.id &&
        (one.after === other.after || one.before === other.before),
    ),
  )
}

/** Puts an opening and a closing sign around one to three paragraphs. */
function wrapping(source: Source, page: Part): readonly Change[] {
  const own = live(page)
  if (own.length === 0 || own.some(one => one.kind === 'sign')) return []
  const start = source.below(own.length)
  const end = Math.min(own.length, start + source.from(1, 3))
  const [pair, name] = [source.id(), source.pick(['comment', 'tag', 'fence'])]
  const holds = own.slice(start, end).map(one => one.id)
  const sign = (side: string) =>
    part(`${pair} ${side}`.replace(' ', '-'), 'sign', { name, side, holds: holds.join(' ') })
  const behind = placeAt(page, end)
  const inFront = placeAt(page, start)
  return [
    { do: 'insert', part: sign('open'), ...inFront },
    { do: 'insert', part: sign('close'), ...behind },
  ]
}

/** Between two signs is only what stood there when they were put, and additions of their writer. */
function holdsItsOwn(page: Part, { mine, theirs }: Edits): boolean {
  const added = (changes: readonly Change[]) =>
    changes.flatMap(change => (change.do === 'insert' ? [change.part.id] : []))
  const sides = [added(mine), added(theirs)]
  const mayHold = (sign: Part, one: Part) =>
    sign.values.holds!.split(' ').includes(one.id) || sides.some(ids => ids.includes(sign.id) && ids.includes(one.id))
  let open: Part | undefined
  for (const one of live(page)) {
    if (one.kind !== 'sign') {
      if (open !== undefined && !mayHold(open, one)) return false
    } else if (one.values.side === 'open') {
      if (open !== undefined) return false
      open = one
    } else {
      if (open?.values.holds !== one.values.holds) return false
      open = undefined
    }
  }
  return open === undefined
}

function writeWrapped(signs: Readonly<Record<string, readonly [open: string, close: string]>>): (page: Part) => string {
  const text = (one: Part) =>
    one.kind === 'sign' ? signs[one.values.name!]![one.values.side === 'open' ? 0 : 1] : textOf(one)
  return page =>
    `${live(page)
      .map(text)
      .filter(line => line !== '')
      .join('\n\n')}\n`
}

const wraps: Kind = {
  make: source =>
    part(
      'page',
      'page',
      {},
      Array.from({ length: source.from(2, 5) }, () => newParagraph(source)),
    ),
  edit: oneOf([
    [3, adding(newParagraph)],
    [2, oneOf(sentenceWays)],
    [1, removal('paragraph')],
  ]),
  also: wrapping,
  rules: {
    wikitext: {
      isSound: holdsItsOwn,
      write: writeWrapped({
        comment: ['<!--', '-->'],
        tag: ['<div class="box">', '</div>'],
        fence: ['{{Box|1=', '}}'],
      }),
    },
    markdown: {
      isSound: holdsItsOwn,
      write: writeWrapped({ comment: ['<!--', '-->'], tag: ['<div>', '</div>'], fence: ['```', '```'] }),
    },
  },
}

/** Both write a page that is empty or nearly so. */
const blank: Kind = {
  make: source => part('page', 'page', {}, source.is(0.6) ? [] : [newParagraph(source)]),
  edit: adding(newParagraph, undefined, atEnd),
  rules: {
    wikitext: { write: writeWrapped({}) },
    markdown: { write: writeWrapped({}) },
  },
}

export const structures: Readonly<Record<string, Kind>> = { table, talk, sections, code, wraps, blank }
