import { describe, expect, test } from 'vitest'
import { back, there } from './_convert.ts'

describe('HTML from any source becomes the wikitext that people write', () => {
  test.each([
    ['headings and paragraphs', '<h2>Knots</h2><p>One.</p><p>Two.</p>', '== Knots ==\nOne.\n\nTwo.'],
    ['bold and italic', '<p><strong>a</strong> <em>b</em></p>', "'''a''' ''b''"],
    ['bold with a meaning of its own', '<p><b lang="de">a</b><b>b</b></p>', "<b lang=\"de\">a</b>'''b'''"],
    ['italics with a style', '<p><em style="color:red">a</em></p>', '<i style="color:red">a</i>'],
    ['bold with an empty attribute', '<p><b title="">a</b><i id="x">b</i></p>', "<b title=\"\">a</b>''b''"],
    ['neighbours of one look', '<p><b>a</b><b>b</b></p>', "'''ab'''"],
    ['lists in lists', '<ul><li>a<ol><li>b</li></ol></li><li>c</li></ul>', '* a\n*# b\n* c'],
    ['definition lists', '<dl><dt>a</dt><dd>b</dd></dl>', '; a\n: b'],
    ['tables', '<table><tr><th>a</th></tr><tr><td>b</td></tr></table>', '{|\n!a\n|-\n|b\n|}'],
    ['links', '<p><a rel="mw:WikiLink" href="./Harbour">harbour</a></p>', '[[harbour]]'],
    ['links with a text', '<p><a rel="mw:WikiLink" href="./Harbour">ships</a></p>', '[[Harbour|ships]]'],
    ['addresses', '<p><a href="https://x.example/">x</a></p>', '[https://x.example/ x]'],
    [
      'a bracket before an address, and a link in brackets after it',
      '<p><i>[<a href="https://x.example/">https://x.example/</a></i> <a href="https://y.example/">y</a></p>',
      "''<nowiki>[</nowiki>https://x.example/'' [https://y.example/ y]",
    ],
    [
      'links to files without the file they name',
      '<p><a rel="mw:MediaLink" href="https://x.example/a/Rope%20end.jpg?x">end</a></p>',
      '[[Media:Rope end.jpg|end]]',
    ],
    ['bare addresses', '<p><a href="https://x.example/">https://x.example/</a></p>', 'https://x.example/'],
    ['categories', '<link rel="mw:PageProp/Category" href="./Category:Ropes#hemp">', '[[Category:Ropes|hemp]]'],
    ['rules and breaks', '<p>a<br>b</p><hr>', 'a<br />b\n----'],
    ['preformatted lines', '<pre>a\nb</pre>', ' a\n b'],
    ['what a script says', '<p>a</p><script>alert(1)</script>', 'a'],
    ['empty lines in a paragraph', '<p>a\n\n\nb <b>c</b>\n\n</p>', "a\nb '''c'''"],
    ['bold over lines', '<p>a <b>b\nc</b></p>', "a '''b c'''"],
    ['bold of nothing but spaces', '<p>a<b> </b>b</p>', 'a b'],
    [
      'what other links are called by',
      '<p><a href="https://tools.ietf.org/html/rfc1#2">RFC 1</a></p>',
      '[https://tools.ietf.org/html/rfc1#2 RFC 1]',
    ],
    [
      'braces in a link',
      '<p><a rel="mw:WikiLink" href="./Harbour">a {{ b</a></p>',
      '[[Harbour|<nowiki>a {{ b</nowiki>]]',
    ],
    ['tables in preformatted lines', '<pre>{| a</pre>', ' <nowiki>{|</nowiki> a'],
    ['paragraphs in a box', '<div><p>a</p><p>b</p></div>', '<div>\na\n\nb\n</div>'],
    ['paragraphs in a quotation', '<blockquote><p>a</p><p>b</p></blockquote>', '<blockquote>a\n\nb</blockquote>'],
    ['paragraphs in items', '<ul><li><p>a</p></li></ul>', '*a'],
    ['empty paragraphs', '<p>a</p><p></p><p> </p><p>b</p><p></p><div>c</div>', 'a\n\n\n\nb\n\n<div>c</div>'],
    ['non-breaking spaces in links', '<p><a rel="mw:WikiLink" href="./B">b\u00a0</a></p>', '[[B|b\u00a0]]'],
    ['emphasis within the same', '<p><em>a<em>b</em></em> <em>c</em></p>', "<em>a<em>b</em></em> ''c''"],
    ['signs after spaces', '<p> *a</p><p> =b=</p><p> c</p>', '<nowiki/>*a\n\n<nowiki/>=b=\n\nc'],
    [
      'pipes in cells',
      '<table><tr><td title="a">b|c</td></tr><tr><td>b|c</td></tr><tr><td title="a">b||c</td></tr></table>',
      '{|\n| title="a" |b|c\n|-\n|<nowiki>b|c</nowiki>\n|-\n| title="a" |<nowiki>b||c</nowiki>\n|}',
    ],
    [
      'attributes by their source',
      `<i title="&amp;amp;" data-parsoid='{"stx":"html","a":{"title":"&amp;amp;"},"sa":{"title":"&amp;amp;amp;"}}'>a</i>`,
      '<i title="&amp;amp;">a</i>',
    ],
    [
      'redirects',
      '<p>a<link rel="mw:PageProp/redirect" href="./B"></p><p>c<link rel="mw:PageProp/redirect" href="./D"></p>',
      '#REDIRECT [[B]]\na\n\nc',
    ],
    [
      'a redirect in a section',
      '<section data-mw-section-id="0"><link rel="mw:PageProp/redirect" href="./B"></section>',
      '#REDIRECT [[B]]',
    ],
    [
      'cells after a call of many lines',
      `<table><tr><td><span typeof="mw:Transclusion" data-mw='{"parts":[{"template":{"target":{"wt":"a\\n"},"params":{}}}]}'></span></td><td data-parsoid='{"stx":"row"}'>b</td></tr></table>`,
      '{|\n|{{a\n}}||b\n|}',
    ],
    [
      'functions of another language',
      `<p><span typeof="mw:Transclusion" data-parsoid='{"colon":"："}' data-mw='{"parts":[{"template":{"target":{"wt":"＃もし:a","function":"if"},"params":{"1":{"wt":"b"},"c":{"wt":"d"}}}}]}'></span></p>`,
      '{{＃もし：a|b|c=d}}',
    ],
    ['addresses after what is shielded', '<p>__TOC__http://a.example</p>', '<nowiki>__TOC__http://a.example</nowiki>'],
    ['magic links before what is shielded', '<p>RFC 12__TOC__ xRFC 12</p>', '<nowiki>RFC 12__TOC__</nowiki> xRFC 12'],
    ['links one after the other', '<p>[[a]] and [[b]]</p>', '<nowiki>[[a]]</nowiki> and <nowiki>[[b]]</nowiki>'],
    ['links in links', '<p>[[File:A.png|b [[c]] d]] e</p>', '<nowiki>[[File:A.png|b [[c]] d]]</nowiki> e'],
    [
      'brackets in links',
      '<p>[[a|b [c] d]] [[e|[f]]]</p>',
      '<nowiki>[[a|b [c] d]]</nowiki> <nowiki>[[e|[f]]]</nowiki>',
    ],
    ['signs after addresses', '<p>(http://a.example/b), c</p>', '(<nowiki>http://a.example/b</nowiki>), c'],
    ['a tag that is not read', '<p>&lt;ref&gt;[[a]] b&lt;/ref&gt; c</p>', '<nowiki><ref>[[a]] b</ref></nowiki> c'],
    [
      'tags one after the other',
      '<p>&lt;b&gt;a&lt;/b&gt; c &lt;br&gt; d</p>',
      '<nowiki><b>a</b></nowiki> c <nowiki><br></nowiki> d',
    ],
    ['the start of a table', '<p>{| a\nb</p>', '<nowiki>{| a</nowiki>\nb'],
    ['headings of several lines', '<h2><p>a</p><p>b</p></h2>', '<h2>\na\n\nb\n</h2>'],
    ['bold blocks', '<b><p>a</p><ul><li>b</li></ul></b>', '<b>a\n*b\n</b>'],
    [
      'a link around blocks',
      '<a rel="mw:WikiLink" href="./B">\n<h3>a</h3><p>b</p>c</a>',
      '=== [[B|a]] ===\n[[b]]\n\n[[B|c]]',
    ],
    [
      'a table after a call',
      `<span typeof="mw:Transclusion" data-mw='{"parts":[{"template":{"target":{"wt":"a"},"params":{}}}]}'></span><table><tr><td>b</td></tr></table>`,
      '{{a}}\n{|\n|b\n|}',
    ],
    ['a start tag without an end', '<p>a &lt;b&gt;c\nd</p>', 'a <nowiki><b>c</nowiki>\nd'],
    ['comments at the start of a paragraph', '<p>a</p><p><!--b-->c</p>', 'a\n\n<!--b-->c'],
    ['spaces beside comments', '<p>a</p><p> <!--b--> <!--c-->*d</p>', 'a\n\n<!--b--><nowiki/><!--c-->*d'],
    ['signs after comments', '<ul><li><!--a-->*b</li></ul>', '*<!--a--><nowiki>*b</nowiki>'],
    ['text after a table in a list', '<dl><dd><table><tr><td>a</td></tr></table> b</dd></dl>', ':{|\n|a\n|} b'],
    [
      'captions',
      '<table><caption>a\n</caption>\n<caption>b\n</caption>\n<tr><td>c</td></tr></table>',
      '{|\n|+a\n|+b\n|c\n|}',
    ],
    ['an empty line in preformatted text', '<pre>\n\na</pre>', '<pre>\n\na</pre>'],
    [
      'signs in the fragment of a link',
      '<p><a rel="mw:WikiLink" href="./Rope#[a]_b">Rope#[a]_b</a></p>',
      '[[Rope#%5Ba%5D_b]]',
    ],
    [
      'a list in a formatting tag',
      `<p><small data-parsoid='{"stx":"html","autoInsertedEnd":true}'></small></p><small data-parsoid='{"stx":"html","autoInsertedEnd":true,"autoInsertedStart":true}'>\n<ul><li data-parsoid='{}'>a</li></ul></small>`,
      '<small>\n*a',
    ],
  ])('%s', (_, html, wikitext) => {
    expect(back(html).trimEnd()).toBe(wikitext)
  })
})

describe('text that looks like markup is escaped', () => {
  test.each([
    ["''a''", "<nowiki>''a''</nowiki>"],
    ['* a', '<nowiki>*</nowiki> a'],
    ['a * b', 'a * b'],
    ['[[a]]', '<nowiki>[[a]]</nowiki>'],
    ['[a]', '[a]'],
    ['{{a}}', '<nowiki>{{a}}</nowiki>'],
    ['{a}', '{a}'],
    ['{{}} {{a]b}} {{ }}', '{{}} {{a]b}} {{ }}'],
    ['{{#if:a}} {{a b|c}}', '<nowiki>{{#if:a}}</nowiki> <nowiki>{{a b|c}}</nowiki>'],
    ['[[a|]] [[a|b]]', '[[a|]] <nowiki>[[a|b]]</nowiki>'],
    ['[[[[a]] [[[b]]', '[[<nowiki>[[a]]</nowiki> [[[b]]'],
    ['&amp;#xffff; &amp;#65; &amp;#xfffd;', '&#xffff; &amp;#65; &amp;#xfffd;'],
    ['==', '=='],
    ['===', '<nowiki>===</nowiki>'],
    ['===<i>a</i>', "===''a''"],
    ['== a ==', '<nowiki>== a ==</nowiki>'],
    ['a == b', 'a == b'],
    ['&lt;b&gt;', '<nowiki><b></nowiki>'],
    ['1 &lt; 2', '1 < 2'],
    ['&amp;amp;', '&amp;amp;'],
    ['a &amp; b', 'a & b'],
    ['----', '<nowiki>----</nowiki>'],
    ['__NOTOC__', '<nowiki>__NOTOC__</nowiki>'],
    ['~~~~', '<nowiki>~~~~</nowiki>'],
    ['https://x.example', '<nowiki>https://x.example</nowiki>'],
    ['http://[2001:db8::1]/', '<nowiki>http://[2001:db8::1]/</nowiki>'],
    ['http://[x]/', 'http://[x]/'],
    ['&lt;nowiki>', '&lt;nowiki>'],
  ])('%s', (text, wikitext) => {
    expect(back(`<p>${text}</p>`)).toBe(wikitext.replace('&lt;nowiki>', '&lt;nowiki&gt;'))
  })
})

const pages = [
  '==  a ==\nb\n\n\nc',
  '* a\n** b\n*c\n: d\n;e:f',
  "'''a''' ''b'' <b>c</b> <DIV class=x>d</DIV>",
  '[[Harbour]]s [[Harbour|ships]] [[ Harbour ]] [https://x.example x] https://x.example RFC 123',
  '{{Tide|a}} {{Tide\n| 1 = b\n}} {{{c|d}}}',
  '{| class="a"\n|+ b\n|-\n! c !! d\n|-\n| e || style="color:red" | f\n|}',
  '{|\n! a || b !! c\n|-\n|| d || e\n|- x\n! f\n|| g\n|}',
  ':{|\n! a || b\n|}',
  '{{{!}} class="a"\n{{!}}b{{!}}| style="c" {{!}} d\n{{!}}-\n|e|{{!}}f\n{{!}}}',
  '{|<!--1-->\n|- class="a"<!--2-->\n|+<!--3-->a="b"<!--4-->|c\n|<!--5-->d\n|}',
  '{|\n| a\nb || c\n! d\ne !! f\n|}',
  'http://[2001:db8::1]/a and [http://[2001:db8::1]/a b]',
  '[[../a]] [[..]] [[./a]] [[other:../a]]',
  '<table><tr><td>a</td></tr></table>\n----\n<br>x<br/>',
  '__NOTOC__\n<!-- a -->\n[[Category:Ropes|b]]\n&eacute;<nowiki>[[c]]</nowiki>',
  '<ref name="a">b</ref> <ref name=a />\n<references/>',
  '#REDIRECT [[Harbour]]',
  ' a\n b\n\nc',
]

describe('edit HTML becomes its original wikitext', () => {
  test.each(pages)('%j, by its recorded data', async text => {
    expect(back(await there(text))).toBe(text)
  })

  test.each(pages)('%j, with the original', async text => {
    const html = await there(text)
    expect(back(html, { source: text, html })).toBe(text)
    expect(back(`${html}<!--x-->`, { source: text, html })).toBe(`${text}<!--x-->`)
  })
})

describe('with the original only the changed parts change', () => {
  const text = '==a==\none  two\nthree\n\n\n*b\n*  c [[Harbour|d]]\n\n{|\n|e||f\n|}'

  test.each([
    ['one', 'ONE'],
    ['>c <', '>C <'],
    ['>d<', '>D<'],
    ['>f<', '>F<'],
  ])('%s', async (from, to) => {
    for (const flavor of ['edit', 'view'] as const) {
      const html = await there(text, 'edit')
      const edited = (await there(text, flavor)).replace(from, to)
      const plain = (part: string): string => part.replace(/[<>]/g, '').trim()
      expect(back(edited, { source: text, html })).toBe(text.replace(plain(from), plain(to)))
    }
  })

  test('removing a paragraph also removes its lines', async () => {
    const html = await there('a\n\nb\n\nc')
    expect(back(html.replace(/<p[^>]*>b<\/p>\s*/, ''), { source: 'a\n\nb\n\nc', html })).toBe('a\n\nc')
  })
})
