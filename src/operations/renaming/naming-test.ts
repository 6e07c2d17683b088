/** A fast test whether links may be concerned by a move: most records of a wiki need not be read for one. */

import { composed } from '../../core/composed-text.ts'
import { decodePath } from '../../links/names.ts'

/** A file before and after, from the root of the wiki. */
export interface MovedPath {
  readonly from: string
  readonly to: string
}

/** Letters in ASCII that are written in a code, as in `&#65;` and `%41`. */
const codedLetter = /&#|%(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/i
/** Targets without a name, such as `../` and `/`. */
const nameless = /"(?:\.\.?|\/)[./]*(?:["#?|])/
/** Pages that links to their folder lead to. */
const folderPage = /^_?(?:home|readme|index)$/

/**
 * Returns a test for records of links, as JSON. It is true for each with a link that the moves, or the other names of the moved pages, may
 * lead elsewhere, because that names one of them.
 */
export function namingTest(moves: readonly MovedPath[], aliases: readonly string[]): (json: string) => boolean {
  const names = new Set(moves.flatMap(namesOf))
  for (const alias of aliases) names.add(alias)
  const words = [...new Set([...names].map(name => wordsOf(name).join(' ')))].map(each => each.split(' '))
  return json => {
    if (codedLetter.test(json) || nameless.test(json)) return true
    const lower = json.toLowerCase()
    return words.some(parts => parts.every(part => lower.includes(part)))
  }
}

/** The names of a file, and of folders that it leaves or enters. */
function namesOf({ from, to }: MovedPath): string[] {
  const [before, after] = [from.split('/'), to.split('/')]
  const names = [before, after].flatMap(parts => {
    const name = (parts.at(-1) ?? '').replace(/(?!^)\.[^.]+$/, '')
    const folder = parts.at(-2)
    return folderPage.test(name.toLowerCase()) && folder !== undefined ? [name, folder] : [name]
  })
  const folders = (one: readonly string[], other: readonly string[]) =>
    one.slice(0, -1).filter((_, at) => one.slice(0, at + 1).join('/') !== other.slice(0, at + 1).join('/'))
  return [...names, ...folders(before, after), ...folders(after, before)]
}

/** Words of letters in ASCII; digits alone may be left out of links, as numbers that order files are. */
function wordsOf(name: string): string[] {
  const folded = composed(decodePath(name)).toLowerCase()
  return folded.match(/[a-z]+/g) ?? folded.match(/\d+/g) ?? []
}
