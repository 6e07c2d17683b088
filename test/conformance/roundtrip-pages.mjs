/** The real pages for round trips: those of a git wiki, of a folder of articles and of one recorded response. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'

const wikitextFiles = /\.(?:mediawiki|wiki|txt)$/

/**
 * Reads the pages under a folder of shared data: `{set, title, text, model}`. Titles are the files' names without
 * invalid characters.
 */
export function readPages(data) {
  const answer = JSON.parse(readFileSync(join(data, 'enwiki-rest/page_get.json'), 'utf8'))
  return [
    ...bundledPages(join(data, 'bips.bundle')),
    ...folderPages(join(data, 'articles')),
    { set: 'enwiki', title: answer.title, text: answer.source, model: 'wikitext' },
  ]
}

function bundledPages(bundle) {
  const folder = mkdtempSync(join(tmpdir(), 'gitwiki-roundtrip-'))
  try {
    execFileSync('git', ['clone', '-q', bundle, folder])
    const names = execFileSync('git', ['-C', folder, 'ls-files', '-z'], { encoding: 'utf8' }).split('\0')
    return names
      .filter(name => wikitextFiles.test(name) || name.endsWith('.md'))
      .map(name => pageOf('bips', join(folder, name)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function folderPages(folder) {
  return readdirSync(folder)
    .filter(name => wikitextFiles.test(name))
    .map(name => pageOf('articles', join(folder, name)))
}

function pageOf(set, file) {
  const extension = extname(file)
  const title = basename(file, extension)
    .replace(/[^\p{L}\p{N} ().,-]/gu, ' ')
    .trim()
  return { set, title, text: readFileSync(file, 'utf8'), model: extension === '.md' ? 'markdown' : 'wikitext' }
}
