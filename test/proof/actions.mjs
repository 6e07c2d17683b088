/**
 * Writes that a killed process may have been making: how each is made, and its complete commits.
 *
 * `outcome` is a promise of `saved`, `refused` (a response says that nothing was written) or `unknown` (no response). `word` is
 * in each commit's message.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, hashOf, pagePath, startWiki, workplace } from './scene.mjs'

const filler = 'A line of text that is neither short nor long.\n'.repeat(200)
const picture = word =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><!-- ${word} --><rect width="9" height="9"/></svg>\n`

/** Starts a command; returns its process, so that it can be killed. */
function command(directory, args, input, options) {
  const { child, done } = startWiki(directory, args, { input, ...options })
  return { child, outcome: done.then(outcomeOfCommand), done }
}

function outcomeOfCommand({ status, stderr }) {
  if (status === 0) return 'saved'
  return typeof status === 'number' && !stderr.includes('is saved, as commit') ? 'refused' : 'unknown'
}

const textOf = word => `Text of ${word}.\n${filler}`
const pathOf = title => `${title.replaceAll(' ', '_')}.wiki`

/** Kinds of writes on the command line; no other write touches `page` at the same time. */
export const commands = {
  create: (directory, word, _, options) => ({
    word,
    ...command(directory, ['page', 'create', `New ${word}`, '-f', '-', '-m', word], textOf(word), options),
    changes: [`A ${pathOf(`New ${word}`)} ${textOf(word)}`],
  }),
  update: (directory, word, page, options) => ({
    word,
    ...command(directory, ['page', 'edit', page, '-f', '-', '-m', word], textOf(word), options),
    changes: [`M ${pathOf(page)} ${textOf(word)}`],
  }),
  move: (directory, word, page, options) => ({
    word,
    ...command(directory, ['page', 'move', page, `Moved ${word}`, '-m', word], null, options),
    changes: [`A ${pathOf(`Moved ${word}`)} ?`, `M ${pathOf(page)} #REDIRECT [[Moved ${word}]]\n`],
  }),
  delete: (directory, word, page, options) => ({
    word,
    ...command(directory, ['page', 'delete', page, '-m', word, '--yes'], null, options),
    changes: [`D ${pathOf(page)}`],
  }),
  'file add': (directory, word, _, options) => {
    const file = join(workplace, `${word}.svg`)
    writeFileSync(file, picture(word))
    const name = `${word[0].toUpperCase()}${word.slice(1)}.svg`
    const changes = [`A File/${name} ${picture(word)}`]
    return { word, ...command(directory, ['file', 'add', file, '-m', word], null, options), changes }
  },
  import: (directory, word, _, options) => {
    const file = join(workplace, `${word}.xml`)
    writeFileSync(file, dumpOf(word))
    return { word, ...command(directory, ['import', file], null, options), changes: null, commits: 6 }
  },
}

/** A dump of two pages with three revisions each. No other dump has their ids, because an import skips known ids. */
function dumpOf(word) {
  const first = Number.parseInt(hashOf(word).slice(0, 7), 16)
  const revision = (
    page,
    at,
  ) => `<revision><id>${first + page * 3 + at}</id><timestamp>2020-01-0${at + 1}T00:0${page}:00Z</timestamp>
    <contributor><username>Zoe</username><id>1</id></contributor><comment>${word} ${page}.${at}</comment><model>wikitext</model>
    <format>text/x-wiki</format><text xml:space="preserve">${word} ${page} ${at}\n${filler}</text></revision>`
  const page = at =>
    `<page><title>Imported ${word} ${at}</title><ns>0</ns><id>${at + 1}</id>${[0, 1, 2].map(n => revision(at, n)).join('')}</page>`
  return `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en"><siteinfo><sitename>S</sitename>
    <dbname>s</dbname><base>http://example.org/wiki/Main_Page</base><case>first-letter</case>
    <namespaces><namespace key="0" case="first-letter" /></namespaces></siteinfo>${page(0)}${page(1)}</mediawiki>\n`
}

/** Kinds of writes through a server. */
export const requests = {
  create: (server, word) => ({
    word,
    outcome: send(server, '/page', 'POST', { title: `Sent ${word}`, source: textOf(word), comment: word }),
    changes: [`A ${pathOf(`Sent ${word}`)} ${textOf(word)}`],
  }),
  update: (server, word, { title, latest }) => ({
    word,
    outcome: send(server, pagePath(title), 'PUT', { source: textOf(word), comment: word, latest: { id: latest } }),
    changes: [`M ${pathOf(title)} ${textOf(word)}`],
  }),
}

async function send(server, path, method, body) {
  const { status, json } = await ask(server, path, { method, body })
  if (status === 200 || status === 201) return 'saved'
  return status === 0 || /^wiki-(saved-unread|taken-out)$/.test(json?.errorKey) ? 'unknown' : 'refused'
}

/** Permitted numbers of a write's commits. */
const allowed = { saved: count => count === 1, refused: count => count === 0, unknown: count => count <= 1 }

/** Returns what is wrong with the result of an action, among all new commits. */
export function flawsOfAction({ word, changes, commits = 1 }, outcome, all) {
  const found = all.filter(({ message }) => new RegExp(`\\b${word}\\b`).test(message))
  if (!allowed[outcome](found.length / commits) || found.length % commits !== 0)
    return [`${word}: ${outcome}, and there ${found.length} times instead of ${commits}`]
  if (changes === null || found.length === 0) return []
  const expected = changes.map(change => describe(change)).sort()
  const actual = found[0].changes.toSorted()
  const isSame = expected.length === actual.length && expected.every((change, at) => matches(change, actual[at]))
  return isSame ? [] : [`${word}: its commit has ${actual.join(', ')} instead of ${expected.join(', ')}`]
}

function matches(expected, actual) {
  return expected.endsWith(' ?') ? actual.startsWith(expected.slice(0, -1)) : expected === actual
}

function describe(change) {
  const [, kind, path, text] = /^(\S) (\S+)(?: ([\s\S]*))?$/.exec(change)
  return text === undefined || text === '?' ? change : `${kind} ${path} ${blobOf(text)}`
}

function blobOf(text) {
  const bytes = Buffer.from(text)
  return hashOf(Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]))
}
