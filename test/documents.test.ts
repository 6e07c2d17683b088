/** Documents and comments name files that exist, and their links lead to documents and headings that exist. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { headings } from '../scripts/check-words.mjs'

const folders = ['.ci', '.github', 'bin', 'docs', 'fixtures', 'man', 'scripts', 'src', 'test']
const files = [...folders.flatMap(filesIn), ...filesAtTop()]
const known = new Set(files.flatMap(withFolders))
/** Files that the build makes. */
const elsewhere = /^dist\/|^wiki-\w+\.cjs$/
const documents = files.filter(
  path => path.endsWith('.md') && !path.startsWith('fixtures/') && !path.startsWith('test/'),
)
/** All but a test whose strings are examples. */
const sources = files.filter(
  path => /^(?:src|scripts|test)\/.*\.[cm]?[jt]s$/.test(path) && path !== 'test/check-words.test.ts',
)

/** A file by its path from the top of the project, in backticks or in a comment's sentence. */
const pathFromTop = /(?<![\w./-])(?:src|test|scripts|docs|fixtures)\/[\w./-]*\.(?:[cm]?[jt]s|css|json|md)\b/g
/** A path from the top of the project, in backticks. */
const codePath = /`((?:src|test|scripts|docs|fixtures|\.ci)\/[\w./-]*)`/g
/** A source file by its name or the end of its path, in backticks. */
const sourceName = /`([\w./-]+\.(?:[cm]?ts|[cm]js))`/g
const link = /\]\(([^)\s:]*)\)/g

test('the documents are found', () => {
  expect(documents).toContain('docs/architecture.md')
  expect(documents.length).toBeGreaterThan(30)
})

test('the architecture document is short enough for one sitting', () => {
  expect(readFileSync('docs/architecture.md', 'utf8').trim().split(/\s+/).length).toBeLessThanOrEqual(1500)
})

describe.each(documents)('%s', document => {
  const text = readFileSync(document, 'utf8')
  const prose = text.replace(/^( {4}|\t).*$|^```[\s\S]*?^```/gm, '')

  test('names files that exist', () => {
    const paths = [...prose.matchAll(codePath)].map(([, path]) => path!.replace(/\/$/, ''))
    expect(paths.filter(path => !known.has(path))).toEqual([])
    expect(missingNames(prose)).toEqual([])
  })

  test('has links with existing targets', () => {
    const targets = [...prose.replace(/`[^`]*`/g, '').matchAll(link)].map(([, target]) => target!)
    expect(targets.filter(target => !leads(document, target))).toEqual([])
  })
})

test('comments name files that exist', () => {
  const missing = sources.flatMap(path =>
    [...readFileSync(path, 'utf8').matchAll(/\/\*\*?[\s\S]*?\*\/|(?<=^|\s)\/\/ .*/gm)].flatMap(([comment]) =>
      [
        ...[...comment.matchAll(pathFromTop)].map(([named]) => named).filter(named => !known.has(named)),
        ...missingNames(comment),
      ].map(named => `${path}: ${named}`),
    ),
  )
  expect(missing).toEqual([])
})

/** Returns the names of source files in backticks that no file has. */
function missingNames(text: string): string[] {
  const names = [...text.matchAll(sourceName)].map(([, name]) => name!)
  return names.filter(name => !elsewhere.test(name) && !files.some(file => file === name || file.endsWith(`/${name}`)))
}

/** True if the target of a link exists, and the heading if it names one. */
function leads(document: string, target: string): boolean {
  const [path, anchor] = target.split('#')
  const file = path === '' ? document : posix.normalize(posix.join(posix.dirname(document), decodeURIComponent(path!)))
  if (!known.has(file.replace(/\/$/, ''))) return false
  return anchor === undefined || !file.endsWith('.md') || headings(readFileSync(file, 'utf8')).includes(anchor)
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => posix.normalize(join(entry.parentPath, entry.name).replaceAll('\\', '/')))
}

function filesAtTop(): string[] {
  return readdirSync('.', { withFileTypes: true }).flatMap(entry => (entry.isFile() ? [entry.name] : []))
}

/** A path and the folders above it. */
function withFolders(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}
