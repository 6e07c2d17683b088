/**
 * Regular expressions that the checker does not find linear, and why they may stay. A pattern is named by its file and the
 * beginning of its source. The code that uses the pattern must enforce the text length that an exception states.
 */

const own = 'it reads what this machine’s user or this program has written, never what comes over the network'
const shortLine = 'its text is a line of at most 100 characters'
const shortName = 'its text is a title or a link’s target: at most 300 characters'
const guarded = 'its text ends with the last end that there is: each search for an end finds one, and goes on behind it'

export const exceptions = [
  ['cli/context.ts', '\\/+$', own],
  ['cli/draft.ts', ", \\w+ '", own],
  ['html2wt/writer.ts', '<!--[\\s\\S]*?-->|\\n', guarded],
  [
    'operations/editing/edit-summary.ts',
    '\\[\\[[^\\]]*$',
    'its text is the beginning of an edit summary: at most 1,000 characters',
  ],
  ['operations/importing/import-settings.ts', '\\/wiki\\/', 'its text has at most 2,000 characters (`longestAddress`)'],
  ['put together', '[\\p{sc=Han}', 'it is a class of characters; the checker does not know ExtPict'],
  [
    'put together',
    '([\\u1100-\\u115F]',
    'it is two classes and a repetition of one; the checker does not know ExtPict',
  ],
  ['http/form.ts', '(?:\\[[^[\\]]*\\])+$', 'its text has at most 200 characters'],
  ['search/words/tokens.ts', '[\\p{L}\\p{M}\\p{N}', 'it is one class, repeated; the checker does not know ExtPict'],
  ['store/repository/repository.ts', '', own],
  ['wikitext/expand/pipe-trick.ts', '', shortName],
  ['wikitext/extensions/extension.ts', '<nowiki>', guarded],
  ['wikitext/functions/date-preference.ts', '', shortLine],
  ['wikitext/functions/php-number.ts', '\\.?0+$', 'its text is a number that this program wrote: at most 130 digits'],
  ['wikitext/tokenize/attributes.ts', '<nowiki\\b', guarded],
  ['wikitext/tokenize/lines.ts', '<!--', 'its text stands behind a heading: blanks and whole comments'],
  ['wikitext/tokenize/links.ts', '^<[a-z]+', 'its text has no other `<`: it begins at the last one'],
].map(([file, start, reason]) => ({ file, start, reason }))

/** Returns why a pattern that is not linear may stay; undefined if there is no reason. */
export function exceptionFor({ file, source }) {
  return exceptions.find(exception => exception.file === file && source.startsWith(exception.start))
}
