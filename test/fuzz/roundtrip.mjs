/**
 * Converts many generated pages and texts to HTML and back.
 *
 *     node test/fuzz/roundtrip.mjs [--runs <n>] [--seed <n>] [--only <part of a property's name>]
 *
 * The properties are those of test/html2wt/properties.test.ts, which tries a few cases of each. Prints the smallest failing
 * case of each property; the exit status is 1 if there is one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import fc from 'fast-check'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})

const { extended, holders, pages, roundtrip, textAgain, texts } = await bundled()
const properties = [
  ['an unedited page comes back', pages, async source => [source, await roundtrip(source)]],
  [
    'a new paragraph leaves the page',
    pages,
    async source => [source, (await extended(source)).slice(0, source.length)],
  ],
  ...holders.map(holder => [`text in ${holder[0]}`, texts, text => told(text, holder)]),
]

for (const [name, cases, run] of properties.filter(([name]) => name.includes(values.only))) {
  const property = fc.asyncProperty(cases, async one => {
    const [expected, given, more] = await run(one)
    return given === expected || Promise.reject(new Error(JSON.stringify({ expected, given, more }, null, 2)))
  })
  const result = await fc.check(property, { seed: Number(values.seed), numRuns: Number(values.runs) })
  if (!result.failed) console.log(`${result.numRuns} cases: ${name}`)
  else {
    console.log(`FAILED after ${result.numRuns}: ${name}\n  ${JSON.stringify(result.counterexample[0])}`)
    console.log(`  ${result.errorInstance?.message}`)
    process.exitCode = 1
  }
}

async function told(text, holder) {
  const { wikitext, again, given } = await textAgain(text, holder)
  return [JSON.stringify(given), JSON.stringify(again), wikitext]
}

async function bundled() {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const folder = mkdtempSync(join(root, 'node_modules', '.gitwiki-fuzz-'))
  const outfile = join(folder, 'properties.mjs')
  try {
    const entryPoints = [join(root, 'test/html2wt/_properties.ts')]
    await build({
      entryPoints,
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'error',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
