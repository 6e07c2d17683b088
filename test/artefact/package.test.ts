// @module-tag long
/** The files of the installed package: none missing, none too many, and what programs import from it. */

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { commandTree, isGroup } from '../../src/cli/commands.ts'
import { temporaryDirectory } from '../_setup.ts'
import { hasNpm, type Installation, installed, userEnvironment } from './_installed.ts'

const root = resolve(import.meta.dirname, '../..')

let installation: Installation
/** Paths of the files in the package. */
let files: string[]

beforeAll(async () => {
  if (!hasNpm) return
  installation = await installed()
  const all = readdirSync(installation.package, { recursive: true }) as string[]
  files = all
    .filter(path => statSync(join(installation.package, path)).isFile())
    .map(path => path.replaceAll('\\', '/'))
}, 600_000)

/** Files that the package may have. */
const expected = [
  /^(?:package\.json|LICENSE|README\.md|CHANGELOG\.md|CONTRIBUTING\.md|SECURITY\.md|bin\/wiki\.cjs)$/,
  /^docs\/.*\.(?:md|png|yml|json)$/,
  /^man\/wiki(?:-[a-z-]+)?\.1$/,
  /^dist\/lib\/.*(?:\.js|\.d\.ts)$/,
  /^dist\/languages\/(?:stemmers|stopwords)-[a-z]+\.cjs$/,
  /^dist\/wiki(?:-(?:index|jobs|more|search|web|write))?\.cjs(?:\.map)?$/,
  new RegExp(`^dist/wiki(?:-(?:more|search|write))?\\.cjs\\.${process.version}-${process.platform}-${process.arch}$`),
  /^dist\/web\/[A-Z0-9]{8}\/[a-z-]+\.(?:js|css|svg)(?:\.(?:br|gz))?$/,
  /^dist\/(?:web\/)?(?:licenses\.txt|assets\.json)$/,
]

test.skipIf(!hasNpm)('it has nothing that users do not need', () => {
  expect(files.filter(path => !expected.some(form => form.test(path)))).toEqual([])
})

test.skipIf(!hasNpm)('each file has a name that every system accepts', () => {
  const unsafe = /[<>:"|?*\\]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
  expect(files.filter(path => path.split('/').some(part => unsafe.test(part)) || path.length > 160)).toEqual([])
  expect(new Set(files.map(path => path.toLowerCase())).size).toBe(files.length)
})

test.skipIf(!hasNpm)('it has the manual of each command, and the licences of the code in the bundles', () => {
  const names = Object.entries(commandTree).flatMap(([word, entry]) =>
    isGroup(entry) ? Object.keys(entry.commands).map(name => `${word}-${name}`) : [word],
  )
  expect(files.filter(path => path.startsWith('man/')).sort()).toEqual(
    ['man/wiki.1', ...names.map(name => `man/wiki-${name}.1`)].sort(),
  )
  const licences = readFileSync(join(installation.package, 'dist/licenses.txt'), 'utf8')
  for (const name of ['commander', 'chalk', 'minisearch', '@orama/stemmers']) expect(licences).toContain(`${name}\n\n`)
})

test.skipIf(!hasNpm)('each link of its documents leads to a file of the package', () => {
  const broken = files
    .filter(path => path.endsWith('.md'))
    .flatMap(path => {
      const text = readFileSync(join(installation.package, path), 'utf8')
        .replace(/^(`{3,}).*?^\1/gms, '')
        .replace(/`[^`\n]*`/g, '')
      const targets = [...text.matchAll(/\]\(([^)\s]+)\)|\bsrc="([^"]+)"/g)].map(([, one, other]) => one ?? other!)
      return targets
        .filter(target => !/^(?:[a-z]+:|#|\/)/.test(target))
        .filter(
          target =>
            !existsSync(join(installation.package, dirname(path), decodeURIComponent(target.replace(/#.*/, '')))),
        )
        .map(target => `${path}: ${target}`)
    })
  expect(broken).toEqual([])
})

test.skipIf(!hasNpm)('a program imports it with types, and runs', async () => {
  const folder = await temporaryDirectory()
  symlinkSync(join(installation.folder, 'node_modules'), join(folder, 'node_modules'))
  const program = `import { mergeTexts, openWiki, type Wiki } from 'gitwiki'
import { createApp } from 'gitwiki/rest'
import { createClient } from 'gitwiki/client'
const open: (options: { directory: string }) => Promise<Wiki> = openWiki
console.log([mergeTexts, open, createApp, createClient].map(one => typeof one).join(' '))
`
  writeFileSync(join(folder, 'program.mts'), program)
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const options = [
    '--module',
    'nodenext',
    '--target',
    'esnext',
    '--strict',
    '--types',
    'node',
    '--typeRoots',
    join(root, 'node_modules/@types'),
  ]
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: userEnvironment(installation.folder) })
  run(tsc, ...options, 'program.mts')
  expect(run('program.mjs')).toBe('function function function function\n')
})
