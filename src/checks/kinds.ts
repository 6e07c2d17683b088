/**
 * Kinds of problems other than wikitext lint: the meaning of each, and its severity unless `checks` in wiki.json sets
 * another.
 */

import type { Severity } from './problem.ts'

/** Contents of files, by path; bytes if they are not text. */
export type ExampleFiles = Readonly<Record<string, string | Buffer>>

export interface KindRow {
  readonly severity: Severity
  readonly says: string
  /** Harm to readers or to the next editor. */
  readonly why: string
  readonly hint: string
  /** Files with the problem, or commands of a shell that make it in a new wiki and show it. */
  readonly bad: ExampleFiles | string
  /** The same files without it, or commands that fix it. */
  readonly good: ExampleFiles | string
}

const tides = (text: string): ExampleFiles => ({ 'Tides.wiki': text })
const conflict = '<<<<<<< HEAD\nhigh tide\n=======\nlow tide\n>>>>>>> draft\n'

/** Shortens the page of an example. */
const shortened = `head -n 300 Tides.md > Part.txt
mv Part.txt Tides.md
wiki check --work
`

export const kinds = {
  'conflict-marker': {
    severity: 'error',
    says: 'The text contains the markers of an unresolved merge conflict.',
    why: 'Readers see both versions and the marker lines, and the next edit may keep the wrong one.',
    hint: 'Resolve the conflict: keep the right text of both sides, and remove the marker lines.',
    bad: tides(conflict),
    good: tides('high tide, then low tide\n'),
  },
  'conflict-in-code': {
    severity: 'note',
    says: 'A code block contains lines like the markers of an unresolved merge conflict.',
    why: 'A page about git shows such lines intentionally, but a merge can leave them in code as well.',
    hint: 'Resolve the conflict, or mark the lines as intended: <!-- wiki-check-ignore conflict-in-code: an example -->',
    bad: { 'Tides.md': `\`\`\`\n${conflict}\`\`\`\n` },
    good: { 'Tides.md': `<!-- wiki-check-ignore conflict-in-code: an example -->\n\n\`\`\`\n${conflict}\`\`\`\n` },
  },
  'not-utf8': {
    severity: 'error',
    says: 'The text contains bytes that are not UTF-8.',
    why: 'Readers see \ufffd in place of characters, and an edit that would destroy the bytes is refused.',
    hint: 'Convert the file to UTF-8, for example from Latin-1: iconv -f latin1 -t utf-8 old > new',
    bad: { 'Tides.wiki': Buffer.from('At the caf\xe9.\n', 'latin1') },
    good: tides('At the caf\xe9.\n'),
  },
  'unclosed-link': {
    severity: 'warning',
    says: '[[ starts a link that does not end in its paragraph, so it is shown as text.',
    why: 'Readers see brackets instead of a link, and the page that it names does not count as linked.',
    hint: 'Add ]], or write <nowiki>[[</nowiki> if brackets are intended.',
    bad: tides('See [[Ebb and flow.\n'),
    good: tides('See [[Ebb]] and flow.\n'),
  },
  'unclosed-template': {
    severity: 'warning',
    says: '{{ starts a template that does not end, so it is shown as text.',
    why: 'Readers see braces and parameters instead of the output of the template.',
    hint: 'Add }}, or write <nowiki>{{</nowiki> if braces are intended.',
    bad: tides('{{:Ebb|high=12:00\n'),
    good: tides('{{:Ebb|high=12:00}}\n'),
  },
  'bad-front-matter': {
    severity: 'warning',
    says: 'The front matter cannot be parsed, so its title, aliases and tags are unknown.',
    why: 'The page is missing from the categories of its tags, and programs that read the front matter fail.',
    hint: 'Fix its YAML: quote values that contain ": ", and indent lists evenly.',
    bad: { 'Tides.md': '---\ntitle: "Tides\n---\ntext\n' },
    good: { 'Tides.md': '---\ntitle: "Tides"\n---\ntext\n' },
  },
  'reasonless-ignore': {
    severity: 'note',
    says: 'A comment silences a check without a reason, and has no effect.',
    why: 'Later it is unclear whether the problem is still intended.',
    hint: 'Give the reason: <!-- wiki-check-ignore obsolete-tag: an old letter, quoted as it was -->',
    bad: tides('<!-- wiki-check-ignore obsolete-tag -->\n'),
    good: tides('<!-- wiki-check-ignore obsolete-tag: an old letter, quoted as it was -->\n'),
  },
  'title-collision': {
    severity: 'error',
    says: 'Two files have the same title, and only one is shown.',
    why: 'The text of the other file is not shown anywhere, and readers never see edits of it.',
    hint: 'Rename or delete one of them.',
    bad: { 'Tides.wiki': 'High.\n', 'Tides.md': 'Low.\n' },
    good: { 'Tides.wiki': 'High.\n', 'Low_tide.md': 'Low.\n' },
  },
  'illegal-title': {
    severity: 'error',
    says: 'The name of the file is not a valid title, so it is not a page.',
    why: 'The file is not shown, not found by search, and no link can lead to it.',
    hint: 'Rename the file.',
    bad: { 'A[b.wiki': 'text\n' },
    good: { 'A (b).wiki': 'text\n' },
  },
  'case-collision': {
    severity: 'error',
    says: 'The paths of two files differ only in case or in the form of their accents; Windows and macOS can store only one of them.',
    why: 'On such a system a clone has one of the two, and a commit there deletes or overwrites the other.',
    hint: 'Rename one of them.',
    bad: { 'Low tide.wiki': 'a\n', 'Low Tide.wiki': 'b\n' },
    good: { 'Low tide.wiki': 'a\n', 'Lower tide.wiki': 'b\n' },
  },
  'conflict-copy': {
    severity: 'warning',
    says: 'The file is a copy that a program for synchronising made where two computers had edited a page.',
    why: 'It is shown and found as a page of its own, and the edits in it are missing from the page that it is a copy of.',
    hint: 'Take what the page lacks from the copy, then remove the copy: git rm. Rename it if it is meant to be a page.',
    bad: { 'Tides.md': 'high\n', 'Tides.sync-conflict-20260101-120000-ABCDEFG.md': 'low\n' },
    good: { 'Tides.md': 'high, then low\n' },
  },
  'unportable-name': {
    severity: 'warning',
    says: 'Windows does not allow a file of this name, so the repository cannot be checked out there.',
    why: 'A single such file makes git stop a checkout of the whole repository.',
    hint: 'Rename the page: without < > : " | ? * \\, without a dot or space at its end, and not with the name of a device such as CON or NUL.',
    bad: { 'Aux.wiki': 'text\n' },
    good: { 'Auxiliary.wiki': 'text\n' },
  },
  'unrendered-page': {
    severity: 'note',
    says: 'The page is in a format that is only shown as source.',
    why: 'Readers see markup, and links and headings of the page have no effect.',
    hint: 'Convert it to Markdown or wikitext, or switch this check off: "levels": { "unrendered-page": "off" }.',
    bad: { 'Tides.rst': 'High water is at `noon`.\n' },
    good: { 'Tides.md': 'High water is at `noon`.\n' },
  },
  'broken-redirect': {
    severity: 'error',
    says: 'A redirect leads to a page that does not exist.',
    why: 'Readers who follow a link to the redirect reach a page without text.',
    hint: 'Create the page, or change the target of the redirect.',
    bad: tides('#REDIRECT [[No such page]]\n'),
    good: tides('#REDIRECT [[Ebb]]\n'),
  },
  'double-redirect': {
    severity: 'warning',
    says: 'A redirect leads to another redirect; MediaWiki follows only one.',
    why: 'Readers reach a page that only says that it has moved.',
    hint: 'Redirect it to the target of the other one.',
    bad: { 'Tides.wiki': '#REDIRECT [[Low water]]\n', 'Low_water.wiki': '#REDIRECT [[Ebb]]\n' },
    good: { 'Tides.wiki': '#REDIRECT [[Ebb]]\n', 'Low_water.wiki': '#REDIRECT [[Ebb]]\n' },
  },
  'broken-link': {
    severity: 'warning',
    says: 'A link leads to no page and no file.',
    why: 'Readers who follow it find nothing.',
    hint: 'Correct its path or name, create the page, or remove the link.',
    bad: { 'Tides.md': 'See [the table](tables/none.md).\n' },
    good: { 'Tides.md': 'See [low tide](Ebb.wiki).\n' },
  },
  'wrong-case': {
    severity: 'warning',
    says: 'A link writes the path of its file with letters of another case.',
    why: 'It works here, but readers on GitHub, and on any other site with case-sensitive addresses, find nothing.',
    hint: 'Write the path as the file has it.',
    bad: { 'Tides.md': 'See [low tide](ebb.wiki).\n' },
    good: { 'Tides.md': 'See [low tide](Ebb.wiki).\n' },
  },
  'broken-anchor': {
    severity: 'warning',
    says: 'A link names a section that its page does not have.',
    why: 'Readers reach the top of the page and have to search for the section.',
    hint: 'Name a heading or an id that the page has.',
    bad: tides('See [[Ebb#Neap]].\n'),
    good: tides('See [[Ebb#Spring]].\n'),
  },
  'ambiguous-link': {
    severity: 'note',
    says: 'A link matches several pages equally well; it leads to the first.',
    why: 'A page that is added or moved elsewhere can silently become the target of the link.',
    hint: 'Add as much of the path as needed: [[north/Harbour]].',
    bad: { 'Tides.md': '[[Harbour]]\n', 'north/Harbour.md': 'N\n', 'south/Harbour.md': '[[north/Harbour]]\n' },
    good: { 'Tides.md': '[[south/Harbour]]\n', 'north/Harbour.md': 'N\n', 'south/Harbour.md': '[[north/Harbour]]\n' },
  },
  'red-link': {
    severity: 'note',
    says: 'A wikitext link leads to a title without a page.',
    why: 'Such a link invites readers to write the page, but the title may also be misspelled.',
    hint: 'Create the page, change the link, or leave it as an invitation.',
    bad: tides('See [[Neap tide]].\n'),
    good: tides('See [[Ebb]].\n'),
  },
  'orphaned-page': {
    severity: 'note',
    says: 'The change removes the last link to this page.',
    why: 'Readers find the page only by search; the author may have intended to delete the page, too.',
    hint: 'Link to it from a page on the same subject, or delete it. wiki list orphans lists all such pages.',
    bad: `echo 'See [[Ebb]].' | wiki page create Tides -f -
echo 'Low water.' | wiki page create Ebb -f -
echo 'High water.' | wiki page edit Tides -f -
wiki check --range HEAD~1..HEAD
`,
    good: `echo 'High water; see [[Ebb]].' | wiki page edit Tides -f -
wiki check --range HEAD~2..HEAD
`,
  },
  'missing-file': {
    severity: 'warning',
    says: 'A picture or file in the page does not exist.',
    why: 'Readers see a broken picture, or a name instead.',
    hint: 'Add the file, correct its name, or remove the link.',
    bad: tides('[[File:Map of the coast.png|thumb]]\n'),
    good: tides(
      '[[:File:Map of the coast.png]] was lost. <!-- wiki-check-ignore red-link: the file is gone for good -->\n',
    ),
  },
  'missing-template': {
    severity: 'warning',
    says: 'The page uses a template that does not exist.',
    why: 'Readers see the name of the template instead of its output.',
    hint: 'Create the template, or correct its name.',
    bad: tides('{{No such box}}\n'),
    good: tides('{{:Ebb}}\n'),
  },
  'missing-content': {
    severity: 'error',
    says: 'The content of a file is missing in this clone: it is in Git LFS, or git cannot read its object.',
    why: 'The file cannot be shown; if its content was never pushed, it is lost.',
    hint: 'git lfs pull fetches content of Git LFS; git fsck lists damaged objects.',
    bad: {
      'Map.png': `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d7a2146'.repeat(8)}\nsize 12345\n`,
    },
    good: { 'Map.png': 'the bytes of a picture\n' },
  },
  'unread-links': {
    severity: 'note',
    says: 'The page takes too long to read, so its links are not checked.',
    why: 'Its broken links are not reported, and lists of links omit the page.',
    hint: 'Divide it into several pages, or its paragraphs into shorter ones.',
    bad: `echo 'Low water.' > Ebb.md
yes '[low water](Ebb.md)' | head -n 30000 > Tides.md
wiki check --work
`,
    good: shortened,
  },
  'unread-page': {
    severity: 'warning',
    says: 'The text is longer than 4 MiB or too complex to render, so it is not checked.',
    why: 'Most problems in it are not reported, and readers wait long for the page or do not get it.',
    hint: 'Divide it into several pages, or keep data in a file that is not a page.',
    bad: `yes 'High water at noon.' | head -n 220000 > Tides.md
wiki check --work
`,
    good: shortened,
  },
  'large-folder': {
    severity: 'note',
    says: 'A folder contains thousands of files, which makes every edit in it slow.',
    why: 'Git rewrites a folder whenever a file in it changes, so time and space grow with its size.',
    hint: 'Spread them: wiki migrate-layout sharded',
    bad: `for number in $(seq 5000); do echo 'High water.' > "Day_$number.md"; done
git add .
git commit -qm 'A page for each day'
wiki check
`,
    good: `wiki migrate-layout sharded
wiki check
`,
  },
  'lost-edit': {
    severity: 'error',
    says: 'An acknowledged edit is not on the branch any more, or was undone by a commit that had not seen it.',
    why: 'The edit was reported as saved, but its text is not on the branch.',
    hint: 'wiki verify lists such edits, and wiki restore restores them.',
    bad: `echo 'High water.' | wiki page create Tides -f -
git reset -q --hard HEAD~1
wiki check
`,
    good: `wiki restore --yes
wiki check
`,
  },
} satisfies Record<string, KindRow>
