/**
 * Lists what the product is built on, from the lock file: node scripts/dependencies.mjs writes docs/dependencies.md; with
 * `--check` it tells, with status 1, where the page is another, a licence is none of those allowed, a package has a script
 * that runs when it is installed and is not known here, or is a release of which something bad is known (advisories.mjs).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { advisories, isSound } from './advisories.mjs'

const root = new URL('../', import.meta.url)
const page = new URL('docs/dependencies.md', root)

/** Licences of packages that come with an installation. */
const allowed = new Set([
  ...['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'PSF-2.0', 'CC0-1.0', 'BlueOak-1.0.0'],
  ...['(MIT AND Zlib)', '(MIT AND BSD-3-Clause)', '(BSD-3-Clause OR GPL-2.0)', 'MIT OR Apache-2.0'],
])
/** Packages whose licence is none of these, and why they may be there. */
const excepted = /^@img\/sharp-/
const exceptedReason =
  'libvips (LGPL) is loaded as a library of its own, and is optional: without it no thumbnails are made'
/** The address of a package if the lock file has one; otherwise it comes from the registry of whoever installs. */
const ours = /^(?:https:\/\/registry\.npmjs\.org\/|$)/
/** Packages with a script that runs at an installation. */
const knownScripts = new Set(['esbuild'])

/** Reads the packages of the lock file: name, version, licence, what they are for. */
export function readPackages() {
  const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8'))
  return Object.entries(packages).flatMap(([path, entry]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const { version, license = 'unknown', integrity = '', resolved = '' } = entry
    const isDevelopment = entry.dev === true
    const runs = entry.hasInstallScript === true
    // Its checksum is that of the package that brings it along.
    const isBundled = entry.inBundle === true
    return path === '' ? [] : [{ name, version, license, integrity, resolved, isDevelopment, runs, isBundled }]
  })
}

/** Lists what is wrong with them; nothing where all is well. */
export function complaintsAbout(packages) {
  const installed = packages.filter(({ isDevelopment }) => !isDevelopment)
  return [
    ...installed
      .filter(({ name, license }) => !allowed.has(license) && !excepted.test(name))
      .map(({ name, license }) => `${name} has the licence ${license}`),
    ...packages.filter(({ name, runs }) => runs && !knownScripts.has(name)).map(({ name }) => `${name} runs a script`),
    ...packages
      .filter(
        ({ integrity, resolved, isBundled }) => !((isBundled || /^sha512-/.test(integrity)) && ours.test(resolved)),
      )
      .map(({ name }) => `${name} has no checksum, or comes from elsewhere`),
    ...packages.flatMap(({ name, version }) =>
      advisories
        .filter(one => one.name === name && !isSound(version, one.sound))
        .map(({ ids }) => `${name} ${version} has ${ids}`),
    ),
  ]
}

/** Writes the page. */
export function pageOf(packages) {
  const installed = packages.filter(({ isDevelopment }) => !isDevelopment)
  const rows = installed
    .map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`)
    .sort((a, b) => (a < b ? -1 : 1))
  const runs = packages
    .filter(one => one.runs)
    .map(one => `${one.name}${one.isDevelopment ? ' (development only)' : ''}`)
  return `# Dependencies

Written by \`node scripts/dependencies.mjs\` from the lock file, which holds a SHA-512 of every package; \`test/dependencies.test.ts\`
holds the page and the lock file to each other.

- **Installed**: ${installed.length} packages, those of other platforms included. **For development only**: ${packages.length - installed.length} more.
- **Scripts that run at an installation**: ${runs.join(', ') || 'none'}.
- **Licences** are permissive, but for ${exceptedReason}.
- **\`npm audit\`** asks a service of the registry. Where that does not answer, it says nothing of the packages: what is known of them all
  the same stands at the end of this page, and nothing of it is in a release that is installed.

| package | version | licence |
|---|---|---|
${[...new Set(rows)].join('\n')}

## What is known of them

\`scripts/advisories.mjs\`, which says where it was read and when. Of many small packages nothing was found, or not looked for.

| package | advisory | about | sound from | here |
|---|---|---|---|---|
${advisories.map(one => advisoryRow(one, packages)).join('\n')}

Not mended by any release: grammars of highlight.js for which there is code that takes minutes (highlightjs/highlight.js#4529). It has 5 seconds a page
here, and is ended then (\`src/wikitext/bounded-time.ts\`), as is markdown-it.
`
}

function advisoryRow({ name, ids, what, sound }, packages) {
  const versions = [...new Set(packages.filter(one => one.name === name).map(({ version }) => version))]
  return `| ${name} | ${ids} | ${what} | ${sound.join(', ')} | ${versions.join(', ')} |`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packages = readPackages()
  const text = pageOf(packages)
  const complaints = complaintsAbout(packages)
  if (!process.argv.includes('--check')) writeFileSync(page, text)
  else if (readFileSync(page, 'utf8') !== text)
    complaints.push('docs/dependencies.md is another: node scripts/dependencies.mjs')
  for (const complaint of complaints) console.log(`  WRONG  ${complaint}`)
  console.log(complaints.length === 0 ? 'nothing is wrong' : `${complaints.length} wrong`)
  process.exitCode = complaints.length === 0 ? 0 : 1
}
