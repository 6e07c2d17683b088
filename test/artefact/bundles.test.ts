// @module-tag long
/**
 * The code of the installed package says what the sources say. What minifies, converts or reads code changes literals first, so
 * each regular expression and each text of the code that runs is looked up in the sources.
 */

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { temporaryDirectory } from '../_setup.ts'
import { hasNpm, type Installation, installed, serve, wiki } from './_installed.ts'

const root = resolve(import.meta.dirname, '../..')

/** Literals of a program. */
interface Literals {
  /** As `/pattern/flags`. */
  readonly regexes: Set<string>
  /** Strings, and the parts of templates. */
  readonly texts: Set<string>
}

/** Of a node of ESTree, the parts that literals have. */
interface Node {
  readonly type?: string
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly value?: unknown
}

/** A part of a template. It has no cooked text if it is not valid outside of a tagged template. */
interface Part {
  readonly cooked: string | null
  readonly raw: string
}

const noLiterals = (): Literals => ({ regexes: new Set(), texts: new Set() })

/** Adds the literals of a program to others. */
function collect(code: string, lang: 'js' | 'ts', { regexes, texts }: Literals = noLiterals()): Literals {
  const waiting: unknown[] = [parseAst(code, { lang, sourceType: 'unambiguous' })]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (typeof node !== 'object' || node === null) continue
    const { type, regex, value } = node as Node
    if (type === 'Literal' && regex) regexes.add(`/${regex.pattern}/${regex.flags}`)
    else if (type === 'Literal' && typeof value === 'string') texts.add(value)
    else if (type === 'TemplateElement') texts.add((value as Part).cooked ?? (value as Part).raw)
    else waiting.push(...Object.values(node))
  }
  return { regexes, texts }
}

/** The parts of texts beyond ASCII. A minifier joins texts, so that a text of a bundle need not be one of a source. */
const beyondAscii = ({ regexes, texts }: Literals): Set<string> =>
  new Set([...regexes, ...texts].flatMap(text => text.match(/[^\0-\x7f]+/g) ?? []))

/** Literals that the sources do not have. */
function strangers(found: Literals, sources: Literals): string[] {
  const own = beyondAscii(sources)
  const parts = [...beyondAscii({ regexes: new Set(), texts: found.texts })].filter(part => !own.has(part))
  return [...[...found.regexes].filter(regex => !sources.regexes.has(regex)), ...parts]
}

/** Keeps the text of each bundle that is evaluated, by import or by require, and whether V8 accepted its compiled code. */
const hook = `
const { appendFileSync, writeFileSync } = require('node:fs')
const { basename, join } = require('node:path')
const { Module } = require('node:module')
const vm = require('node:vm')
const tell = (file, source, compiled) => {
  if (!/dist.wiki[\\w-]*\\.cjs$/.test(file)) return
  writeFileSync(join(process.env.EVALUATED, basename(file)), source)
  appendFileSync(join(process.env.EVALUATED, 'list'), JSON.stringify([basename(file), compiled]) + '\\n')
}
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options)
    tell(options?.filename ?? '', source, options?.cachedData === undefined ? 'none' : this.cachedDataRejected ? 'rejected' : 'accepted')
  }
}
const { _compile } = Module.prototype
Module.prototype._compile = function (content, file, ...rest) {
  tell(file, content, 'none')
  return _compile.call(this, content, file, ...rest)
}
`

/** Node itself reads these, once for each thread. */
const ofThreads = ['wiki-index.cjs', 'wiki-jobs.cjs']

let installation: Installation
let dist: string
/** A folder with the text of each bundle as it was evaluated. */
let texts: string
/** Names of bundles in the order of their evaluation, and whether V8 accepted their compiled code: by commands, and by a server. */
let byCommands: [name: string, compiled: string][]
let byServer: [name: string, compiled: string][]

beforeAll(async () => {
  if (!hasNpm) return
  installation = await installed()
  dist = join(installation.package, 'dist')
  texts = await temporaryDirectory()
  const list = join(texts, 'list')
  writeFileSync(join(texts, 'hook.cjs'), hook)
  const env = { EVALUATED: texts, NODE_OPTIONS: `--require=${join(texts, 'hook.cjs')}` }
  const evaluated = (): typeof byCommands => {
    const lines = readFileSync(list, 'utf8').trimEnd().split('\n')
    rmSync(list)
    return lines.map(line => JSON.parse(line)).filter(([name]) => !ofThreads.includes(name))
  }
  const cwd = await temporaryDirectory()
  await wiki(['init'], { cwd })
  for (const command of [
    ['page', 'create', 'Tide', '-f', '-', '-m', 'x'],
    ['search', 'high'],
    ['page', 'get', 'Tide', '--html'],
  ])
    expect(await wiki(command, { cwd, env, input: 'High.' })).toMatchObject({ status: 0 })
  byCommands = evaluated()
  const { url, stop } = await serve(cwd, [], { env })
  for (const path of ['/wiki/Special:Lists/most-linked', '/v1/page/Main_Page/links/out'])
    expect((await fetch(url + path)).status).toBe(200)
  await stop()
  byServer = evaluated()
}, 600_000)

const bundlesIn = (folder: string): string[] => readdirSync(folder).filter(name => name.endsWith('.cjs'))

test.skipIf(!hasNpm)('commands run the code that V8 has compiled', () => {
  const names = [...new Set(byCommands.map(([name]) => name)), 'wiki-web.cjs', ...ofThreads].sort()
  expect(names).toEqual(bundlesIn(dist))
  expect(byCommands.filter(([, compiled]) => compiled !== 'accepted')).toEqual([])
})

test.skipIf(!hasNpm)('each bundle, as it is evaluated, says what its sources say', () => {
  const sources = noLiterals()
  for (const path of new Set(bundlesIn(dist).flatMap(sourcesOf)))
    collect(readFileSync(path, 'utf8'), path.endsWith('.ts') ? 'ts' : 'js', sources)
  expect(sources.regexes.size).toBeGreaterThan(1000)
  const wrong = bundlesIn(dist).flatMap(name => {
    const found = collect(readFileSync(join(ofThreads.includes(name) ? dist : texts, name), 'utf8'), 'js')
    expect(found.regexes.size).toBeGreaterThan(100)
    return strangers(found, sources).map(literal => `${name}: ${literal}`)
  })
  expect(wrong).toEqual([])
})

/** Files of the checkout that a bundle contains, by its source map. */
function sourcesOf(bundle: string): string[] {
  const { sources } = JSON.parse(readFileSync(join(dist, `${bundle}.map`), 'utf8'))
  return sources
    .filter((path: string) => /^\.\.\/.*\.[cm]?[jt]s$/.test(path))
    .map((path: string) => resolve(root, 'dist', path))
}

test.skipIf(!hasNpm)('each module of the library says what its source says', () => {
  const lib = join(dist, 'lib')
  const modules = (readdirSync(lib, { recursive: true }) as string[]).filter(path => path.endsWith('.js'))
  expect(modules.length).toBeGreaterThan(300)
  const wrong = modules.flatMap(path => {
    const source = readFileSync(join(root, 'src', path.replace(/\.js$/, '.ts')), 'utf8')
    const found = strangers(collect(readFileSync(join(lib, path), 'utf8'), 'js'), collect(source, 'ts'))
    return found.map(literal => `${path}: ${literal}`)
  })
  expect(wrong).toEqual([])
})

/** Each bundle that contains a module has its own copy of the module's state: here the mark of our own control sequences. */
test.skipIf(!hasNpm)('the guard of the terminal is in one bundle', () => {
  const guarding = readdirSync(dist).filter(
    name => name.endsWith('.cjs') && sourcesOf(name).some(path => basename(path) === 'terminal-guard.ts'),
  )
  expect(guarding).toEqual(['wiki.cjs'])
})

test.skipIf(!hasNpm)('a server evaluates each bundle once', () => {
  const names = byServer.map(([name]) => name)
  expect(names).toContain('wiki-web.cjs')
  expect(names).toEqual([...new Set(names)])
})
