import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeTexts, mergeWithMarkers } from '../../src/diff/merge.ts'
import { splitWords } from '../../src/diff/sentences.ts'

function merge(base: string, mine: string, theirs: string): string | null {
  const merged = mergeTexts(base, mine, theirs)
  return merged.merged ? merged.text.replace(/\n$/, '') : null
}

const sentences = 'The ferry leaves at noon. It is blue and old. Nobody knows its captain.'

describe('a merge by words', () => {
  test.each([
    [
      'different sentences of a paragraph',
      sentences,
      sentences.replace('noon', 'nine'),
      sentences.replace('captain', 'owner'),
      sentences.replace('noon', 'nine').replace('captain', 'owner'),
    ],
    [
      'lines that touch',
      'one a\ntwo b\nthree c',
      'one A\ntwo b\nthree c',
      'one a\ntwo B\nthree c',
      'one A\ntwo B\nthree c',
    ],
    ['a changed line and a line inserted after it', 'a b c d\nx', 'a b C d\nx', 'a b c d\nnew\nx', 'a b C d\nnew\nx'],
    ['items appended by both', '* a\n* b', '* a\n* b\n* mine', '* a\n* b\n* theirs', '* a\n* b\n* theirs\n* mine'],
    ['items inserted at one position by both', '* a\n* z', '* a\n* m\n* z', '* a\n* t\n* z', '* a\n* t\n* m\n* z'],
    [
      'a sentence appended by both, and another one',
      'It rains.',
      'It rains. Mine is long.',
      'It rains. Mine is long. Theirs is too.',
      'It rains. Mine is long. Theirs is too.',
    ],
    ['the same new item with more below it', '* a', '* a\n* new', '* a\n* new\n* newer', '* a\n* new\n* newer'],
    [
      'a tick, and a task put above',
      '- [ ] Call Eve',
      '- [x] Call Eve',
      '- [ ] Call Bob\n- [ ] Call Eve',
      '- [ ] Call Bob\n- [x] Call Eve',
    ],
    [
      'a reply, and a new topic below it',
      'A question?',
      'A question?\n: A reply.',
      'A question?\n\n== New ==\nOf this.',
      'A question?\n: A reply.\n\n== New ==\nOf this.',
    ],
    [
      'a reply to a reply, and one beside it',
      'A question?\n: One.',
      'A question?\n: One.\n: Two.',
      'A question?\n: One.\n:: Of one.',
      'A question?\n: One.\n:: Of one.\n: Two.',
    ],
    [
      'equal colours of two rows',
      '|-\n| one\n| Draft\n|-\n| two\n| Draft\n|-\n| three\n| Final',
      '|- style="color: red"\n| one\n| Closed\n|-\n| two\n| Draft\n|-\n| three\n| Final',
      '|-\n| one\n| Draft\n|-\n| two\n| Draft\n|- style="color: red"\n| three\n| Closed',
      '|- style="color: red"\n| one\n| Closed\n|-\n| two\n| Draft\n|- style="color: red"\n| three\n| Closed',
    ],
    ['two cells of a row', '| Ann | 5 | yes |', '| Ann | 6 | yes |', '| Ann | 5 | no |', '| Ann | 6 | no |'],
    [
      'a sentence taken out and another one changed',
      sentences,
      sentences.replace(' It is blue and old.', ''),
      sentences.replace('captain', 'owner'),
      'The ferry leaves at noon. Nobody knows its owner.',
    ],
    [
      'Chinese without blanks',
      '今天天气很好。我们去公园散步。',
      '今天天气不好。我们去公园散步。',
      '今天天气很好。我们去学校散步。',
      '今天天气不好。我们去学校散步。',
    ],
    ['the same words changed by both', 'a b c. d e f.', 'a X c. d e f.', 'a X c. d e f.', 'a X c. d e f.'],
  ])('accepts %s', (_, base, mine, theirs, merged) => {
    expect(merge(base, mine, theirs)).toBe(merged)
    expect(merge(base, theirs, mine)?.split(/[\n ]/).toSorted()).toEqual(merged.split(/[\n ]/).toSorted())
  })

  test.each([
    ['different words for one', 'the red boat', 'the blue boat', 'the green boat'],
    ['words with only a blank between', 'the red boat', 'the blue boat', 'the red ship'],
    ['half sentences inserted at one position', 'we saw boats', 'we saw boats and cars', 'we saw boats or trams'],
    ['a change of what the other side takes out', 'a b c d e f', 'a X c d e f', 'f'],
    [
      'a change inside a line that the other side has rewritten',
      sentences,
      'At noon a blue ferry leaves, old, and its captain is unknown to all.',
      sentences.replace('blue', 'red'),
    ],
    ['a change of a page that the other side has blanked', 'a b\n\nc', '', 'a B\n\nc'],
    ['two texts of a page that was empty', '', 'Hello.', 'World.'],
    ['paragraphs appended by both', 'a', 'a\n\nmine', 'a\n\ntheirs'],
    ['sentences appended by both', 'It rains.', 'It rains. Mine is long.', 'It rains. Theirs is too.'],
    ['two parts of a number', '3.14', '2.14', '3.15'],
    ['two parts of an address', 'see https://a.org/b/c now', 'see https://x.org/b/c now', 'see https://a.org/b/y now'],
    [
      'a negation beside another change',
      'It is now quite safe here',
      'It is not now quite safe here',
      'It is now quite dark here',
    ],
    [
      'a number beside another change',
      'About 5 of the old boats left',
      'About 6 of the old boats left',
      'About 5 of the old boats sank',
    ],
    [
      'crossing marks',
      'one two three four five six seven eight',
      "'''one two three four five''' six seven eight",
      "one two '''three four five six seven eight'''",
    ],
    ['two notes of one key', 'A.\n\nB.', 'A.[^1]\n\nB.\n\n[^1]: Mine.', 'A.\n\nB.[^1]\n\n[^1]: Theirs.'],
    [
      'two values of one parameter',
      '{{Box\n| a = 1\n| b = 2\n| c = 3\n}}',
      '{{Box\n| size = 5\n| a = 1\n| b = 2\n| c = 3\n}}',
      '{{Box\n| a = 1\n| b = 2\n| c = 3\n| size = 6\n}}',
    ],
    ['one of two equal tasks', '- [ ] Call\n- [ ] Call', '- [x] Call\n- [ ] Call', '- [ ] Call'],
    ['another name of a task that was done', '- [ ] Call Eve', '- [ ] Call Bob', '- [x] Call Eve'],
    ['a line that one deletes and the other moves', '* a b\n* c d\n* e f', '* c d\n* e f', '* c d\n* e f\n* a b'],
    ['a line that one removes and the other joins with the next one', 'a b c d.\ne', 'e', 'a e'],
    ['a line put into what becomes a comment', 'a\nb\nc\nd\ne', 'a\n<!--\nb\nc\nd\n-->\ne', 'a\nb\nc\nnew\nd\ne'],
    ['one sentence in two places', 'One.\n\nTwo.', 'One. It is the same.\n\nTwo.', 'One.\n\nTwo. It is the same.'],
    [
      'two changes of one line of code',
      '```\nf(a, b, c, d)\n```',
      '```\ng(a, b, c, d)\n```',
      '```\nf(a, b, c, e)\n```',
    ],
  ])('refuses %s', (_, base, mine, theirs) => {
    expect(merge(base, mine, theirs)).toBeNull()
    expect(merge(base, theirs, mine)).toBeNull()
  })
})

/** A base of words with ends, all words different, and each side's edits: ranges replaced by new words. */
const editsOf = (signs: readonly string[]) =>
  fc.integer({ min: 1, max: 60 }).chain(size => {
    const edit = fc.record({ at: fc.nat(size), take: fc.nat(3), put: fc.nat(3) })
    const ends = fc.array(fc.constantFrom(...signs), { minLength: size, maxLength: size })
    const side = fc.array(edit, { minLength: 1, maxLength: 3 })
    return fc.record({ ends, mine: side, theirs: side })
  })

interface Edit {
  readonly at: number
  readonly take: number
  readonly put: number
}

function applyEdits(words: readonly string[], edits: readonly Edit[], name: string): string {
  const result = words.map(word => [word])
  result.push([])
  for (const [number, { at, take, put }] of edits.entries()) {
    for (let gone = at; gone < Math.min(at + take, words.length); gone++) result[gone]!.pop()
    for (let word = 0; word < put; word++) result[at]!.unshift(`${name}${number}n${word} `)
  }
  return result.flat().join('')
}

function wordsOf(text: string): string[] {
  return text.match(/\w+/g) ?? []
}

describe('the header of a proposal', () => {
  const header =
    '<pre>\n  BIP: 31\n  Title: Pong\n  Author: Mike Hearn <m@example.org>\n  Status: Draft\n</pre>\n\nText.'
  const by = (from: string, to: string): string => header.replace(from, to)

  test.each([
    [
      'values of neighbours',
      by('Mike', 'Mike Q.'),
      by('Draft', 'Final'),
      by('Mike', 'Mike Q.').replace('Draft', 'Final'),
    ],
    [
      'another name of a key, and a new key below it',
      by('Author:', 'Authors:'),
      by('  Status', '  Type: Informational\n  Status'),
      by('Author:', 'Authors:').replace('  Status', '  Type: Informational\n  Status'),
    ],
    ['two values of one key', by('Draft', 'Final'), by('Draft', 'Active'), null],
    ['two values and names of one key', by('Author:', 'Authors:'), by('Mike', 'Eve'), null],
    ['a key added by both', by('  Title', '  Layer: A\n  Title'), by('</pre>', '  Layer: B\n</pre>'), null],
  ])('%s', (_, mine, theirs, merged) => {
    expect(merge(header, mine, theirs)).toBe(merged)
    expect(merge(header, theirs, mine)).toBe(merged)
  })

  test('is code if a line is neither a key nor part of its value', () => {
    const program = by('  Title: Pong', '  return pong')
    expect(merge(program, program.replace('Mike', 'Eve'), program.replace('Draft', 'Final'))).toBeNull()
  })
})

describe('a merge that git makes, too', () => {
  const table = '{|\n|-\n| [[bip-0375.mediawiki|375]]\n|-\n| Other\n|}'
  const row = '| Generic\n| [[bip-0322.mediawiki|322]]\n|-\n'

  test.each([
    [
      'a row below one whose cell is replaced',
      table,
      table.replace('[[bip', '[[../bip'),
      table.replace('| Other', `${row}| Other`),
      table.replace('[[bip', '[[../bip').replace('| Other', `${row}| Other`),
    ],
    [
      'a word in angle brackets above another change',
      'Of code.\n\nOne is here.\n\nTwo is here.\n\nThree is here.',
      'Of code.\n\nA vector <int> is it.\n\nOne is here.\n\nTwo is here.\n\nThree is here.',
      'Of code.\n\nOne is here.\n\nTwo is here.\n\nThree is there.',
      'Of code.\n\nA vector <int> is it.\n\nOne is here.\n\nTwo is here.\n\nThree is there.',
    ],
    [
      'another edit beside one that both made, and a word of its old line',
      'one on the side\n\ntwo\n\nthree',
      'one\n\ntwo of the client\n\nthree',
      'one\n\ntwo\n\nthree',
      'one\n\ntwo of the client\n\nthree',
    ],
  ])('keeps %s', (_, base, mine, theirs, merged) => {
    expect(merge(base, mine, theirs)).toBe(merged)
    expect(merge(base, theirs, mine)).toBe(merged)
  })
})

describe('a merge is made of', () => {
  const code = '```ts\na = {\n  depth: 1,\n}\nmiddle(3)\nother(4)\nb = {\n  scale: 2,\n}\n```'
  const list = 'Of these:\n* one\n* two\n* three\nThe end.'

  test.each([
    [
      'a heading put above a line that the other changes',
      'T\n\n## A\n\nText one here now.\n\nNow it is live.',
      'T\n\n## A\n\nText one here now.\n\n## New\n\nSomething else.\n\nNow it is live.',
      'T\n\n## A\n\nText one here now.\n\nNow it is alive.',
      'T\n\n## A\n\nText one here now.\n\n## New\n\nSomething else.\n\nNow it is alive.',
    ],
    [
      'one line of code put into two objects',
      code,
      code.replace('depth: 1,', 'depth: 1,\n  tags: [],'),
      code.replace('scale: 2,', 'scale: 2,\n  tags: [],'),
      code.replace('depth: 1,', 'depth: 1,\n  tags: [],').replace('scale: 2,', 'scale: 2,\n  tags: [],'),
    ],
    [
      'lone signs of one kind',
      'Prose.\n\nMiddle.\n\nList.\n\nEnd.',
      'Prose, a <tt>/**</tt>.\n\nMiddle.\n\nList.\n\nEnd.',
      'Prose.\n\nMiddle.\n\nList.\n** more\n** most\n** last\n\nEnd.',
      'Prose, a <tt>/**</tt>.\n\nMiddle.\n\nList.\n** more\n** most\n** last\n\nEnd.',
    ],
    [
      'an item added behind one that the other removes',
      list,
      list.replace('* two', '* two\n* deux'),
      list.replace('* two\n', ''),
      list.replace('* two', '* deux'),
    ],
    [
      'a reply to a comment that gets other words, as those of one below it were',
      '- Done.\n- Thanks. --Jon 14:31, 2 May 2026',
      '- Done.\n- Thanks. --Jon 14:31, 2 May 2026\n  - See there. --Ann 11:32, 4 May 2026',
      '- Done.\n- It turns. --Jon 14:31, 2 May 2026\n- Thanks. --Bob 13:36, 7 May 2026',
      '- Done.\n- It turns. --Jon 14:31, 2 May 2026\n  - See there. --Ann 11:32, 4 May 2026\n- Thanks. --Bob 13:36, 7 May 2026',
    ],
    [
      'a blank line below a list, and an item at its end',
      list,
      list.replace('The end', '\nThe end'),
      list.replace('The end', '* four\nThe end'),
      list.replace('The end', '* four\n\nThe end'),
    ],
    [
      'a link with a digit in it, and another word of the sentence',
      'Here are links, texts and other things, many in number, which are right out of the box.',
      'Here are links, [[i18n|texts]] and other things, many in number, which are right out of the box.',
      'Here are links, texts and other things, many in number, which are well out of the box.',
      'Here are links, [[i18n|texts]] and other things, many in number, which are well out of the box.',
    ],
  ])('%s', (_, base, mine, theirs, merged) => {
    expect(merge(base, mine, theirs)).toBe(merged)
    expect(merge(base, theirs, mine)).toBe(merged)
  })
})

describe('a merge is refused where', () => {
  const front = '---\nname: Lamp\nport: old chart of Jon\ncrew: 4\n---\n\nText.'
  const table = '{|\n|-\n| Jon || 91\n|-\n| Bob market || Sunday || 71\n|-\n| Eve || 28\n|}'
  const html = ['Aa bb cc', 'Dd ee ff', 'Gg hh ii', 'Jj kk ll', 'Mm nn oo'].map(name => `<tr><td>[[${name}]]<td>x`)
  const machines = ['Altair', 'Jupiter', 'Sega', 'Z88', 'Amiga'].map(name => `| ${name} | Z80 | none |`)
  const deployments = '{|\n|-\n| csv\n| 0\n|-\n| segwit\n| 1\n| active since #48\n| -\n| 2016\n|-\n| last\n|}'
  const jon = '| Jon\n| 91\n'
  const cells = `{|\n|-\n${jon}|-\n| Eve\n| May\n|}`
  const topic = '== Chart ==\nNo. --Eve\nIt leaves at noon. --Ole'

  test.each([
    [
      'one removes a key, and the other moves and changes it',
      front,
      front.replace('port: old chart of Jon\n', ''),
      front.replace('port: old chart of Jon\n', '').replace('crew: 4', 'crew: 4\nport: heavy crane'),
    ],
    [
      'one removes a row, and the other moves and changes it',
      table,
      table.replace('| Bob market || Sunday || 71\n|-\n', ''),
      table.replace('| Bob market || Sunday || 71\n|-\n', '').replace('|}', '|-\n| Bob market II || Sunday || 71\n|}'),
    ],
    [
      'one removes a row of one cell a line, and the other moves it',
      cells,
      cells.replace(`${jon}|-\n`, ''),
      cells.replace(`|-\n${jon}`, '').replace('|}', `|-\n${jon}|}`),
    ],
    [
      'one moves an item, and the other adds it once more',
      '* a b\n* c d\n* e f',
      '* a b\n* e f\n* c d',
      '* a b\n* c d\n* e f\n* c d',
    ],
    [
      'one replaces the last row, and the other adds one that ends with the same cell',
      '{|\n|-\n| Bob\n| mate\n| yes\n|}',
      '{|\n|-\n| Jon\n| yes\n| Sunday\n|}',
      '{|\n|-\n| Bob\n| mate\n| yes\n|-\n| Ole\n| no\n| Sunday\n|}',
    ],
    [
      'one puts a reply above a comment that it rewrites, and the other adds one below',
      '- As people say, it leaves. --Ann\n\nNext.',
      '    - As people say, it opens.\n- Behind it (of old) stands a lamp. --Ann\n\nNext.',
      '- As people say, it leaves. --Ann\n- Done. --Ole\n\nNext.',
    ],
    [
      'one moves a twin of an item that the other adds one beside',
      '- [x] Pay\n- [x] See\n- [ ] Write\n- [ ] Write\n- [ ] Call',
      '- [ ] Write\n- [ ] Pay\n- [x] See\n- [ ] Write\n- [ ] Call',
      '- [x] Pay\n- [x] See\n- [ ] Write\n- [ ] Ask\n- [ ] Write\n- [ ] Call',
    ],
    [
      'one moves a row of HTML, and the other removes it',
      html.join('\n'),
      [...html.slice(1, 4), html[0], html[4]].join('\n'),
      html.slice(1).join('\n'),
    ],
    [
      'both put a sentence behind one, on its line and below it',
      'It was built here.\n\nNext.',
      'It was built here.\nNobody lives in it.\n\nNext.',
      'It was built here. It burned down later.\n\nNext.',
    ],
    [
      'both add one row with other signs in its name',
      [...machines, ''].join('\n'),
      machines.toSpliced(1, 0, '| Mikro-80 | 8080 | own |').join('\n'),
      machines.toSpliced(4, 0, '| Mikro 80 | 8080 | own |').join('\n'),
    ],
    [
      'both take another cell out of a row',
      deployments,
      deployments.replace('| -\n', ''),
      deployments.replace('| active since #48\n', ''),
    ],
    [
      'one gives a row another name, and the other changes a cell of it',
      deployments,
      deployments.replace('segwit', 'taproot'),
      deployments.replace('2016', '2017'),
    ],
    [
      'one removes a section, and the other adds an item at its end',
      '* a\n* b\n\n## Old\n\n* c d e',
      '* a\n* b',
      '* a\n* b\n\n## Old\n\n* c d e\n* f g h',
    ],
    [
      'an item is put below one that the other moves',
      '* a b\n* c d\n* e f\n* g h',
      '* a b\n* c d\n* i j\n* e f\n* g h',
      '* a b\n* e f\n* g h\n* c d',
    ],
    [
      'one removes an item with those below it, and the other adds one there',
      '- a b\n- c d\n  - e f\n- g h',
      '- a b\n- g h',
      '- a b\n- c d\n  - e f\n  - i j\n- g h',
    ],
    [
      'both add a row of one cell a line, at two places',
      deployments,
      deployments.replace('|-\n| segwit', '|-\n| north pier\n| 5\n|-\n| segwit'),
      deployments.replace('|}', '|-\n| north pier\n| 5\n|}'),
    ],
    [
      'one changes a row, and the other gives its name to another one, too',
      '{|\n|-\n| Eve || yes || no\n|-\n| Mia light house || member || May\n|}',
      '{|\n|-\n| Eve || yes || May\n|-\n| Mia light house || member || May\n|}',
      '{|\n|-\n| Eve || no || no\n|-\n| Eve || yes || Monday\n|}',
    ],
    ['one ends a topic as the other begins a new one', topic, `${topic}\nDone.`, `${topic}\n\n== Lamp ==\nDone.`],
  ])('%s', (_, base, mine, theirs) => {
    expect(merge(base, mine, theirs)).toBeNull()
    expect(merge(base, theirs, mine)).toBeNull()
  })
})

describe('merged edits', () => {
  test.each([
    ['prose', ['', '', '', '.', '.\n', '\n* '], 1000],
    ['long sentences', ['', '', '', '', '', '', '', '.', '.\n'], 1000],
    ['lists', ['', '', '\n', '\n* ', '\n* ', '\n: ', '\n- [ ] '], 500],
    ['rows', ['', ' |', ' |', ' |\n| ', '\n|-\n| ', '\n'], 500],
    ['constructs', ['', '.', '\n', '\n\n', '\n{{|', '}}', '\n<!--\n', '\n-->\n', '\n```\n'], 500],
  ])('of %s contain each inserted word once, and no removed word', { tags: 'long' }, (_, signs, numRuns) => {
    let merges = 0
    fc.assert(
      fc.property(editsOf(signs), ({ ends, mine, theirs }) => {
        const base = ends.map((end, index) => `base${index}${end}${end.includes('\n') ? '' : ' '}`)
        const [mineText, theirsText] = [applyEdits(base, mine, 'mine'), applyEdits(base, theirs, 'theirs')]
        const [merged, mirrored] = [
          mergeTexts(base.join(''), mineText, theirsText),
          mergeTexts(base.join(''), theirsText, mineText),
        ]
        expect(merged.merged).toBe(mirrored.merged)
        if (!merged.merged || !mirrored.merged) return
        merges++
        const [inMine, inTheirs] = [new Set(wordsOf(mineText)), new Set(wordsOf(theirsText))]
        const wanted = [
          ...wordsOf(base.join('')).filter(word => inMine.has(word) && inTheirs.has(word)),
          ...[...inMine, ...inTheirs].filter(word => !word.startsWith('base')),
        ].toSorted()
        expect(wordsOf(merged.text).toSorted()).toEqual(wanted)
        expect(wordsOf(mirrored.text).toSorted()).toEqual(wanted)
      }),
      { numRuns },
    )
    expect(merges).toBeGreaterThan(numRuns / 10)
  })

  test('of any texts take little time', { tags: 'long' }, () => {
    const long = (word: string) => `${`${word} and some more `.repeat(8000)}\n`
    expect(merge(long('a'), long('b'), long('c'))).toBeNull()
    const unlike = (seed: number) =>
      Array.from({ length: 20_000 }, (_, at) => ((at * seed) % 9973).toString(36)).join(' ')
    expect(merge(unlike(7), unlike(11), unlike(13))).toBeNull()
  })
})

describe('a merge with markers', () => {
  test('marks conflicts as git does, and merges the rest', () => {
    const { text, conflicts } = mergeWithMarkers('a\nx\nb c\n', 'a1\nx\nB c\n', 'a2\nx\nb C\n', {
      labels: { mine: 'ours', theirs: 'other' },
    })
    expect(conflicts).toBe(2)
    expect(text).toBe(
      '<<<<<<< ours\na1\n|||||||\na\n=======\na2\n>>>>>>> other\nx\n<<<<<<< ours\nB c\n|||||||\nb c\n=======\nb C\n>>>>>>> other\n',
    )
  })

  test.each([
    ['keeps a missing line feed', 'a\nb', 'A\nb', 'a\nb', 'A\nb'],
    ['takes a line feed that one side has put at the end', 'a\nb', 'a\nb\n', 'A\nb', 'A\nb\n'],
    ['takes a line feed away that one side took away', 'a\n\nb\n', 'A\n\nb\n', 'a\n\nb', 'A\n\nb'],
    ['keeps blanks at the end of the file', 'a\nb\n\n\n', 'A\nb\n\n\n', 'a\nb\n\n\n', 'A\nb\n\n\n'],
    ['makes an empty file of an emptied one', 'a\n', '', 'a\n', ''],
  ])('%s', (_, base, mine, theirs, text) => {
    expect(mergeWithMarkers(base, mine, theirs)).toEqual({ text, conflicts: 0 })
  })
})

test('a line without spaces has more words than a call can have arguments', () => {
  expect(splitWords('漢。'.repeat(70_000))).toHaveLength(140_000)
})
