/**
 * The commits of a generated wiki with many links, in the format of `git fast-import`: about twenty links a page, most of them
 * to few titles (Zipf), with wanted pages, redirects, templates, categories and pictures. One page in seventeen has no incoming
 * link, one in fifty no outgoing one, one in twenty no category.
 */
import { createHash } from 'node:crypto'
import { pathOf } from './generated-paths.mjs'
import { randomNumbers } from './prose.mjs'

const pagesOfCommit = 1000
/** Number of titles that articles link to and that no page has. */
const wantedTitles = 20_000
const [templates, categories, pictures] = [200, 1000, 2000]
const linksOfPage = 20

export function* linkedCommits({ pages }) {
  const random = randomNumbers(20_261_124)
  yield commit(0, [['wiki.json', '{ "name": "Linked", "layout": "sharded" }'], ...assets()])
  for (let first = 0; first < pages; first += pagesOfCommit) {
    const count = Math.min(pagesOfCommit, pages - first)
    const files = Array.from({ length: count }, (_, at) => [
      pathOf(first + at, 'sharded'),
      textOf(first + at, pages, random),
    ])
    yield commit(1 + first / pagesOfCommit, files)
  }
}

function assets() {
  const files = []
  for (let at = 0; at < templates; at++)
    files.push([
      placed('Template', `Box_${at}`, 'wiki'),
      `Box ${at}: {{{1|}}} [[Page ${at * 17 + 1}]] [[Category:Boxed ${at % 20}]]`,
    ])
  // Every other category has no page of its own.
  for (let at = 0; at < categories; at += 2)
    files.push([placed('Category', `Topic_${at}`, 'wiki'), `[[Category:Topic ${Math.floor(at / 20) * 2}]]`])
  for (let at = 0; at < pictures; at++)
    files.push([
      placed('File', `Picture_${at}.svg`),
      `<svg xmlns="http://www.w3.org/2000/svg" width="${1 + at}" height="9"/>`,
    ])
  return files
}

/** A folder of the layout `sharded` is the start of the SHA-1 of a title's key. */
function placed(namespace, name, extension) {
  const folder = createHash('sha1').update(`${namespace}:${name}`).digest('hex').slice(0, 2)
  return `${folder}/${namespace}/${name}${extension === undefined ? '' : `.${extension}`}`
}

function textOf(page, pages, random) {
  const any = count => Math.floor(count * random() ** 2)
  if (page % 31 === 30) return `#REDIRECT [[Page ${page % 62 === 30 ? any(pages) : page - 31}]]`
  if (page % 50 === 49) return `'''Page ${page}''' has no links.`
  const links = Array.from({ length: linksOfPage }, (_, at) => {
    if (at === 0 && random() < 0.5) return `[[Wanted ${any(wantedTitles)}]]`
    const target = any(pages)
    return target % 17 === 3 ? `[[Page ${target + 1}]]` : `[[Page ${target}|page ${target}]]`
  })
  const lines = []
  for (let at = 0; at < links.length; at += 4)
    lines.push(`The harbour at ${links.slice(at, at + 4).join(', the reef of ')} has a pier.`)
  if (page % 3 === 0) lines.unshift(`{{Box ${any(templates - 10)}}}`)
  if (page % 5 === 0) lines.push(`[[File:Picture ${any(pictures + 50)}.svg|thumb]]`)
  if (page % 20 !== 0) lines.push(`[[Category:Topic ${any(categories)}]] [[Category:Topic ${any(categories)}]]`)
  return lines.join('\n\n')
}

function commit(at, files) {
  const who = `Writer ${at % 97} <writer${at % 97}@example.org> ${1_600_000_000 + at * 60} +0000`
  const blocks = files.map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`)
  return `commit refs/heads/main\nauthor ${who}\ncommitter ${who}\n${data(`Pages of commit ${at}`)}${blocks.join('')}\n`
}

function data(text) {
  return `data ${Buffer.byteLength(text)}\n${text}\n`
}
