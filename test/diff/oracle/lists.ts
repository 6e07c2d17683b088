/** Lists: tasks, members, settings, parameters of a template. */

import { adding, anyPlace, atEnd, isUnique, moving, oneOf, removal, setting, some, twinOf } from './changes.ts'
import type { Kind } from './kinds.ts'
import { live, type Part, part } from './page.ts'
import type { Source } from './words.ts'

function newTask(source: Source, _: Part, page: Part): Part {
  const label = source.fresh(() => `${source.word('verb')} ${source.word('person')}`)
  const values: Record<string, string> = { done: source.is(0.3) ? 'x' : ' ', label }
  if (page.values.form === 'long') {
    values.thing = source.word('thing')
    values.day = source.word('day')
  }
  return part(source.id(), 'task', values)
}

function makeTasks(source: Source): Part {
  const page = part('page', 'page', { form: source.is(0.5) ? 'long' : 'short', around: source.is(0.5) ? 'yes' : 'no' })
  for (let left = source.from(2, 7); left > 0; left--) {
    const task = newTask(source, page, page)
    page.parts.push(task)
    if (source.is(0.15)) task.parts.push(newTask(source, page, page))
    if (source.is(0.15)) page.parts.push(twinOf(source, task))
  }
  return page
}

function writeTasks(item: (depth: number, task: Part) => string, heading: string): (page: Part) => string {
  const lines = (tasks: readonly Part[], depth: number): string[] =>
    tasks.flatMap(task => [item(depth, task), ...lines(live(task), depth + 1)])
  return page => {
    const list = lines(live(page), 0).join('\n')
    return page.values.around === 'yes' ? `${heading}\n\n${list}\n\nThis list is kept by the crew.\n` : `${list}\n`
  }
}

function labelOf({ values: { label, thing, day } }: Part): string {
  return thing === undefined ? label! : `${label} about the ${thing} before next ${day}`
}

const tasks: Kind = {
  make: makeTasks,
  edit: oneOf([
    [4, setting('task', 'done', (_, now) => (now === 'x' ? ' ' : 'x'))],
    [2, setting('task', 'thing', (source, now) => source.otherWord('thing', now))],
    [1, setting('task', 'day', (source, now) => source.otherWord('day', now))],
    [3, adding(newTask)],
    [1, adding(newTask, 'task')],
    [
      1,
      (source, page) => {
        const one = some(source, page, 'task')
        return one === undefined
          ? null
          : { do: 'insert', part: twinOf(source, { ...one, parts: [] }), ...anyPlace(source, page) }
      },
    ],
    [2, removal('task')],
    [1, moving('task')],
  ]),
  rules: {
    markdown: {
      write: writeTasks((depth, task) => `${'  '.repeat(depth)}- [${task.values.done}] ${labelOf(task)}`, '# To do'),
    },
    wikitext: {
      write: writeTasks(
        (depth, task) => `${'*'.repeat(depth + 1)} ${labelOf(task)}: ${task.values.done === 'x' ? 'done' : 'open'}`,
        '== To do ==',
      ),
    },
  },
}

function newMember(source: Source): Part {
  const name = source.fresh(() => `${source.word('person')} ${source.pick(['Holm', 'Dahl', 'Lund', 'Vik'])}`)
  return part(source.id(), 'member', { name, role: source.word('role'), since: `20${source.from(10, 25)}` })
}

const members: Kind = {
  make: source => {
    const page = part('page', 'page')
    for (let left = source.from(3, 7); left > 0; left--) {
      const one = newMember(source)
      page.parts.push(one)
      if (source.is(0.1)) page.parts.push(twinOf(source, one))
    }
    return page
  },
  edit: oneOf([
    [3, setting('member', 'role', (source, now) => source.otherWord('role', now))],
    [2, setting('member', 'since', source => `20${source.from(10, 25)}`)],
    [3, adding(newMember)],
    [2, removal('member')],
    [1, moving('member')],
  ]),
  rules: {
    wikitext: {
      write: page =>
        `${live(page)
          .map(({ values: { name, role, since } }) => `* [[${name}]] – ${role}, since ${since}`)
          .join('\n')}\n`,
    },
    markdown: {
      write: page =>
        `# Crew\n\n${live(page)
          .map(({ values: { name, role, since } }) => `1. **${name}**, ${role} (since ${since})`)
          .join('\n')}\n`,
    },
  },
}

const keys = ['name', 'length', 'width', 'owner', 'built', 'port', 'draught', 'crew', 'engine'] as const

function valueFor(source: Source, key: string): string {
  if (key === 'length' || key === 'width' || key === 'draught')
    return `${source.digits(1)}.${source.digits(1)} ${source.pick(['m', 'ft'])}`
  if (key === 'built') return `20${source.digits(2)}-0${source.digits(1)}-1${source.below(10)}`
  if (key === 'crew') return source.digits(1)
  return source.is(0.3)
    ? source.word('person')
    : `${source.word('quality')} ${source.word('thing')} of ${source.word('person')}`
}

function newKey(source: Source, within: Part): Part {
  // A key that its writer took away and gives again has another value, which is one change of it.
  const taken = within.parts.map(one => one.values.key)
  const free = keys.filter(key => !taken.includes(key))
  const key = free.length === 0 ? `note${source.digits(2)}` : source.pick(free)
  return part(source.id(), 'key', { key, value: valueFor(source, key) })
}

function makeKeys(source: Source): Part {
  const box = part('box', 'box')
  const remarks = part('remarks', 'remarks', {}, [part('first', 'remark', { text: 'She sails between the islands.' })])
  for (let left = source.from(2, 6); left > 0; left--) box.parts.push(newKey(source, box))
  return part('page', 'page', { form: source.pick(['lines', 'lines', 'inline']) }, [box, remarks])
}

const editKeys = oneOf([
  [4, setting('key', 'value', (source, _, one) => source.fresh(() => valueFor(source, one.values.key!)))],
  [4, adding(newKey, 'box')],
  [2, removal('key')],
  [1, moving('key')],
  [
    1,
    adding(
      source => part(source.id(), 'remark', { text: source.fresh(() => `She is ${source.word('quality')}.`) }),
      'remarks',
      atEnd,
    ),
  ],
])

function remarksOf(page: Part): string {
  return live(page.parts[1]!)
    .map(({ values: { text } }) => text)
    .join(' ')
}

function keysOf(page: Part): string[] {
  return live(page.parts[0]!).map(({ values: { key, value } }) => `${key} = ${value}`)
}

function hasUniqueKeys(page: Part): boolean {
  return isUnique(page, 'key', 'key')
}

const params: Kind = {
  make: makeKeys,
  edit: editKeys,
  rules: {
    wikitext: {
      isSound: hasUniqueKeys,
      write: page =>
        page.values.form === 'inline'
          ? `{{Infobox boat${keysOf(page)
              .map(key => `|${key.replace(' = ', '=')}`)
              .join('')}}}\n\n${remarksOf(page)}\n`
          : `{{Infobox boat\n${keysOf(page)
              .map(key => `| ${key}\n`)
              .join('')}}}\n\n${remarksOf(page)}\n`,
    },
  },
}

const settings: Kind = {
  make: makeKeys,
  edit: editKeys,
  rules: {
    markdown: {
      isSound: hasUniqueKeys,
      write: page =>
        `---\n${keysOf(page)
          .map(key => `${key.replace(' =', ':')}\n`)
          .join('')}---\n\n${remarksOf(page)}\n`,
    },
    wikitext: {
      isSound: hasUniqueKeys,
      write: page =>
        `${remarksOf(page)}\n\n${keysOf(page)
          .map(key => `; ${key.replace(' =', ':')}\n`)
          .join('')}`,
    },
  },
}

export const lists: Readonly<Record<string, Kind>> = { tasks, members, params, settings }
