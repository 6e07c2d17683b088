/** Kinds of problems that are no lint of wikitext: what each means, and how bad it is unless `checks` of wiki.json says otherwise. */

import type { Severity } from './problem.ts'

export interface KindRow {
  readonly severity: Severity
  readonly says: string
  readonly hint: string
  /** Text that has the problem, with the path it lies at; null if it takes more than one file. */
  readonly bad: { readonly path: string; readonly text: string } | null
  /** The same without it. */
  readonly good: { readonly path: string; readonly text: string } | null
}

const wiki = (text: string): KindRow['bad'] => ({ path: 'Tides.wiki', text })

export const kinds = {
  'conflict-marker': {
    severity: 'error',
    says: 'Lines of a merge that was not settled stand in the text.',
    hint: 'Settle the conflict: keep what is right of both sides, and remove the marker lines.',
    bad: wiki('<<<<<<< HEAD\nhigh tide\n=======\nlow tide\n>>>>>>> draft\n'),
    good: wiki('high tide, then low tide\n'),
  },
  'unclosed-link': {
    severity: 'warning',
    says: '[[ begins a link that does not end in its paragraph, so it is shown as it is written.',
    hint: 'Add ]], or write <nowiki>[[</nowiki> where brackets are meant.',
    bad: wiki('See [[Ebb and flow.\n'),
    good: wiki('See [[Ebb]] and flow.\n'),
  },
  'unclosed-template': {
    severity: 'warning',
    says: '{{ begins a template that does not end, so it is shown as it is written.',
    hint: 'Add }}, or write <nowiki>{{</nowiki> where braces are meant.',
    bad: wiki('{{:Ebb|high=12:00\n'),
    good: wiki('{{:Ebb|high=12:00}}\n'),
  },
  'bad-front-matter': {
    severity: 'warning',
    says: 'The front matter cannot be read, so its title, aliases and tags are not known.',
    hint: 'Mend its YAML: quote values that hold ": ", and indent lists evenly.',
    bad: { path: 'Tides.md', text: '---\ntitle: "Tides\n---\ntext\n' },
    good: { path: 'Tides.md', text: '---\ntitle: "Tides"\n---\ntext\n' },
  },
  'reasonless-ignore': {
    severity: 'note',
    says: 'A comment silences a check without a reason, and has no effect.',
    hint: 'Give the reason: <!-- wiki-check-ignore obsolete-tag: an old letter, quoted as it was -->',
    bad: wiki('<!-- wiki-check-ignore obsolete-tag -->\n'),
    good: wiki('<!-- wiki-check-ignore obsolete-tag: an old letter, quoted as it was -->\n'),
  },
  'title-collision': {
    severity: 'error',
    says: 'Two files have the same title, and only one is shown.',
    hint: 'Rename or delete one of them.',
    bad: null,
    good: null,
  },
  'illegal-title': {
    severity: 'error',
    says: 'The name of the file makes no legal title, so it is no page.',
    hint: 'Rename the file.',
    bad: { path: 'A[b.wiki', text: 'text\n' },
    good: { path: 'A (b).wiki', text: 'text\n' },
  },
  'case-collision': {
    severity: 'error',
    says: 'The paths of two files differ only in case or in the form of their accents; Windows and macOS can hold only one of them.',
    hint: 'Rename one of them.',
    bad: null,
    good: null,
  },
  'unportable-name': {
    severity: 'warning',
    says: 'Windows cannot hold a file of this name, so the repository cannot be checked out there.',
    hint: 'Rename the page: without a dot or space at its end, and not as a device such as CON or NUL.',
    bad: { path: 'Aux.wiki', text: 'text\n' },
    good: { path: 'Auxiliary.wiki', text: 'text\n' },
  },
  'broken-redirect': {
    severity: 'error',
    says: 'A redirect leads to a page that does not exist.',
    hint: 'Create the page, or lead the redirect elsewhere.',
    bad: wiki('#REDIRECT [[No such page]]\n'),
    good: wiki('#REDIRECT [[Tides]]\n'),
  },
  'double-redirect': {
    severity: 'warning',
    says: 'A redirect leads to another redirect; MediaWiki follows only one.',
    hint: 'Lead it to the page that the other one leads to.',
    bad: null,
    good: null,
  },
  'broken-link': {
    severity: 'warning',
    says: 'A link leads to no page and no file.',
    hint: 'Mend its path or name, create the page, or remove the link.',
    bad: { path: 'Tides.md', text: 'See [the table](tables/none.md).\n' },
    good: { path: 'Tides.md', text: 'See [low tide](Ebb.wiki).\n' },
  },
  'red-link': {
    severity: 'note',
    says: 'A link of wikitext leads to a title without a page.',
    hint: 'Create the page, lead the link elsewhere, or leave it as an invitation.',
    bad: wiki('See [[Neap tide]].\n'),
    good: wiki('See [[Ebb]].\n'),
  },
  'missing-file': {
    severity: 'warning',
    says: 'A picture or file that the page shows is not there.',
    hint: 'Add the file, mend its name, or remove the link.',
    bad: wiki('[[File:Map of the coast.png|thumb]]\n'),
    good: wiki(
      '[[:File:Map of the coast.png]] was lost. <!-- wiki-check-ignore red-link: the file is gone for good -->\n',
    ),
  },
  'missing-template': {
    severity: 'warning',
    says: 'The page uses a template that is not there.',
    hint: 'Create the template, or mend its name.',
    bad: wiki('{{No such box}}\n'),
    good: wiki('{{:Ebb}}\n'),
  },
  'missing-content': {
    severity: 'error',
    says: 'The content of a file is kept by Git LFS and is not in this clone.',
    hint: 'Fetch it: git lfs pull',
    bad: null,
    good: null,
  },
  'large-folder': {
    severity: 'note',
    says: 'A folder holds thousands of files, which makes every edit of one slow.',
    hint: 'Spread them: wiki migrate-layout sharded',
    bad: null,
    good: null,
  },
  'lost-edit': {
    severity: 'error',
    says: 'An acknowledged edit is not on the branch any more, or was undone by a commit that had not seen it.',
    hint: 'wiki verify lists such edits, and wiki restore brings each back.',
    bad: null,
    good: null,
  },
} satisfies Record<string, KindRow>
