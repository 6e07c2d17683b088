/**
 * Checks the comments of the product, its tests and its scripts: none opens with a question word or has a phrase for which there is
 * a plainer one, and every citation leads to a document of this repository.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const opener = /(?:^|[\s;,{}()])(?:\/\/|\/\*\*?)\s*(?:\*\s*)?(?:What|Which|Where|Who|Whom|Whose|How|Whether)\b/gm
/** Phrases that need a second reading. Plainer ones: "again", "recently", "in progress", "Returns true if", "requested", "is not a". */
const foggyPhrase =
  /\b(?:anew|lately|under way|held against|in the place of|Tells (?:if|whether)|Told (?:how|what|of)|Has what|what takes long|asked for|made of|(?:is|are) to be|(?<![Tt]here )(?:is|are) no (?!longer|more)|(?:is|are|was|were) told|so many (?:bytes|steps|milliseconds|pages))\b/g
const comments = /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*/gm
/** Names of documents that are not part of this repository. */
const unknownDocument =
  /\b(?:(?:SPEC|STORE|DIFF|STYLE|WIKITEXT)(?:\.md)?(?= \d|[,.;](?: |$)| \*\/)|REST(?:\.md)?(?= \d)|REST\.md\b|FINDINGS\b)/gm
const citedFile = /(?<![\w/])docs\/([\w/.-]+\.md)(?:#([\w-]+))?/g

/** Counts the comments of a TypeScript source that open with a question word. */
export function countOpeners(source) {
  return [...source.matchAll(opener)].length
}

/** Lists the citations of a source that name no document; `read` returns a file of docs, or null. */
export function danglingCitations(source, read) {
  return [...source.matchAll(comments)].flatMap(([comment]) => [
    ...[...comment.matchAll(unknownDocument)].map(([name]) => name),
    ...[...comment.matchAll(citedFile)]
      .filter(([, file, anchor]) => !leads(read(file), anchor))
      .map(([cited]) => cited),
  ])
}

/** Lists the phrases in the comments of a source for which there is a plainer one. */
export function foggyPhrases(source) {
  return [...source.matchAll(comments)].flatMap(([comment]) =>
    [...comment.replace(/\s+\*?\s*/g, ' ').matchAll(foggyPhrase)].map(([phrase]) => phrase),
  )
}

/** Returns one line for each folder and kind of fault that occurs in it. */
export function faultsOf(counts) {
  return Object.entries(counts).flatMap(([folder, found]) =>
    Object.entries(found)
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => `${folder}: ${count} ${kind}, none allowed`),
  )
}

function leads(document, anchor) {
  if (document === null) return false
  return anchor === undefined || headings(document).includes(anchor)
}

/** Returns the anchors of the headings of a Markdown document, as GitHub makes them. */
export function headings(document) {
  return [...document.matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
    text
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  )
}

const checkedFolders = ['bin', 'src', 'test', 'scripts', 'fixtures']
const sourceFile = /\.[mc]?[jt]s$/
/** Its strings are examples of what is refused. */
const examples = 'test/check-words.test.ts'

/** Returns the paths of the sources, with "/", from the top. */
function sourcePaths(top) {
  return checkedFolders.flatMap(folder =>
    readdirSync(join(top, folder), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && sourceFile.test(entry.name))
      .map(entry => join(entry.parentPath, entry.name).slice(top.length).replaceAll('\\', '/'))
      .filter(path => path !== examples),
  )
}

function countFolders(top) {
  const read = file => (existsSync(join(top, 'docs', file)) ? readFileSync(join(top, 'docs', file), 'utf8') : null)
  const counts = {}
  for (const path of sourcePaths(top)) {
    const folder = path.replace(/^src\//, '').split('/')[0]
    const source = readFileSync(join(top, path), 'utf8')
    counts[folder] ??= { openers: 0, citations: 0, phrases: 0 }
    const openers = countOpeners(source)
    counts[folder].openers += openers
    if (openers > 0) console.error(`check-words: ${path} has ${openers} comments that open with a question word`)
    const phrases = foggyPhrases(source)
    counts[folder].phrases += phrases.length
    if (phrases.length > 0) console.error(`check-words: ${path} has: ${phrases.join(', ')}`)
    const citations = danglingCitations(source, read)
    counts[folder].citations += citations.length
    if (citations.length > 0) console.error(`check-words: ${path} cites what does not exist: ${citations.join(', ')}`)
  }
  return counts
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const top = fileURLToPath(new URL('..', import.meta.url))
  const counts = countFolders(top)
  if (process.argv.includes('--counts')) console.log(JSON.stringify(counts, null, 2))
  const faults = faultsOf(counts)
  for (const fault of faults) console.error(`check-words: ${fault}`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
