/** Every class of a text that readers see is in a style sheet for texts, or in the table of those that need no style. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commitFiles, newWiki } from '../operations/_wiki.ts'
import { codeSamples, matrixFiles } from './_feature-matrix.ts'
import { attributeOf, type Element, siteOf, textOf } from './_site.ts'

const styles = new URL('../../src/web/style/', import.meta.url)
/** Other sheets have no effect inside a text (scripts/own-styles.mjs). */
const css = ['content.css', 'code.css'].map(name => readFileSync(new URL(name, styles), 'utf8')).join('\n')
const styled = new Set([...css.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!))

/** Classes without a rule, and why none is needed. */
const plain: readonly (readonly [names: RegExp, reason: string])[] = [
  [/^(?:external|text|free|internal|extiw|mw-redirect|mw-magiclink(?:-\w+)?|autonumber)$/, 'looks like any link'],
  [/^(?:mw-selflink|mw-selflink-fragment|selflink)$/, 'a link without an address is plain text'],
  [/^mw-file-(?:description|element)$|^mw-default-size$/, 'a picture has the size that the engine wrote'],
  [/^mw-broken-media$/, 'its link is red'],
  [/^mw-highlight-l(?:ang-[\w+#-]+|ines)$|^mw-content-(?:ltr|rtl)$|^mw-(?:css|js)$/, 'its tokens have the colours'],
  [/^(?:n|nx|o|p|w)$/, 'names, operators and space have the colour of the text'],
  [/^(?:mw-ref|mw-reflink-text|cite-bracket|mw-cite-backlink|mw-linkback-text)$/, 'the number has a style: .reference'],
  [
    /^(?:mw-references(?:-wrap)?|mw-reference-text|reference-text|mw-ext-cite-error)$/,
    '.references and .error have styles',
  ],
  [/^(?:footnote-(?:item|backref)|footnotes-(?:list|sep))$/, 'lines of .footnotes'],
  [/^(?:gallerybox|thumb|galleryfilename|gallerytextwrapper|mw-gallery-\w+)$/, '.gallery places its pictures'],
  [/^(?:mw-formatted-date|mwe-(?:math-element(?:-inline)?|tex|chem))$/, 'words in the line'],
  [/^mw-templatedata-doc-(?:wrap|params)$|^sortable$|^mw-collapsible$/, 'a table like others'],
  [/^mw-json(?:-(?:object|array|number|null|boolean|single-value))?$/, 'cells of .mw-json'],
  [/^front-matter$|^first-level$|^markdown-alert-question$/, 'as other details, headings and boxes'],
]

async function classesOfMatrix(): Promise<Map<string, string>> {
  const code = codeSamples.map(([lang, text]) => `<syntaxhighlight lang="${lang}">\n${text}\n</syntaxhighlight>`)
  const { wiki } = await newWiki({})
  await commitFiles(wiki, { ...matrixFiles, 'Code.wiki': code.join('\n') })
  await wiki.store.refresh()
  const { page } = siteOf(wiki)
  const found = new Map<string, string>()
  for (const title of ['Wikitext', 'Markdown', 'Data.json', 'MediaWiki:Common.css', 'MediaWiki:Common.js', 'Code']) {
    const { elements } = await page(`/wiki/${title}`)
    const box = elements.find(one => attributeOf(one, 'data-ui-text') !== undefined)!
    for (const element of within(box)) {
      for (const name of attributeOf(element, 'class')?.split(/\s+/) ?? []) found.set(name, title)
      // A link that shows nothing cannot be followed.
      const isShown =
        textOf(element.childNodes).trim() !== '' || element.childNodes.some(child => child.nodeName === 'img')
      if (element.tagName === 'a' && attributeOf(element, 'href') !== undefined)
        expect([attributeOf(element, 'href'), isShown]).toEqual([attributeOf(element, 'href'), true])
    }
  }
  return found
}

function within(element: Element): Element[] {
  return element.childNodes.flatMap(child => ('tagName' in child ? [child, ...within(child)] : []))
}

test('each class that a text of any model has', async () => {
  const found = await classesOfMatrix()
  expect(found.size).toBeGreaterThan(90)
  const isKnown = (name: string): boolean => styled.has(name) || plain.some(([names]) => names.test(name))
  expect([...found].filter(([name]) => !isKnown(name))).toEqual([])
  // A reason that no class needs any more is deleted.
  const unused = plain.filter(([names]) => ![...found.keys()].some(name => names.test(name)))
  expect(unused.map(([, reason]) => reason)).toEqual([])
})

test('each class that the sources name for code', () => {
  const source = readFileSync(
    new URL('../../src/wikitext/extensions/syntaxhighlight/classes.ts', import.meta.url),
    'utf8',
  )
  const names = [...source.matchAll(/(?::|return|[?]) '([a-z]{1,3})'/g)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(30)
  expect(names.filter(name => !styled.has(name) && !/^(?:n|nx|o|p)$/.test(name))).toEqual([])
})

test('links without a text show their numbers', async () => {
  const { wiki } = await newWiki({
    Tides: '[http://example.org] and [http://example.org/a text], {{T}}',
    'Template:T': '[http://example.org/b]',
  })
  const { elements } = await siteOf(wiki).page('/wiki/Tides')
  const links = elements.filter(one => attributeOf(one, 'class')?.startsWith('external') === true)
  expect(links.map(link => textOf(link.childNodes))).toEqual(['[1]', 'text', '[2]'])
})
