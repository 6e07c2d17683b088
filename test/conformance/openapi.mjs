/**
 * Processes the OpenAPI document with tools of others.
 *
 *     npm i --prefix <tools> @redocly/openapi-core@2 openapi-typescript@7 typescript@5 openapi-generator-plus@2 \
 *       @openapi-generator-plus/{java-cxf-client,kotlin-client,swift-client}-generator
 *     node test/conformance/openapi.mjs <tools>
 *
 * The tools are not dependencies. Redocly's recommended rules must find nothing. openapi-typescript must generate types that
 * compile, and with which a program that uses the routes compiles; a program with a wrong field must not. The generators for
 * Java, Kotlin and Swift must generate a client with every operation of the document; these clients are not compiled. Exit
 * status 1 otherwise. The document is that of the built product.
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { initWiki, openWiki } from '../../dist/lib/index.js'
import { createApp } from '../../dist/lib/rest/app.js'

const [tools] = process.argv.slice(2)
if (tools === undefined) {
  console.error('usage: node test/conformance/openapi.mjs <tools>')
  process.exit(2)
}
const { resolve: find } = createRequire(join(resolve(tools), 'package.json'))

/** A program that uses the types as a client does. */
const program = `import type { paths } from './api'
type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never
type Page = Json<paths['/v1/page/{title}']['get']['responses'][200]>
type Edit = Json<NonNullable<paths['/v1/page/{title}']['put']['requestBody']>>
export const save = (page: Page): Edit => ({ source: page.source + '.', comment: null, latest: page.latest })
export const owner = (error: Json<paths['/v1/page']['post']['responses'][409]>): number => error.httpCode
`
const wrongProgram = `${program}export const wrong = (page: Page) => page.sorce\n`

const folder = mkdtempSync(join(tmpdir(), 'wiki-openapi-'))
try {
  const document = await documentOf(join(folder, 'wiki'))
  writeFileSync(join(folder, 'openapi.json'), document)
  const problems = [
    ...(await lint(document)),
    ...generated(folder),
    ...['java-cxf', 'kotlin', 'swift'].flatMap(language => generatedClient(folder, language, JSON.parse(document))),
  ]
  for (const problem of problems) console.log(problem)
  console.log(`${Buffer.byteLength(document)} bytes; problems: ${problems.length}`)
  process.exitCode = problems.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The document of a wiki with a licence, which its owner configures. */
async function documentOf(directory) {
  const settings = { 'license.title': 'CC BY 4.0', 'license.url': 'https://creativecommons.org/licenses/by/4.0/' }
  await initWiki({ directory, author: { name: 'Ada', address: 'ada@example.org' }, settings })
  const wiki = await openWiki({ directory })
  const response = await createApp(wiki).request('http://127.0.0.1:8080/openapi.json')
  const text = await response.text()
  await wiki.close()
  return text
}

async function lint(source) {
  const { createConfig, lintFromString } = await import(pathToFileURL(find('@redocly/openapi-core')).href)
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  return found.map(
    ({ severity, ruleId, message, location }) => `${severity} ${ruleId} ${location[0]?.pointer}: ${message}`,
  )
}

function generated(folder) {
  const command = join(dirname(find('openapi-typescript/package.json')), 'bin/cli.js')
  execFileSync(process.execPath, [command, join(folder, 'openapi.json'), '-o', join(folder, 'api.ts')], {
    stdio: 'pipe',
  })
  const faults = compile(folder, program)
  const isBlind = compile(folder, wrongProgram).length === 0
  return [...faults, ...(isBlind ? ['a program with a wrong field compiles'] : [])]
}

/** Operations that the client of another language lacks, or the tool's error. */
function generatedClient(folder, language, { paths }) {
  const output = join(folder, language)
  const config = join(folder, `${language}.json`)
  const generator = find(`@openapi-generator-plus/${language}-client-generator`)
  const inputPath = join(folder, 'openapi.json')
  writeFileSync(config, JSON.stringify({ inputPath, outputPath: output, generator }))
  const command = join(dirname(find('openapi-generator-plus/package.json')), 'bin/ogplus.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, '-c', config], { encoding: 'utf8' })
  if (status !== 0) return [`${language}: ${stderr || stdout}`]
  const files = readdirSync(output, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n')
  const operations = Object.values(paths).flatMap(path => Object.values(path).map(({ operationId }) => operationId))
  const missing = operations.filter(id => id !== undefined && !texts.includes(id))
  return missing.map(id => `${language}: no operation ${id}`)
}

function compile(folder, source) {
  const file = join(folder, 'program.ts')
  writeFileSync(file, source)
  const compiler = join(dirname(find('typescript/package.json')), 'bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '--noEmit', '--strict', file], { encoding: 'utf8' })
  return status === 0 ? [] : stdout.trim().split('\n')
}
