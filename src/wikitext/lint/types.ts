/** The kinds of problems: the meaning of each, its fix, and an example. */

/** Start, end, width of the opening and of the closing markup; UTF-16 units of the page's text. */
export type LintRange = readonly [start: number, end: number, openWidth: number | null, closeWidth: number | null]

/** Template that a problem comes from. */
export type LintTemplate = { readonly name: string } | { readonly multiPartTemplateBlock: true }

interface LintTypeRow {
  readonly priority: 'high' | 'medium' | 'low' | 'none'
  readonly says: string
  readonly hint: string
  /** Wikitext with the problem. */
  readonly bad: string
  /** The same without it. */
  readonly good: string
}

const rows = {
  'bogus-image-options': {
    priority: 'medium',
    says: 'A file has options that are unknown, repeated, or overridden by later ones.',
    hint: 'Remove the listed options; the last part that is not an option is the caption.',
    bad: '[[File:Harbour.png|thumb|thubm|Low tide]]',
    good: '[[File:Harbour.png|thumb|alt=Boats on mud|Low tide]]',
  },
  'deletable-table-tag': {
    priority: 'high',
    says: 'A table starts, and another one starts immediately in its place.',
    hint: 'Remove the first {|.',
    bad: '{|\n{| class="wikitable"\n| a\n|}',
    good: '{| class="wikitable"\n| a\n|}',
  },
  'duplicate-ids': {
    priority: 'high',
    says: 'Two elements have the same id; links lead only to the first.',
    hint: 'Give the second one another id.',
    bad: '<div id="ebb">a</div><div id="ebb">b</div>',
    good: '<div id="ebb">a</div><div id="flood">b</div>',
  },
  fostered: {
    priority: 'medium',
    says: 'Text is in a table but not in a cell; browsers show it before the table.',
    hint: 'Start a cell with | before it, or move it out of the table.',
    bad: '{|\nloose words\n|-\n| a\n|}',
    good: '{|\n| loose words\n|-\n| a\n|}',
  },
  'fostered-transparent': {
    priority: 'none',
    says: 'Something invisible, such as a category, is in a table but not in a cell.',
    hint: 'Move it out of the table.',
    bad: '{|\n[[Category:Tides]]\n| a\n|}',
    good: '{|\n| a\n|}\n[[Category:Tides]]',
  },
  'html5-misnesting': {
    priority: 'high',
    says: 'A tag ends in another paragraph or block than the one in which it starts; browsers end it at the end of that block.',
    hint: 'End the tag in the block in which it starts.',
    bad: '<span>a\n\nb</span>',
    good: '<span>a</span>\n\n<span>b</span>',
  },
  'large-tables': {
    priority: 'none',
    says: 'A table has more than five columns, too many for small screens.',
    hint: 'Split the table, or transpose rows and columns.',
    bad: '{|\n|a||b||c||d||e||f\n|}',
    good: '{|\n|a||b||c||d||e\n|}',
  },
  'misc-tidy-replacement-issues': {
    priority: 'high',
    says: 'A <span> contains only a <div>, which older software turned inside out.',
    hint: 'Use <div> for both, or put the attributes on one of them.',
    bad: '<span class="x"><div>a</div></span>',
    good: '<div class="x">a</div>',
  },
  'misnested-tag': {
    priority: 'medium',
    says: 'Tags overlap: the one that starts first ends first.',
    hint: 'End tags in the reverse order of their starts.',
    bad: '<b><i>a</b></i>',
    good: '<b><i>a</i></b>',
  },
  'missing-end-tag': {
    priority: 'low',
    says: 'A tag, bold or italic apostrophes, or a table has no end.',
    hint: 'Add the end where it belongs.',
    bad: '<b>a',
    good: '<b>a</b>',
  },
  'missing-end-tag-in-heading': {
    priority: 'low',
    says: 'A tag in a heading has no end.',
    hint: 'Add the end before the equals signs.',
    bad: '== <small>a ==\n',
    good: '== <small>a</small> ==\n',
  },
  'missing-image-alt-text': {
    priority: 'none',
    says: 'A picture has no alternative text for readers who cannot see it.',
    hint: 'Add alt=, empty for a decorative picture.',
    bad: '[[File:Harbour.png|thumb|Low tide]]',
    good: '[[File:Harbour.png|thumb|alt=Boats on mud|Low tide]]',
  },
  'multi-colon-escape': {
    priority: 'medium',
    says: 'A link starts with more than one colon, so it is not a link.',
    hint: 'Leave one colon.',
    bad: '[[::Category:Tides]]',
    good: '[[:Category:Tides]]',
  },
  'multiline-html-table-in-list': {
    priority: 'high',
    says: 'A <table> of several lines is in a list item.',
    hint: 'Use a {| table after the list, or write the table in one line.',
    bad: ':<table>\n<tr><td>a</td></tr>\n</table>',
    good: ':<table><tr><td>a</td></tr></table>',
  },
  'multiple-unclosed-formatting-tags': {
    priority: 'high',
    says: 'Several <small> or <big> tags have no end: the text grows or shrinks with each.',
    hint: 'End each of them.',
    bad: '<big>a\n<big>b',
    good: '<big>a</big>\n<big>b</big>',
  },
  'night-mode-unaware-background-color': {
    priority: 'low',
    says: 'A background is set without a colour for the text on it, which may be light in dark themes.',
    hint: 'Set color along with the background.',
    bad: '<div style="background: #fff">a</div>',
    good: '<div style="background: #fff; color: #000">a</div>',
  },
  'obsolete-tag': {
    priority: 'low',
    says: 'A tag that is obsolete in HTML.',
    hint: 'Use <code>, <s>, or a style instead of <tt>, <strike>, <center> and <font>.',
    bad: '<center>a</center>',
    good: '<div style="text-align: center">a</div>',
  },
  'pwrap-bug-workaround': {
    priority: 'high',
    says: 'Paragraphs in a cell are inside an element whose text must not break.',
    hint: 'Use <div> instead of <span>.',
    bad: '<table><tr><td><span style="white-space: nowrap"><p>a</p></span></td></tr></table>',
    good: '<table><tr><td><div style="white-space: nowrap"><p>a</p></div></td></tr></table>',
  },
  'self-closed-tag': {
    priority: 'high',
    says: 'A tag is self-closed; browsers treat it as a start tag without an end.',
    hint: 'Write the end tag.',
    bad: '<div/>a',
    good: '<div></div>a',
  },
  'stripped-tag': {
    priority: 'low',
    says: 'A tag was ignored: an end without a start, or a cell without a table.',
    hint: 'Remove it, or add its counterpart.',
    bad: 'a</div>',
    good: '<div>a</div>',
  },
  'tidy-font-bug': {
    priority: 'high',
    says: 'A <font> surrounds only a link: the link keeps its own colour.',
    hint: 'Put the colour inside the link, as a style.',
    bad: '<font color="red">[[Ebb]]</font>',
    good: '[[Ebb|<span style="color: red">Ebb</span>]]',
  },
  'tidy-whitespace-bug': {
    priority: 'high',
    says: 'A space ends a text that must not break, within a long run of such text.',
    hint: 'Move the space after the element.',
    bad: `<span style="white-space: nowrap">${'x'.repeat(100)} </span>y`,
    good: `<span style="white-space: nowrap">${'x'.repeat(100)}</span> y`,
  },
  'unclosed-quotes-in-heading': {
    priority: 'high',
    says: 'Bold or italic apostrophes in a heading have no end.',
    hint: "Add '' or ''' before the equals signs.",
    bad: "== ''a ==\n",
    good: "== ''a'' ==\n",
  },
  'wikilink-in-extlink': {
    priority: 'medium',
    says: 'A link to a page or file is inside a link to another site, and ends it.',
    hint: 'Move one of the links out of the other.',
    bad: '[https://a.example tide [[Ebb]] table]',
    good: '[https://a.example tide] [[Ebb]] table',
  },
} satisfies Record<string, LintTypeRow>

/** The name of a kind of problem. Source: MediaWiki's lint categories; docs/lint.md. */
export type LintType = keyof typeof rows

/** All kinds. */
export const lintTypes: Readonly<Record<LintType, LintTypeRow>> = rows
