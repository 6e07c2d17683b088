/**
 * Kinds of problems other than wikitext lint: the meaning of each, and its severity unless `checks` in wiki.json sets
 * another.
 */

import type { Severity } from './problem.ts'

/** Contents of files, by path. */
export type ExampleFiles = Readonly<Record<string, string>>

export interface KindRow {
  readonly severity: Severity
  readonly says: string
  /** Harm to readers or to the next editor. */
  readonly why: string
  readonly hint: string
  /** Files with the problem; null if the example needs more than files. */
  readonly bad: ExampleFiles | null
  /** The same files without it. */
  readonly good: ExampleFiles | null
}

const tides = (text: string): ExampleFiles => ({ 'Tides.wiki': text })
const conflict = '<<<<<<< HEAD\nhigh tide\n=======\nlow tide\n>>>>>>> draft\n'

export const kinds = {
  'conflict-marker': {
    severity: 'error',
    says: 'Lines of a merge that was not settled stand in the text.',
    why: 'Readers see both versions and the marker lines, and the next edit may keep the wrong one.',
    hint: 'Settle the conflict: keep what is right of both sides, and remove the marker lines.',
    bad: tides(conflict),
    good: tides('high tide, then low tide\n'),
  },
  'conflict-in-code': {
    severity: 'note',
    says: 'A block of code has lines like those of a merge that was not settled.',
    why: 'A page on git shows such lines on purpose, but a merge can leave them in code as well.',
    hint: 'Settle the conflict, or say that the lines are meant: <!-- wiki-check-ignore conflict-in-code: an example -->',
    bad: { 'Tides.md': `\`\`\`\n${conflict}\`\`\`\n` },
    good: { 'Tides.md': `<!-- wiki-check-ignore conflict-in-code: an example -->\n\n\`\`\`\n${conflict}\`\`\`\n` },
  },
  'unclosed-link': {
    severity: 'warning',
    says: '[[ begins a link that does not end in its paragraph, so it is shown as it is written.',
    why: 'Readers see brackets in place of a link, and the page that it meant does not count as linked.',
    hint: 'Add ]], or write <nowiki>[[</nowiki> where brackets are meant.',
    bad: tides('See [[Ebb and flow.\n'),
    good: tides('See [[Ebb]] and flow.\n'),
  },
  'unclosed-template': {
    severity: 'warning',
    says: '{{ begins a template that does not end, so it is shown as it is written.',
    why: 'Readers see braces and parameters in place of what the template shows.',
    hint: 'Add }}, or write <nowiki>{{</nowiki> where braces are meant.',
    bad: tides('{{:Ebb|high=12:00\n'),
    good: tides('{{:Ebb|high=12:00}}\n'),
  },
  'bad-front-matter': {
    severity: 'warning',
    says: 'The front matter cannot be read, so its title, aliases and tags are not known.',
    why: 'The page leaves the categories that its tags name, and programs that read the front matter fail.',
    hint: 'Mend its YAML: quote values that hold ": ", and indent lists evenly.',
    bad: { 'Tides.md': '---\ntitle: "Tides\n---\ntext\n' },
    good: { 'Tides.md': '---\ntitle: "Tides"\n---\ntext\n' },
  },
  'reasonless-ignore': {
    severity: 'note',
    says: 'A comment silences a check without a reason, and has no effect.',
    why: 'Nobody can tell later whether the fault is still meant to be there.',
    hint: 'Give the reason: <!-- wiki-check-ignore obsolete-tag: an old letter, quoted as it was -->',
    bad: tides('<!-- wiki-check-ignore obsolete-tag -->\n'),
    good: tides('<!-- wiki-check-ignore obsolete-tag: an old letter, quoted as it was -->\n'),
  },
  'title-collision': {
    severity: 'error',
    says: 'Two files have the same title, and only one is shown.',
    why: 'The text of the other file is nowhere to be seen, and edits of it change nothing that readers see.',
    hint: 'Rename or delete one of them.',
    bad: { 'Tides.wiki': 'High.\n', 'Tides.md': 'Low.\n' },
    good: { 'Tides.wiki': 'High.\n', 'Low_tide.md': 'Low.\n' },
  },
  'illegal-title': {
    severity: 'error',
    says: 'The name of the file makes no legal title, so it is no page.',
    why: 'The file is not shown, not found by search, and no link can lead to it.',
    hint: 'Rename the file.',
    bad: { 'A[b.wiki': 'text\n' },
    good: { 'A (b).wiki': 'text\n' },
  },
  'case-collision': {
    severity: 'error',
    says: 'The paths of two files differ only in case or in the form of their accents; Windows and macOS can hold only one of them.',
    why: 'On such a system a clone has one of the two, and a commit there deletes or overwrites the other.',
    hint: 'Rename one of them.',
    bad: { 'Low tide.wiki': 'a\n', 'Low Tide.wiki': 'b\n' },
    good: { 'Low tide.wiki': 'a\n', 'Lower tide.wiki': 'b\n' },
  },
  'unportable-name': {
    severity: 'warning',
    says: 'Windows cannot hold a file of this name, so the repository cannot be checked out there.',
    why: 'One such file makes git stop a checkout of the whole repository.',
    hint: 'Rename the page: without < > : " | ? * \\, without a dot or space at its end, and not as a device such as CON or NUL.',
    bad: { 'Aux.wiki': 'text\n' },
    good: { 'Auxiliary.wiki': 'text\n' },
  },
  'unrendered-page': {
    severity: 'note',
    says: 'The page is in a format that is shown as its source.',
    why: 'Readers see markup, and links and headings of the page count for nothing.',
    hint: 'Convert it to Markdown or wikitext, or leave its kind out: "levels": { "unrendered-page": "off" }.',
    bad: { 'Tides.rst': 'High water is at `noon`.\n' },
    good: { 'Tides.md': 'High water is at `noon`.\n' },
  },
  'broken-redirect': {
    severity: 'error',
    says: 'A redirect leads to a page that does not exist.',
    why: 'Whoever follows a link to the redirect ends at a page that has no text.',
    hint: 'Create the page, or lead the redirect elsewhere.',
    bad: tides('#REDIRECT [[No such page]]\n'),
    good: tides('#REDIRECT [[Ebb]]\n'),
  },
  'double-redirect': {
    severity: 'warning',
    says: 'A redirect leads to another redirect; MediaWiki follows only one.',
    why: 'Readers end at a page that says only that it has moved.',
    hint: 'Lead it to the page that the other one leads to.',
    bad: { 'Tides.wiki': '#REDIRECT [[Low water]]\n', 'Low_water.wiki': '#REDIRECT [[Ebb]]\n' },
    good: { 'Tides.wiki': '#REDIRECT [[Ebb]]\n', 'Low_water.wiki': '#REDIRECT [[Ebb]]\n' },
  },
  'broken-link': {
    severity: 'warning',
    says: 'A link leads to no page and no file.',
    why: 'Readers who follow it find nothing.',
    hint: 'Mend its path or name, create the page, or remove the link.',
    bad: { 'Tides.md': 'See [the table](tables/none.md).\n' },
    good: { 'Tides.md': 'See [low tide](Ebb.wiki).\n' },
  },
  'broken-anchor': {
    severity: 'warning',
    says: 'A link names a section that its page does not have.',
    why: 'Readers land at the top of the page and have to look for what was meant.',
    hint: 'Name a heading or an id that the page has.',
    bad: tides('See [[Ebb#Neap]].\n'),
    good: tides('See [[Ebb#Spring]].\n'),
  },
  'ambiguous-link': {
    severity: 'note',
    says: 'A link names several pages that fit equally well; it leads to the first.',
    why: 'A page that is added or moved elsewhere can silently become what the link leads to.',
    hint: 'Write enough of the path: [[north/Harbour]].',
    bad: { 'Tides.md': '[[Harbour]]\n', 'north/Harbour.md': 'N\n', 'south/Harbour.md': '[[north/Harbour]]\n' },
    good: { 'Tides.md': '[[south/Harbour]]\n', 'north/Harbour.md': 'N\n', 'south/Harbour.md': '[[north/Harbour]]\n' },
  },
  'red-link': {
    severity: 'note',
    says: 'A link of wikitext leads to a title without a page.',
    why: 'Wikis invite to write a page in this way, but the title may also be misspelt.',
    hint: 'Create the page, lead the link elsewhere, or leave it as an invitation.',
    bad: tides('See [[Neap tide]].\n'),
    good: tides('See [[Ebb]].\n'),
  },
  'orphaned-page': {
    severity: 'note',
    says: 'The change has taken away the last link that led to this page.',
    why: 'Readers find the page only by search; whoever removed the link may have meant to delete the page, too.',
    hint: 'Link to it from a page on the same subject, or delete it. wiki list orphans lists all such pages.',
    bad: null,
    good: null,
  },
  'missing-file': {
    severity: 'warning',
    says: 'A picture or file that the page shows is not there.',
    why: 'Readers see a broken picture or a name in its place.',
    hint: 'Add the file, mend its name, or remove the link.',
    bad: tides('[[File:Map of the coast.png|thumb]]\n'),
    good: tides(
      '[[:File:Map of the coast.png]] was lost. <!-- wiki-check-ignore red-link: the file is gone for good -->\n',
    ),
  },
  'missing-template': {
    severity: 'warning',
    says: 'The page uses a template that is not there.',
    why: 'Readers see the name of the template in place of what it shows.',
    hint: 'Create the template, or mend its name.',
    bad: tides('{{No such box}}\n'),
    good: tides('{{:Ebb}}\n'),
  },
  'missing-content': {
    severity: 'error',
    says: 'The content of a file is kept by Git LFS and is not in this clone.',
    why: 'The file cannot be shown; if nobody pushed its content, it is lost.',
    hint: 'Fetch it: git lfs pull',
    bad: {
      'Map.png': `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d7a2146'.repeat(8)}\nsize 12345\n`,
    },
    good: { 'Map.png': 'the bytes of a picture\n' },
  },
  'unread-links': {
    severity: 'note',
    says: 'The page takes too long to read, so its links are not checked.',
    why: 'Links of it that lead nowhere are not reported, and lists of links leave the page out.',
    hint: 'Divide it into several pages, or its paragraphs into shorter ones.',
    bad: null,
    good: null,
  },
  'unread-page': {
    severity: 'warning',
    says: 'The text is longer than 4 MiB, so it is not checked.',
    why: 'No fault in it is reported, and readers wait long for the page or do not get it.',
    hint: 'Divide it into several pages, or keep data in a file that is no page.',
    bad: null,
    good: null,
  },
  'large-folder': {
    severity: 'note',
    says: 'A folder holds thousands of files, which makes every edit of one slow.',
    why: 'Git writes a folder anew for every change of a file in it: time and space grow with its size.',
    hint: 'Spread them: wiki migrate-layout sharded',
    bad: null,
    good: null,
  },
  'lost-edit': {
    severity: 'error',
    says: 'An acknowledged edit is not on the branch any more, or was undone by a commit that had not seen it.',
    why: 'Somebody was told that the edit is saved, and its text is not on the branch.',
    hint: 'wiki verify lists such edits, and wiki restore brings each back.',
    bad: null,
    good: null,
  },
} satisfies Record<string, KindRow>

/** Pointers are not resolved, so the size, words and edits of the page are those of the pointer. */
export const pointerPage =
  'Its text is kept by Git LFS, so readers see the pointer; keep texts out of its patterns in .gitattributes'
