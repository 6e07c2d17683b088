// @module-tag long
/** Bundles of the built command: each is loaded once, although the pages for browsers require what the API has loaded. */

import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { until } from '../_wait.ts'
import { sampleWiki, temporaryFolder } from './harness.ts'

const program = fileURLToPath(new URL('../../bin/wiki.cjs', import.meta.url))
const dist = fileURLToPath(new URL('../../dist', import.meta.url))
const compiled = join(dist, `wiki.cjs.${process.version}-${process.platform}-${process.arch}`)

/** Records the name of each bundle that is evaluated, by import or by require. */
const hook = `
const { Script } = require('node:vm')
const { Module } = require('node:module')
const tell = file => /dist.wiki[\\w-]*\\.cjs$/.test(file) && process.stderr.write('evaluated ' + require('node:path').basename(file) + '\\n')
const own = class extends Script {
  constructor(source, options) {
    super(source, options)
    tell(options?.filename ?? '')
  }
}
require('node:vm').Script = own
const { _compile } = Module.prototype
Module.prototype._compile = function (content, file, ...rest) {
  tell(file)
  return _compile.call(this, content, file, ...rest)
}
`

/** Each bundle that contains a module has its own copy of the module's state: here the mark of our own control sequences. */
test.skipIf(!existsSync(compiled))('the guard of the terminal is in one bundle', { tags: 'long' }, () => {
  const maps = readdirSync(dist).filter(name => name.endsWith('.cjs.map'))
  const guarding = maps.filter(name =>
    readFileSync(join(dist, name), 'utf8').includes('cli/terminal/terminal-guard.ts'),
  )
  expect(guarding).toEqual(['wiki.cjs.map'])
})

test.skipIf(!existsSync(compiled))('a server evaluates each bundle once', { tags: 'long' }, async () => {
  const file = join(temporaryFolder(), 'hook.cjs')
  writeFileSync(file, hook)
  const server = spawn(process.execPath, ['--require', file, program, 'serve', '-p', '0'], { cwd: sampleWiki() })
  try {
    let [said, errors] = ['', '']
    server.stdout.on('data', chunk => (said += chunk))
    server.stderr.on('data', chunk => (errors += chunk))
    const address = await until('the server says its address', () => /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0])
    for (const path of ['/wiki/Special:Lists/most-linked', '/v1/page/Main_Page/links/out'])
      expect((await fetch(address + path)).status).toBe(200)
    const evaluated = [...errors.matchAll(/evaluated (\S+)/g)].map(([, name]) => name)
    expect(evaluated).toContain('wiki-web.cjs')
    expect(evaluated).toEqual([...new Set(evaluated)])
  } finally {
    server.kill()
  }
})
