/** Every regular expression of the sources: those written as literals, and those that are combined when a module is loaded. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { parseAst } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Lists them: `{ file, source, flags }`, each pattern once; `sites` counts the calls of the constructor in each file. */
export async function listRegexes() {
  const found = new Map()
  const sites = {}
  const files = readdirSync(join(root, 'src'), { recursive: true }).map(String).filter(isSource).sort()
  for (const file of files) readFile(file.replaceAll('\\', '/'), found, sites)
  for (const { source, flags } of await constructed(Object.keys(sites))) add(found, 'put together', source, flags)
  return { regexes: [...found.values()], sites }
}

const isSource = name => name.endsWith('.ts') && !name.endsWith('.d.ts')

function readFile(file, found, sites) {
  const open = [parseAst(readFileSync(join(root, 'src', file), 'utf8'), { lang: 'ts' })]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'Literal' && node.regex) add(found, file, node.regex.pattern, node.regex.flags)
    const isCall = node.type === 'NewExpression' || node.type === 'CallExpression'
    if (isCall && node.callee.name === 'RegExp') sites[file] = (sites[file] ?? 0) + 1
    for (const value of Object.values(node)) open.push(...[value].flat().filter(one => one && typeof one === 'object'))
  }
}

function add(found, file, source, flags) {
  const key = `/${source}/${flags}`
  if (!found.has(key)) found.set(key, { key, file, source, flags })
}

/** Loads modules while the RegExp constructor is observed. */
async function constructed(files) {
  const outfile = join(root, 'dist/proof/regexes.mjs')
  const contents = files.map(file => `import './src/${file}'`).join('\n')
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  })
  const made = []
  const own = globalThis.RegExp
  const note = regex => {
    made.push(regex)
    return regex
  }
  globalThis.RegExp = new Proxy(own, { construct: (target, parameters) => note(new target(...parameters)) })
  try {
    await import(`${pathToFileURL(outfile).href}?${Date.now()}`)
  } finally {
    globalThis.RegExp = own
  }
  return made
}
