/** Words that a reader selects on a page and types into the search box find the page: in both dialects, in thirty scripts, however it is written. */

import fc from 'fast-check'
import { defaultTreeAdapter as adapter, type DefaultTreeAdapterMap, parse } from 'parse5'
import { expect, test } from 'vitest'
import { parseQuery, type QueryPart } from '../../src/search/query/query.ts'
import { contentToHtml, memoryWiki } from '../../src/wikitext/index.ts'
import { rounds } from '../_rounds.ts'
import { listKeys } from './_keys.ts'
import { readSource } from './_read.ts'

const picture = { width: 30, height: 20, size: 100, mediatype: 'BITMAP', mime: 'image/png', url: '/x', duration: null }
const wiki = memoryWiki({ files: [{ name: 'X.png', ...picture } as never] })

type Model = 'wikitext' | 'markdown'
type Write = (word: string) => string

const scripts =
  'Latin Greek Cyrillic Armenian Georgian Hebrew Arabic Syriac Thaana Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Ethiopic Cherokee Mongolian Hangul Han Hiragana Katakana Bopomofo Tifinagh Yi Javanese'.split(
    ' ',
  )

/** Letters of a script with the marks that may follow them. */
const lettersOf = (script: string): string[] => {
  const letter = new RegExp(
    `(?=\\p{sc=${script}})[\\p{Ll}\\p{Lo}](?<![\\u1100-\\u11FF\\uA960-\\uA97F\\u{D7B0}-\\u{D7FF}\\uFFA0-\\uFFDC])`,
    'u',
  )
  const found = Array.from({ length: 0xd7ff }, (_, code) => String.fromCharCode(code)).filter(one => letter.test(one))
  return found.filter(one => one.normalize('NFKC') === one)
}
const letters = new Map(scripts.map(script => [script, lettersOf(script)]))

const word = fc
  .constantFrom(...scripts)
  .chain(script => fc.array(fc.constantFrom(...letters.get(script)!), { minLength: 2, maxLength: 6 }))
  .map(signs => signs.join(''))

const signsOf = (text: string): string[] => [...text]
const code = (sign: string): number => sign.codePointAt(0)!
const half = (text: string): [string, string] => {
  const signs = signsOf(text)
  const middle = signs.length >> 1
  return [signs.slice(0, middle).join(''), signs.slice(middle).join('')]
}

/** Ways to write a word that both dialects show as the word. */
const common: readonly Write[] = [
  one => one,
  one =>
    signsOf(one)
      .map(sign => `&#${code(sign)};`)
      .join(''),
  one =>
    signsOf(one)
      .map(sign => `&#x${code(sign).toString(16)};`)
      .join(''),
  one => `${half(one)[0]}&shy;${half(one)[1]}`,
  one => `${half(one)[0]}\u00AD${half(one)[1]}`,
  one => `${half(one)[0]}&ZeroWidthSpace;${half(one)[1]}`,
  one => `${half(one)[0]}<wbr>${half(one)[1]}`,
  one => `<span class="x">${half(one)[0]}</span>${half(one)[1]}`,
  one => `${half(one)[0]}<b>${half(one)[1]}</b>`,
  one => `<mark>${half(one)[0]}</mark>${half(one)[1]}`,
  one => `${half(one)[0]}<!-- unseen -->${half(one)[1]}`,
  one => `<kbd>${one}</kbd>`,
  one => `(${one})`,
  one => `“${one}”`,
  one => `${one}&mdash;&copy;&hearts;`,
  one => `&laquo;${one}&raquo;`,
]
const writings: Readonly<Record<Model, readonly Write[]>> = {
  wikitext: [
    ...common,
    one => `''${half(one)[0]}''${half(one)[1]}`,
    one => `'''${one}'''`,
    one => `${half(one)[0]}<nowiki/>${half(one)[1]}`,
    one => `<nowiki>${one} &eacute; ''</nowiki>`,
    one => `[[${one}]]`,
    one => `[[X|${half(one)[0]}]]${half(one)[1]}`,
    one => `[http://x.example ${one}]`,
    one => `<code>${one}</code>`,
    one => `<u>${half(one)[0]}</u>${half(one)[1]}`,
    one => `<del>${one}</del>`,
    one => `<small>${half(one)[0]}</small>${half(one)[1]}`,
  ],
  markdown: [
    ...common,
    one => `*${one}*`,
    one => `**${half(one)[0]}**${half(one)[1]}`,
    one => `\`${one}\``,
    one => `\`\`${one} &eacute; \\* <i>\`\``,
    one => `\\*${one}\\*`,
    one => `[${one}](x.md)`,
    one => `[[X|${one}]]`,
    one => `~~${one}~~`,
    one => `==${one}==`,
    one => `${half(one)[0]}~${half(one)[1]}~`,
  ],
}

/** Ways to write a word in an attribute, which has no markup. */
const plain = common.filter(write => !/[<>"]/.test(write('ab')))

/** Places of a word in an attribute, or in the title of a link. */
const attributes: Readonly<Record<Model, readonly Write[]>> = {
  wikitext: [
    one => `<abbr title="${one}">x</abbr>`,
    one => `<span title='a > ${one}'>x</span>`,
    one => `<div aria-label="${one}">x</div>`,
    one => `{| title="${one}"\n| title="${one}" | x\n|}`,
  ],
  markdown: [
    one => `![${one}](X.png)`,
    one => `![x](X.png "${one}")`,
    one => `[x](x.md "${one}")`,
    one => `[x][r]\n\n[r]: http://x.example "${one}"`,
    one => `<img src="X.png" alt="${one}">`,
    one => `<abbr title="${one}">x</abbr>`,
    one => `<span title='${one}'>x</span>`,
  ],
}

/** Places of a word, each a block of the page. */
const places: Readonly<Record<Model, readonly Write[]>> = {
  wikitext: [
    one => one,
    one => `== ${one} ==`,
    one => `* ${one}`,
    one => `; ${one} : x`,
    one => `{|\n|+ ${one}\n|-\n! ${one}\n| class="x" | ${one}\n|}`,
    one => `a<ref>${one}</ref>`,
    one => `[[File:X.png|thumb|${one}]]`,
    one => `[[File:X.png|alt=${one}|left]]`,
    one => `<gallery>\nX.png|${one}\n</gallery>`,
    one => `<blockquote>${one}</blockquote>`,
    one => `<poem>\n${one}\nx\n</poem>`,
    one => `<table><tr><td>${one}</td></tr></table>`,
    one => `<ruby>x<rt>${one}</rt></ruby>`,
    one => ` ${one}`,
  ],
  markdown: [
    one => one,
    one => `## ${one}`,
    one => `${one}\n===`,
    one => `- ${one}\n  - ${one}`,
    one => `> ${one}`,
    one => `| ${one} | b |\n|---|---|\n| c | ${one} |`,
    one => `a[^1]\n\n[^1]: ${one}`,
    one => `<div>${one}</div>`,
    one => `1. ${one}`,
    one => `x\n\n    ${one}`,
    one => `- [ ] ${one}`,
    one => `> [!NOTE]\n> ${one}`,
  ],
}

const blockOf = (own: readonly Write[], ways: readonly Write[]) =>
  fc
    .tuple(fc.constantFrom(...own), fc.array(fc.tuple(fc.constantFrom(...ways), word), { minLength: 1, maxLength: 4 }))
    .map(([place, words]) => place(words.map(([write, one]) => write(one)).join(' ')))

const page = fc.constantFrom<Model>('wikitext', 'markdown').chain(model => {
  const block = fc.oneof(
    { weight: 4, arbitrary: blockOf(places[model], writings[model]) },
    blockOf(attributes[model], plain),
  )
  return fc.array(block, { minLength: 1, maxLength: 4 }).map(blocks => ({ model, source: blocks.join('\n\n') }))
})

const silentClass = /\b(?:mw-ref|mw-cite-backlink|footnote-ref|footnote-backref|autonumber|free)\b/
const block =
  /^(?:p|div|li|td|th|d[td]|h\d|tr|table|caption|figcaption|br|pre|[uod]l|blockquote|summary|details|section|r[tp])$/

/** Texts that a page shows, and those that are read aloud: a block's text is one, and so is each attribute. */
function shownTexts(node: DefaultTreeAdapterMap['node'], texts: string[]): string {
  if (adapter.isTextNode(node)) return node.value
  if (!adapter.isElementNode(node))
    return 'childNodes' in node ? node.childNodes.map(one => shownTexts(one, texts)).join('') : ''
  const attribute = (name: string): string => node.attrs.find(one => one.name === name)?.value ?? ''
  if (/^(?:style|script|head)$/.test(node.tagName) || silentClass.test(attribute('class'))) return '\n'
  const isOwnTitle = node.tagName !== 'a' || !/mw:WikiLink/.test(attribute('rel'))
  texts.push(attribute('alt'), attribute('aria-label'), isOwnTitle ? attribute('title') : '')
  const text = node.childNodes.map(one => shownTexts(one, texts)).join('')
  return block.test(node.tagName) ? `\n${text}\n` : text
}

async function textsOf(source: string, model: Model): Promise<string[]> {
  const { html } = await contentToHtml(source, model, { title: 'Page', wiki, flavor: 'view', now: new Date(0) })
  const texts: string[] = []
  const whole = shownTexts(parse(html), texts)
  return [...whole.split('\n'), ...texts].filter(text => /[\p{L}\p{N}]/u.test(text))
}

function isFound(query: string, keys: ReadonlySet<string>): boolean {
  const { parts } = parseQuery(query)
  const holds = ({ alternatives }: QueryPart): boolean =>
    alternatives.some(one => one.every(({ key }) => keys.has(key)))
  return parts.every(part => holds(part) || (part.otherwise !== undefined && holds(part.otherwise)))
}

test('what is selected on a page finds it', { tags: 'rounds' }, async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(page, async ({ model, source }) => {
      const { title, lead, headings, body } = await readSource(source, model)
      const keys = new Set(listKeys([title ?? '', lead, ...headings, body]))
      for (const text of await textsOf(source, model)) {
        const words = text.trim().split(/\s+/)
        for (const [at] of words.entries()) {
          const query = words.slice(at, at + 3).join(' ')
          count++
          expect(isFound(query, keys), `${JSON.stringify(query)} of ${JSON.stringify(source)}`).toBe(true)
        }
      }
    }),
    { numRuns: rounds(15, 300, 2_000), seed: 42, endOnFailure: false },
  )
  expect(count).toBeGreaterThan(50)
})
