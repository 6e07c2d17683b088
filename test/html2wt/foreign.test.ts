import { describe, expect, test } from 'vitest'
import { back, there } from './_convert.ts'

const wordItem = (text: string, level: number, sign: string, list = 'l0') =>
  `<p class=MsoListParagraph style='margin-left:36.0pt;text-indent:-18.0pt;mso-list:${list} level${level} lfo1'>` +
  `<![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${sign}` +
  `<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`

describe('Word', () => {
  test.each([
    [
      'looks go, bold and italic stay',
      `<p class=MsoNormal><b><span lang=EN-GB style='font-size:14.0pt;mso-ansi-language:EN-GB'>Ropes<o:p></o:p></span></b></p>` +
        `<p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>of <i style='mso-bidi-font-style:normal'>hemp</i></p>`,
      "'''Ropes'''\n\nof ''hemp''",
    ],
    [
      'comments for other programs go',
      '<!--StartFragment--><!--[if gte mso 9]><xml><w:x>y</w:x></xml><![endif]--><p class=MsoNormal>a</p><!--EndFragment-->',
      'a',
    ],
    [
      'titles are headings',
      '<p class=MsoTitle>Ropes</p><h2><b>Hemp</b></h2><p class=MsoNormal>a</p>',
      '= Ropes =\n== Hemp ==\na',
    ],
    [
      'paragraphs that say their list are lists',
      wordItem('Rope', 1, '·') + wordItem('Hemp', 2, 'o') + wordItem('Sisal', 2, 'o') + wordItem('Sail', 1, '·'),
      '* Rope\n** Hemp\n** Sisal\n* Sail',
    ],
    [
      'numbers are numbered lists',
      `${wordItem('a', 1, '1.')}${wordItem('b', 2, 'a)')}${wordItem('c', 1, '2.')}<p class=MsoNormal>d</p>${wordItem('e', 1, '·', 'l1')}`,
      '# a\n## b\n# c\nd\n* e',
    ],
    [
      'bullets that are only text are bullets',
      '<p class=MsoListParagraph>·&nbsp;&nbsp;&nbsp; a</p><p class=MsoListParagraph>·&nbsp;&nbsp;&nbsp; b</p>',
      '* a\n* b',
    ],
    [
      'tables have no look',
      `<table class=MsoTableGrid border=1 cellspacing=0 style='border-collapse:collapse;mso-border-alt:solid'>` +
        `<tr style='mso-yfti-irow:0'><td width=200 colspan=2 valign=top style='width:150pt'><p class=MsoNormal>a<o:p></o:p></p></td></tr></table>`,
      '{|\n| colspan="2" |a\n|}',
    ],
    [
      'footnotes are references',
      `<p class=MsoNormal>a<a style='mso-footnote-id:ftn1' href="#_ftn1" name="_ftnref1"><span class=MsoFootnoteReference>[1]</span></a> b</p>` +
        `<div style='mso-element:footnote-list'><br clear=all><hr size=1 width="33%"><div style='mso-element:footnote' id=ftn1>` +
        `<p class=MsoFootnoteText><a href="#_ftnref1" name="_ftn1"><span>[1]</span></a> The <b>note</b>.</p></div></div>`,
      "a<ref>The '''note'''.</ref> b",
    ],
    [
      'its own contents and marks go',
      '<p class=MsoToc1><a href="#_Toc1">Ropes<span style="mso-tab-count:1 dotted">...</span>1</a></p><h1><a name="_Toc1">Ropes</a></h1>',
      '= Ropes =',
    ],
    ['links to files of a computer are their text', '<p class=MsoNormal><a href="file:///C:/x.doc">a</a></p>', 'a'],
  ])('%s', (_, html, wikitext) => {
    expect(
      back(html)
        .trim()
        .replaceAll(/\n{2,}(?=[*#]|==|d$)/g, '\n'),
    ).toBe(wikitext)
  })
})

const docs = (html: string) =>
  `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1a">${html}</b>`

describe('Google Docs', () => {
  test.each([
    [
      'the bold that is not bold goes',
      docs('<p dir="ltr" style="line-height:1.38"><span style="font-size:11pt">a</span></p>'),
      'a',
    ],
    [
      'styles that mean something are tags',
      docs(
        '<p><span style="font-weight:700">a</span><span> </span><span style="font-style:italic">b</span> ' +
          '<span style="font-weight:700;font-style:italic">c</span> <span style="text-decoration:underline">d</span> ' +
          '<span style="text-decoration:line-through">e</span> <span style="vertical-align:super;font-size:0.6em">f</span> ' +
          `<span style="font-family:'Courier New'">g</span></p>`,
      ),
      "'''a''' ''b'' '''''c''''' <u>d</u> <s>e</s> <sup>f</sup> <code>g</code>",
    ],
    [
      'links are not underlined, and lead where they lead',
      docs(
        '<p><a href="https://www.google.com/url?q=https://x.example/a&amp;sa=D"><span style="text-decoration:underline">a</span></a></p>',
      ),
      '[https://x.example/a a]',
    ],
    ['headings are not bold', docs('<h2><span style="font-weight:700">a</span></h2>'), '== a =='],
    [
      'lists beside items are lists in them',
      docs(
        '<ul><li aria-level="1"><p role="presentation"><span>a</span></p></li><ul><li><p>b</p></li></ul><li><p>c</p></li></ul>',
      ),
      '* a\n** b\n* c',
    ],
    ['line breaks between paragraphs go', docs('<p>a</p><br><p>b</p><br>'), 'a\n\nb'],
    [
      'footnotes are references',
      '<p><span>a</span><sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup></p><hr><div><p><a href="#ftnt_ref1" id="ftnt1">[1]</a><span> b</span></p></div>',
      'a<ref>b</ref>',
    ],
  ])('%s', (_, html, wikitext) => {
    expect(back(html).trim()).toBe(wikitext)
  })
})

describe('spreadsheets', () => {
  test.each([
    [
      'of Google keep cells and what is bold',
      '<meta charset="utf-8"><google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #ccc;}--></style>' +
        '<table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" border="1" style="table-layout:fixed;width:0px" data-sheets-root="1">' +
        '<colgroup><col width="100"/></colgroup><tbody><tr style="height:21px"><td style="font-weight:bold;vertical-align:bottom" data-sheets-value="{}">a</td>' +
        '<td style="font-style:italic">b</td></tr><tr><td rowspan="2" style="width:3px">c</td><td data-sheets-numberformat="x">3|4</td></tr></tbody></table>',
      "{|\n|'''a'''\n|''b''\n|-\n| rowspan=\"2\" |c\n|<nowiki>3|4</nowiki>\n|}",
    ],
    [
      'of Excel keep cells without formats',
      '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body link="#0563C1"><table border=0 width=128 style="width:96pt"><!--StartFragment-->' +
        '<col width=64 style="width:48pt"><tr height=20><td class=xl65 height=20 width=64>a</td><td class=xl66 align=right x:num>3.6</td></tr><!--EndFragment--></table></body></html>',
      '{|\n|a\n|3.6\n|}',
    ],
    [
      'of LibreOffice keep cells without formats',
      '<table cellspacing="0" border="0"><colgroup width="85"></colgroup><tr><td height="17" align="left"><b>a</b></td><td align="right" sdval="3.6" sdnum="1033;">3.6</td></tr></table>',
      "{|\n|'''a'''\n|3.6\n|}",
    ],
  ])('%s', (_, html, wikitext) => {
    expect(back(html).trim()).toBe(wikitext)
  })
})

describe('Markdown, rendered', () => {
  test.each([
    [
      'code of a language',
      '<pre><code class="language-js">let a = "&lt;b&gt;"\n</code></pre>',
      '<syntaxhighlight lang="js">\nlet a = "<b>"\n</syntaxhighlight>',
    ],
    ['code of none', "<pre><code>a &lt;b&gt; &amp;amp; ''c''\n</code></pre>", "<pre>a &lt;b> &amp;amp; ''c''</pre>"],
    [
      'code by another way',
      '<div class="sourceCode"><pre class="sourceCode python"><code class="sourceCode python"><span>a</span></code></pre></div>',
      '<syntaxhighlight lang="python">\na\n</syntaxhighlight>',
    ],
    [
      'code of GitHub',
      '<div class="highlight highlight-source-shell"><pre>npm i</pre><div class="zeroclipboard-container"><clipboard-copy>x</clipboard-copy></div></div>',
      '<syntaxhighlight lang="shell">\nnpm i\n</syntaxhighlight>',
    ],
    [
      'code that would end its own tag',
      '<pre><code class="language-html">a&lt;/syntaxhighlight&gt;[[b]]</code></pre>',
      '<pre>a&lt;/syntaxhighlight>[[b]]</pre>',
    ],
    [
      'tasks',
      '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked disabled> a</li><li><input type="checkbox">b</li></ul>',
      '* [x] a\n* [ ] b',
    ],
    [
      'tables',
      '<table><thead><tr><th style="text-align:right">a</th></tr></thead><tbody><tr><td style="text-align:right">b</td></tr></tbody></table>',
      '{|\n! style="text-align:right" |a\n|-\n| style="text-align:right" |b\n|}',
    ],
    ['anchors of headings', '<h2>a<a class="anchor" href="#a"><svg><path d="m"></path></svg></a></h2>', '== a =='],
    [
      'headings of GitHub',
      '<div class="markdown-heading"><h2>a</h2><a class="anchor" href="#a"><svg></svg></a></div>',
      '== a ==',
    ],
    [
      'footnotes, also of two uses',
      '<p>a<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup> b<sup><a href="#fn1" id="fnref1:1">[1:1]</a></sup></p><hr class="footnotes-sep"><section class="footnotes"><ol><li id="fn1"><p>c <em>d</em> <a href="#fnref1" class="footnote-backref">↩︎</a></p></li></ol></section>',
      'a<ref name="note-1">c \'\'d\'\'</ref> b<ref name="note-1" />\n<references />',
    ],
    [
      'footnotes of GitHub',
      '<p>a<sup><a href="#user-content-fn-x" data-footnote-ref>1</a></sup></p><section data-footnotes class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2><ol><li id="user-content-fn-x"><p>b <a href="#user-content-fnref-x" class="data-footnote-backref">↩</a></p></li></ol></section>',
      'a<ref>b</ref>\n<references />',
    ],
    [
      'formulas',
      '<p><span class="katex"><span class="katex-mathml"><math><semantics><mi>a</mi><annotation encoding="application/x-tex">a^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">a2</span></span></p>',
      '<math>a^2</math>',
    ],
  ])('%s', (_, html, wikitext) => {
    expect(back(html).trim()).toBe(wikitext)
  })
})

describe('reader HTML of other wikis', () => {
  test.each([
    [
      'headings without their furniture',
      '<div class="mw-heading mw-heading2"><h2 id="a">a</h2><span class="mw-editsection"><span>[</span><a href="/w/index.php?title=X&amp;action=edit">edit</a></span></div><p>b</p><div id="toc" class="toc"><h2>Contents</h2></div>',
      '==a==\nb',
    ],
    [
      'links',
      '<p><a href="/wiki/Harbour" title="Harbour">ships</a> <a href="/w/index.php?title=Nowhere&amp;action=edit&amp;redlink=1" class="new">Nowhere</a> <a rel="nofollow" class="external text" href="https://x.example">x</a></p>',
      '[[Harbour|ships]] [[Nowhere]] [https://x.example x]',
    ],
    [
      'references',
      '<p>a<sup id="cite_ref-1" class="reference"><a href="#cite_note-1"><span>[</span>1<span>]</span></a></sup></p><div class="reflist"><div class="mw-references-wrap"><ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink"><b><a href="#cite_ref-1">^</a></b></span> <span class="reference-text">b <i>c</i></span></li></ol></div></div>',
      "a<ref>b ''c''</ref>\n<references />",
    ],
    [
      'pictures',
      '<figure class="mw-default-size" typeof="mw:File/Thumb"><a href="/wiki/File:A.jpg" class="mw-file-description"><img src="//x.example/a.jpg" class="mw-file-element"></a><figcaption>b</figcaption></figure>',
      '[[File:A.jpg|thumb|b]]',
    ],
    [
      'pictures of older ones',
      '<div class="thumb tleft"><div class="thumbinner"><a href="/wiki/File:A.jpg" class="image"><img src="//x.example/a.jpg"></a><div class="thumbcaption"><div class="magnify"><a href="/wiki/File:A.jpg"></a></div>b <i>c</i></div></div></div>',
      "[[File:A.jpg|thumb|left|b ''c'']]",
    ],
    [
      'formulas',
      '<p><span class="mwe-math-element"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y"><math alttext="{\\displaystyle a^{2}}"><semantics><mi>a</mi><annotation encoding="application/x-tex">{\\displaystyle a^{2}}</annotation></semantics></math></span><img src="https://x.example/a.svg" alt="a"></span></p>',
      '<math>a^{2}</math>',
    ],
  ])('%s', (_, html, wikitext) => {
    expect(back(html).trim()).toBe(wikitext)
  })
})

describe('any page', () => {
  test.each([
    [
      'a picture that is not there is what stands for it',
      '<p><img src="a.png" alt="b"><img src="data:image/png;base64,AA">c</p>',
      'bc',
    ],
    [
      'a film is a link',
      '<video controls><source src="https://x.example/a/b.webm"></video>',
      '[https://x.example/a/b.webm b.webm]',
    ],
    [
      'code in cells',
      '<table><tr><td>a</td><td><pre><code class="language-c">b</code></pre></td></tr></table>',
      '{|\n|a\n|<syntaxhighlight lang="c">\nb\n</syntaxhighlight>\n|}',
    ],
    [
      'a cell after a list, whatever ends the row',
      '<table><tr><td><ul><li>a</li></ul></td><td>b\n</td></tr></table>',
      '{|\n|\n*a\n|b\n|}',
    ],
    ['menus are lists', '<menu><li>a</li></menu>', '*a'],
    [
      'what begins a line of its own stays in its item',
      '<ul><li><p>a</p><p>b</p></li><li>c<pre>d\ne</pre></li><li>f<table><tr><td>g</td></tr></table></li><li>h<hr></li></ul>',
      '* a<p>b</p>\n* c<pre>d\ne</pre>\n* f<table><tr><td>g</td></tr></table>\n* h<hr>',
    ],
    [
      'boxes without a tag are paragraphs',
      '<article><header>a</header><section><p>b</p>c<div>d</div></section><footer>e</footer></article>',
      'a\n\nb\n\nc<div>d</div>e',
    ],
    ['terms in groups', '<dl><div><dt>a</dt><dd>b</dd></div></dl>', '; a\n: b'],
    ['lists without items', '<ul><ul><li>a</li></ul></ul>', '**a'],
    [
      'what only works in a browser goes',
      '<p>a<iframe src="x">b</iframe><svg><text>c</text></svg><button>d</button><select><option>e</option></select><textarea>f</textarea><input value="g"></p>',
      'a',
    ],
    [
      'handlers go',
      '<div onclick="x()" onmouseover=y style="background:url(javascript:x)">a</div><span onfocus=x title=b>c</span><table onload=x><tr><td onclick=y>d</td></tr></table>',
      '<div>a</div><span title="b">c</span>\n{|\n|d\n|}',
    ],
    [
      'links that run something are their text',
      '<p><a href="java\nscript:x()">a</a> <a href=" javascript:x()">b</a> <a href="data:text/html,x">c</a></p>',
      'a b c',
    ],
    ['paths of other sites are their text', '<p><a href="/x/y">a</a></p>', 'a'],
    [
      'what a browser copies has no look',
      '<p style="orphans: 2; -webkit-text-stroke-width: 0px;"><span style="color: rgb(1, 2, 3);">a</span><span class="Apple-converted-space">&nbsp;</span><b>b</b></p>',
      "a '''b'''",
    ],
  ])('%s', (_, html, wikitext) => {
    expect(back(html).trim()).toBe(wikitext)
  })
})

describe('our own HTML is unchanged', () => {
  test.each([
    ' <code>a</code>',
    '<div class="highlight"><div class="toc">a</div></div>',
    '<span></span>a<span>b</span> <!-- StartFragment -->',
    '{|\n|<span style="font-weight:bold; mso-a:b">a</span>\n|}',
    '<div class="thumb">[[File:Nothing.png]]</div>',
    '* a<p>b</p>\n* <div id="fn1">c</div> [[#fn1|1]]',
  ])('%j', async text => {
    const html = await there(text)
    const view = await there(text, 'view')
    expect(back(`${view} `, { source: text, html }).trimEnd()).toBe(text)
    expect(back(html)).toBe(text)
  })
})

describe('invalid HTML is converted in bounded time', () => {
  const many = 20_000
  test.each([
    ['lists in lists', '<ul>'.repeat(many)],
    ['boxes', '<section>'.repeat(many)],
    ['breaks', `<p class=MsoNormal>a</p>${'<br>'.repeat(many)}<p>b</p>`],
    [
      'spans',
      `<span style="font-weight:700;mso-x:y">${'<span style="font-style:italic">a</span>'.repeat(many)}</span>`,
    ],
    ['boxes to tick', `<p>${'<input type=checkbox>'.repeat(many)}</p>`],
    ['notes', `<p>${'<a href="#fn1">1</a>'.repeat(many)}</p><ol>${'<li id=fn1>a'.repeat(many)}</ol>`],
    ['many notes', Array.from({ length: many }, (_, n) => `<a href="#fn${n}">1</a><div id="fn${n}">a</div>`).join('')],
    ['notes in notes', Array.from({ length: 400 }, (_, n) => `<div id="fn${n}"><a href="#fn${n + 1}">1</a>`).join('')],
    ['items of Word', wordItem('a', 3, '·').repeat(many / 10)],
    ['frames', '<div class=thumb>'.repeat(many)],
    ['names', `<o:p>${'<w:x>'.repeat(many)}`],
  ])('%s', { tags: 'long' }, (_, html) => {
    expect(typeof back(html)).toBe('string')
  })
})
