/** Texts for the checker of HTML: constructs of wikitext and Markdown, by title. */

const wikitext = `
== Lists ==
* one
** two
# three
; term : meaning
: indented

== Table ==
{| class="wikitable sortable" style="width:50%"
|+ Caption
! scope="col" | Head !! Other
|-
| rowspan=2 | cell || <code>code</code>
|-
| [[Main Page|link]] and [http://example.org outside], [http://example.org]
|}

== Pictures ==
[[File:Hook Point Light.gif|thumb|left|120px|A light with ''words'']]
<gallery mode="packed">
File:Hook Point Light.gif|One
File:Missing.png|Two
</gallery>

== Text ==
'''bold''' ''italic'' <s>gone</s> <ins>new</ins> <sub>1</sub> <sup>2</sup> <kbd>x</kbd> <abbr title="for all">f. a.</abbr>
<blockquote>said</blockquote>
<pre>as it is &lt;</pre>
 preformatted
<syntaxhighlight lang="js">const a = 1 // <b></syntaxhighlight>
<div style="color:red" class="x" id="own">div</div> <span lang="de">Wort</span> <br> <hr>
Note<ref name="a">First</ref> again<ref name="a"/>
<references/>
<math>x^2</math> <nowiki>'''</nowiki> {{Missing template|x}} [[Category:Judged]]
`

const markdown = `---
tags: [one, two]
---
# Heading

- [ ] task
- [x] done

1. one
2. two

| a | b |
|---|:-:|
| 1 | **2** |

> [!NOTE]
> A note

~~~js
const a = 1
~~~

[[Main Page]] ![alt](missing.png) https://example.org <b>html</b> note[^1]

[^1]: Below.

Term
: Meaning
`

/** Title, text and content model. */
export const texts = [
  ['Judged', wikitext],
  ['Judged notes', markdown, 'markdown'],
  ['Judged code.js', 'const a = "<b>"\n'],
  ['Judged style.css', 'a > b { color: red }\n'],
  ['Judged data.json', '{"a": [1, {"b": null}], "<b>": "</script>"}\n'],
  ['Judged redirect', '#REDIRECT [[Judged]]'],
  ['Category:Judged', 'Pages that are judged'],
  ['Talk:Judged', '== Question ==\nWhy? --~~~~'],
  ['Judged/Sub page', 'below [[Judged]]'],
  ['Quotes " & \' é 日本 العربية', "''x''"],
  ['Odd', '== Odd ==\nfirst line\n\nlast'],
]

/** Edits with dark corners: the text, and a comment with characters that HTML cannot contain. */
export const dark = [
  ['== Odd ==\nfirst line \u0001\u0085\n\nlast', 'odd \u0001\u001b[31m\u009b\ufdd0 <b>"&'],
  [
    '== Odd ==\n<div id="content">first</div> <h1>again</h1> <p id="content">x\n\n<table><tr><td>open\n\nlast',
    '/* Odd */ link [[Main Page]]',
  ],
  ['first line\n\nlast', ''],
]
