/** Texts of all content models with every construct that has a class. */

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"><rect width="900" height="300" fill="#888"/></svg>'

/** Files of a wiki. */
export const matrixFiles: Readonly<Record<string, string>> = {
  'Tide.svg': svg,
  'Fog.wiki': 'grey',
  'Redirect.wiki': '#REDIRECT [[Fog]]',
  'Template/Box.wiki': '{{{1|}}}',
  'Wikitext.wiki': `'''Bold''' [[Fog]] [[Nowhere]] [[Redirect]] [[#Part]] [[Wikitext]] [http://example.org] [http://example.org text] http://example.org
[[mw:Help]] [[de:Nebel]] ISBN 978-3-16-148410-0 RFC 2616 PMID 12345 [mailto:x@example.org mail] {{Nowhere template}} {{Box|x}}
<ref>one</ref><ref name="a">two</ref><ref name="a" /><ref group="n">three</ref><ref name="unknown" />
[[File:Tide.svg|thumb|A caption]] [[File:Tide.svg|frame|left|x]] [[File:Tide.svg|frameless|border|100px]] [[File:Tide.svg|center|upright]] [[File:Tide.svg|none|thumb|200px|x]]
[[File:Nope.png|thumb|missing]] [[Media:Tide.svg]] [[File:Tide.svg|baseline]] [[File:Tide.svg|middle]]
== Part ==
<gallery caption="Many" mode="packed">
Tide.svg|one
Nope.png|two
</gallery>
<gallery mode="traditional" showfilename>
Tide.svg
</gallery>
<gallery mode="nolines">
Tide.svg|x
</gallery>
<gallery mode="slideshow">
Tide.svg|x
</gallery>
== Code ==
<syntaxhighlight lang="javascript" line highlight="2" start="3">
const a = /x/.test('y') // why
class B extends C {}
</syntaxhighlight>
<syntaxhighlight lang="python" inline>def f(x): return 1</syntaxhighlight> <syntaxhighlight lang="nothing">x</syntaxhighlight>
<syntaxhighlight>plain</syntaxhighlight>
== More ==
<poem>
a
 :b
</poem>
<math>x^2</math> <chem>H2O</chem>
{| class="wikitable sortable mw-collapsible"
|+ Caption
! a !! b
|-
| 1 || 2
|}
{{#expr: 1 / 0}} {{#time: Y | nonsense}} {{#tag:nothing}} {{#dateformat:2001-01-01|dmy}} {{#ifexpr: x}} {{#invoke:x}}
<indicator name="x">!</indicator><templatedata>{"params": {"a": {"description": "x", "required": true, "type": "string"}, "b": {}}, "description": "d"}</templatedata><templatedata>{</templatedata>
; term : definition
* list
# list
----
<blockquote>quote</blockquote> <br> <code>x</code> <s>x</s> <p></p>
__TOC__
== Notes ==
<references group="n" /><references responsive />
[[Category:Sea]]`,
  'Markdown.md': `---
title: x
---
# Head

Text[^1] with [[Fog]], [[Nowhere]], [out](https://example.org), <https://example.org> and ~~gone~~ \`code\`. ![[Fog]] ![[Nope]] ![Tide](Tide.svg)

> [!NOTE]
> note

> [!TIP] Own title
> tip

> [!IMPORTANT]
> important

> [!WARNING]
> warning

> [!CAUTION]
> caution

> [!question]
> other

> quote

- [ ] open
- [x] done

| a | b |
|---|--:|
| 1 | 2 |

\`\`\`python
def f(x):
    return "s" + 1  # c
\`\`\`

\`\`\`
plain
\`\`\`

[^1]: A note.
`,
  'Data.json': '{"a": [1, "x", null, true, {}], "b": {}, "c": []}',
  'MediaWiki/Common.css': 'a { color: red } /* x */',
  'MediaWiki/Common.js': 'const a = 1',
}

/** A language and a text for each kind of token that code has. */
export const codeSamples: readonly (readonly [language: string, code: string])[] = [
  ['diff', '@@ -1 +1 @@\n-old\n+new\n context'],
  ['css', '@media x { a#b.c[d]:hover { color: #fff; --v: url(x) } }'],
  ['bash', '$ echo "$HOME" # c\nif true; then x; fi'],
  ['shell', '$ ls'],
  ['markdown', '# H\n*e* **s** `c` [l](u)\n> q\n- b'],
  ['php', '<?php /** @param x */ class A extends B { const C = "x$y"; function f() { return self::C; } }'],
  ['latex', '\\section{x} $a$ % c'],
  ['handlebars', '{{#if x}}<a b="c">{{y}}</a>{{/if}}'],
  ['ruby', ':sym; "a#{b}\\n"; @v; CONST; def f; self; end'],
  ['c', '#include <x.h>\n#define A 1\nint main(void) { char *s = "a\\n"; return 0; }'],
  ['typescript', 'class A extends B { static x: number = 1; f(): void { super.f() } }'],
  ['java', '@Override public final class A<T> { int x = 0b1; }'],
  ['xml', '<?xml version="1.0"?><a b="c">&amp;<!-- x --></a>'],
]
