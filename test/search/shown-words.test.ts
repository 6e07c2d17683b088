/** Every word that a page shows is found: the words of the rendered page are among those that the search reads. */

import { defaultTreeAdapter as adapter, type DefaultTreeAdapterMap, parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import { contentToHtml, memoryWiki } from '../../src/wikitext/index.ts'
import { readSource } from './_read.ts'

const picture = { width: 30, height: 20, size: 100, mediatype: 'BITMAP', mime: 'image/png', url: '/x', duration: null }
const names = ['X.png', 'A.jpg', 'B.jpg']
const wiki = memoryWiki({ files: names.map(name => ({ name, ...picture }) as never) })

/** Sources with one construct each. The output of templates and of magic words is not read, nor are web addresses. */
const sources: readonly (readonly [model: 'wikitext' | 'markdown', source: string])[] = [
  ['wikitext', 'a<ref>Notea</ref>'],
  ['wikitext', 'a<ref name="n">Noteb</ref> b<ref name="n" />'],
  ['wikitext', 'a<ref name="q" />\n<references><ref name="q">Notec</ref></references>'],
  ['wikitext', 'a<ref group=g>Noted [[Link|shownd]]</ref><references group=g/>'],
  ['wikitext', '<gallery>\nFile:A.jpg|Captiona [[sea|seaa]]\nB.jpg|Captionb\n</gallery>'],
  ['wikitext', '<gallery caption="Galleryc">\nFile:A.jpg|x|Cape\n</gallery>'],
  ['wikitext', '<gallery>\nFile:A.jpg|alt=Altd|Capd\n</gallery>'],
  ['wikitext', '<gallery mode="packed">\nA.jpg|Packedcap\n</gallery>'],
  ['wikitext', 'a <math>\\alpha + betaword</math> b'],
  ['wikitext', '<chem>H2O</chem>'],
  ['wikitext', '{|\n|+ Capt\n! Heada !! Headb\n|-\n| Cella || Cellb\n| class="x" | Cellc\n|}'],
  ['wikitext', '{|\n|\n{|\n| Inner\n|}\n| Outer\n|}'],
  ['wikitext', '<table><caption>Hcap</caption><tr><th>Hhead</th><td>Hcell</td></tr></table>'],
  ['wikitext', ':{|\n| Indented\n|}'],
  ['wikitext', '{| class=x\n|- style="y"\n| Cellx\n|}'],
  ['wikitext', '{|\n|\n* Iteml\n|}'],
  ['wikitext', '; Term : Meaning\n: Other'],
  ['wikitext', '* Itema\n** Itemb\n#: Itemc'],
  ['wikitext', '<blockquote>Quoted</blockquote>'],
  ['wikitext', '<poem>Poemline\nother</poem>'],
  ['wikitext', '[[File:X.png|thumb|Capfile [[A|shownf]]]]'],
  ['wikitext', '[[File:X.png|alt=Altfile]]'],
  ['wikitext', '[[File:X.png|Plaincap]]'],
  ['wikitext', '[[File:X.png|frame|left|200px|Framecap]]'],
  ['wikitext', '[[Media:X.png]] [[Media:X.png|Medialabel]]'],
  ['wikitext', '<nowiki>[[Raw]] {{raw}}</nowiki>'],
  ['wikitext', '<pre>Pretext [[x]]</pre>'],
  ['wikitext', ' Spaced pre'],
  ['wikitext', '<code>Codeword</code>'],
  ['wikitext', '<source lang="c">int Sourceword;</source>'],
  ['wikitext', '<syntaxhighlight lang="js">let Hl = 1</syntaxhighlight>'],
  ['wikitext', 'caf&eacute; na&iuml;ve &alpha;&beta; &#x4e2d;&#25991; &Omega;mega &frac12;'],
  ['wikitext', '[[Target]] [[Target#Sect]] [[Target#Sect|shown]] [[#Section only]] [[pre]]fix'],
  ['wikitext', '[[Help:Some page|]] [[Some (thing)|]]'],
  ['wikitext', '[http://e.example Exttext] [http://e.example] http://bare.example/word'],
  ['wikitext', '[[w:Article]] [[w:Article|Iw]]'],
  ['wikitext', '[[:de:Buch]]'],
  ['wikitext', '[[:Category:Catname]]'],
  ['wikitext', '== Head == <!-- c -->'],
  ['wikitext', '== Real ==  \ntext'],
  ['wikitext', '<abbr title="x">Abbr</abbr>'],
  ['wikitext', '<ruby>漢<rp>(</rp><rt>Kan</rt></ruby>'],
  ['wikitext', '<span style="x">Sp</span>an'],
  ['wikitext', '<div>Divtext</div>'],
  ['wikitext', 'x<sub>2</sub>'],
  ['wikitext', '<kbd>Key</kbd>'],
  ['wikitext', '<center>Cent</center>'],
  ['wikitext', 'a\n----\nAfterhr'],
  ['wikitext', '---- Samelinehr'],
  ['wikitext', '<b>Unclosed'],
  ['wikitext', '</b>Stray'],
  ['wikitext', 'a < Less b > c'],
  ['wikitext', 'x<includeonly>Hidden</includeonly>'],
  ['wikitext', 'a <!-- Comm --> b'],
  ['wikitext', '{{#if: x | Yesword | Noword }}'],
  ['wikitext', '{{#switch: a | a = Sw1 | #default = Sw2 }}'],
  ['wikitext', '{{#tag:ref|Tagnote}}'],
  ['wikitext', '{{#tag:nowiki|Tagnw}}'],
  ['wikitext', '{{{1|Default}}}'],
  ['wikitext', 'a [not link] [[ broken] b]'],
  ['wikitext', 'a | Pipe b'],
  ['wikitext', 'a!! Ex'],
  ['wikitext', 'x ~Tilde'],
  ['wikitext', "a'''Bold'''b"],
  ['wikitext', "L''homme'' d'Angleterre"],
  ['wikitext', '<translate>Trans <!--T:1--> late</translate>'],
  ['wikitext', '-{Var}-'],
  ['wikitext', '<indicator name="a">Indic</indicator>'],
  ['wikitext', '<section begin=a/>Labeled<section end=a/>'],
  ['wikitext', '#REDIRECT [[Redirtarget]]'],
  ['wikitext', 'a&nbsp;Nb'],
  ['wikitext', '<span lang="de">Deutsch</span>'],
  ['wikitext', 'Long<wbr>word'],
  ['wikitext', 'Line<br/>Break'],
  ['wikitext', '[mailto:a@b.example Mailtext]'],
  ['wikitext', '[[|x]]'],
  ['wikitext', '{|\n| a<ref>Intable</ref>\n|}'],
  ['wikitext', '{|\n|\n<gallery>\nA.jpg|Gint\n</gallery>\n|}'],
  ['wikitext', '<ref>\nMulti\n* Liref\n</ref>'],
  ['wikitext', '<math display="block">\\text{Mathtext} = x_1</math>'],
  ['wikitext', '[http://e.example Exttext] [[Link|b]] '],
  ['wikitext', "== Head ''one'' ==\n== Head <nowiki>x</nowiki> =="],
  ['wikitext', '&eacute; caf&eacute; &Zcaron;ivot &#x142;&oacute;d&zacute;'],
  [
    'wikitext',
    '<gallery caption="A caption" mode="packed">\n B.jpg | alt=An alt | Text with [[Link|words]] and {{{1|default}}}<ref>Deep</ref>\n</gallery> after',
  ],
  ['wikitext', '{{#tag:gallery|A.jpg{{!}}Called}}'],
  ['markdown', 'a[^1]\n\n[^1]: Fnote text'],
  ['markdown', 'a[^n]\n\n[^n]: First\n    Second para\n\n    Third'],
  ['markdown', 'a^[Inlinefn] b'],
  ['markdown', '$\\alpha word$ and $$\nblockmath\n$$'],
  ['markdown', 'a `code span` b'],
  ['markdown', '| Ha | Hb |\n|---|:-:|\n| Ca | C\\|b |'],
  ['markdown', 'Ha | Hb\n--- | ---\nCa | Cb'],
  ['markdown', 'Term\n: Meaning'],
  ['markdown', '![Alttext](x.png)'],
  ['markdown', '![Altref][r]\n\n[r]: x.png "Titler"'],
  ['markdown', 'caf&eacute; &alpha; &#233;'],
  ['markdown', '```js\nlet Fenced = 1\n```'],
  ['markdown', '~~~\nTildecode\n~~~'],
  ['markdown', 'a\n\n    Indented code'],
  ['markdown', '<div>Htmldiv</div>\n\n<b>Bold</b> <kbd>K</kbd>'],
  ['markdown', '<table><tr><td>Tdcell</td></tr></table>'],
  ['markdown', '<details><summary>Summ</summary>\n\nDetail\n</details>'],
  ['markdown', 'a <!-- Hidden --> b'],
  ['markdown', 'a\n\n<!-- Hid\nden\nmore -->\n\nb'],
  ['markdown', '# H1 `code`\n\nSet\n===\n\nTwo\n---\n\n### Closed ###'],
  ['markdown', '- Item\n  - Sub\n1. One\n- [ ] Task'],
  ['markdown', '> Quoted\n> > Deep'],
  ['markdown', '> [!NOTE]\n> Alerttext'],
  ['markdown', '> [!tip] Callouttitle\n> Body'],
  ['markdown', '~~Struck~~ ~one~'],
  ['markdown', 'a*b*c __Strong__ snake_case_word'],
  ['markdown', 'a \\* \\[Esc\\] \\_x'],
  ['markdown', 'a\\\nBreak'],
  ['markdown', '[[Page]] [[Page|Label]] [[Page#Head]]'],
  ['markdown', 'a #tagword'],
  ['markdown', '==Marked=='],
  ['markdown', '---\ntitle: Fronttitle\ntags: [Tagf]\n---\nBody'],
  ['markdown', '---\naliases:\n  - Alias\n---\nBody'],
  ['markdown', '---\r\nup: "[[Upper|Shownlink]]"\r\n...\r\nBody'],
  ['markdown', '+++\nlist = [\n  "Tomla",\n]\n[extra]\nname = "Tomlb"\n+++\nBody'],
  ['markdown', '---\ntitle: A: [\n---\nNot read'],
  ['markdown', 'a <user> b'],
  ['markdown', 'a < b > c'],
  ['markdown', 'x | y'],
  ['markdown', '1 <2 and 3> 4'],
  ['markdown', '<p align="center">Para</p>'],
  ['markdown', '[x]: http://a.example "Defonly"'],
  ['markdown', 'text [x]\n\n[x]: y'],
  ['markdown', '[![Badge](b.svg)](http://x.example)'],
  ['markdown', 'Line one\nline two\n==='],
  ['markdown', 'a[^long name] b\n\n[^long name]: Longfn'],
  ['markdown', '| `a|b` | c |\n|--|--|\n| `Cd` | e |'],
  ['markdown', '[Multi\nline](x.md)'],
  ['markdown', '[T](x.md\n"Titlem") after'],
  ['markdown', '!!! note "Admontitle"\n    Admonbody'],
  ['markdown', '!!! danger inline end\r\n    Admonbody\r\n\r\n    ???+ tip\r\n        Inner'],
  ['markdown', '- Item\n\n    === "Tab *title*"\n        Tabbody'],
  ['markdown', '> [!quote]- Folded *title* [[Link]]\n> Body'],
  ['markdown', 'H~2~O and ==mark==ed'],
  ['markdown', 'a <script>Scripttext</script> <title> b'],
  ['markdown', 'a <unknown>Unknowntext</unknown> <user> b'],
  ['markdown', '=== "Tabtitle"\n\n    Tabbody'],
  ['markdown', 'a<br>Brk'],
  ['markdown', 'x<sup>2</sup>'],
  ['markdown', '```mermaid\ngraph TD; Merm\n```'],
  ['markdown', '***\nAfterhr'],
  ['markdown', '- a[^2]\n\n[^2]: - Lifn'],
  ['markdown', 'H~2~O'],
  ['markdown', '[^c]: `Codefn`\n\nuse[^c]'],
  ['markdown', '<img src="x.png" alt="Htmlalt">'],
  ['markdown', '``a `Tick` b``'],
  ['markdown', '`a\\|b`'],
  ['markdown', '[Shown](x.md "Title") [Ref][r]\n\n[r]: http://x.example'],
  ['markdown', 'Text[^a] and[^b]\n\n[^a]: One [link](x.md) `code`\n[^b]:\n    Below\n\n    > quoted'],
  ['markdown', '| a |\n|---|\n| x[^t] |\n\n[^t]: | not | cells'],
]

/** Elements that stand apart from the text around them. */
const blocks =
  /^(?:p|div|li|td|th|d[td]|h\d|tr|table|caption|figcaption|br|pre|[uod]l|blockquote|summary|details|section|r[tp])$/
/** Elements without words of the page: numbers of notes, links back from them, and addresses. */
const silent = /\b(?:mw-ref|mw-cite-backlink|footnote-ref|footnote-backref|autonumber|free)\b/

function shownText(node: DefaultTreeAdapterMap['node']): string {
  if (adapter.isTextNode(node)) return node.value
  if (!adapter.isElementNode(node)) return 'childNodes' in node ? node.childNodes.map(shownText).join('') : ''
  const attribute = (name: string): string => node.attrs.find(one => one.name === name)?.value ?? ''
  if (/^(?:style|script|head)$/.test(node.tagName) || silent.test(attribute('class'))) return ''
  const text = node.childNodes.map(shownText).join('')
  if (node.tagName === 'img') return ` ${attribute('alt')} `
  return blocks.test(node.tagName) ? ` ${text} ` : text
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

async function readWords(source: string, model: 'wikitext' | 'markdown'): Promise<Set<string>> {
  const { title, lead, headings, body } = await readSource(source, model)
  return new Set(wordsOf([title, lead, ...headings, body].join(' ')))
}

describe('the words that a page shows are read', () => {
  test.each(sources)('%s: %j', async (model, source) => {
    const options = { title: 'Page', wiki, flavor: 'view', now: new Date(0) } as const
    const { html } = await contentToHtml(source, model, options)
    const read = await readWords(source, model)
    expect(wordsOf(shownText(parse(html))).filter(word => !read.has(word))).toEqual([])
  })
})

test.each([
  ['wikitext', 'a <!-- hidden --> b'],
  ['wikitext', 'a <!-- hidden'],
  ['wikitext', '<templatedata>{"hidden": 1}</templatedata>'],
  ['markdown', 'a <!-- hidden --> b'],
  ['markdown', '<!-- a\nhidden\nhidden --> b'],
  ['markdown', '[x]: https://a.example/hidden'],
] as const)('%s: words that no page shows are not: %j', async (model, source) => {
  expect([...(await readWords(source, model))]).not.toContain('hidden')
})
