/**
 * Times cold commands, from the start of the process to its end, beside an empty Node program and beside `git log` of the page;
 * and the gain of the single bundle, of V8's stored code for it, and of loading packages late.
 *
 *     npm run build && node test/bench/start.mjs [--quick]
 */

import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyOf, pathOf } from './generate-wiki.mjs'
import * as bench from './measure.mjs'

// Packages are resolved from here.
process.chdir(bench.root)

const packages = ['commander', 'chalk', 'isomorphic-git', 'h3', 'listhen', 'minisearch', 'diff']

const folder = await bench.generated(bench.size)
const page = bench.size.pages >> 1
const [title, path] = [keyOf(page), pathOf(page)]
const name = `${bench.size.pages} pages, ${bench.size.commits} commits`
const { bareNode, wikiCommand } = bench

await besideNode()
await besideGit()
await otherBuilds()

async function besideNode() {
  const { node, version, history, get, list } = await bench.interleave({
    node: bareNode,
    version: wikiCommand(folder, '--version'),
    history: wikiCommand(folder, 'history', title),
    get: wikiCommand(folder, 'page', 'get', title),
    list: wikiCommand(folder, 'page', 'list', '-n', '20'),
  })
  bench.table(`Cold commands beside node -e 0: ${name}`, [
    { what: 'wiki --version', ours: version, beside: node },
    { what: 'wiki history <page>', ours: history, beside: node, target: '≤ 1.6' },
    { what: 'wiki page get <page>', ours: get, beside: node, target: '≤ 2.5' },
    { what: 'wiki page list -n 20', ours: list, beside: node },
  ])
}

async function besideGit() {
  const { git, history, get } = await bench.interleave({
    git: bench.command('git', '-C', folder, 'log', '-20', '--', path),
    history: wikiCommand(folder, 'history', title),
    get: wikiCommand(folder, 'page', 'get', title),
  })
  bench.table('Cold commands beside git log -20 -- <path>', [
    { what: 'wiki history <page>', ours: history, beside: git },
    { what: 'wiki page get <page>', ours: get, beside: git },
  ])
}

/** The same command, started in other ways. */
async function otherBuilds() {
  const importAll = `Promise.all(${JSON.stringify(packages)}.map(name => import(name)))`
  const parameters = ['history', title, '-C', folder]
  const { product, uncompiled, modules, eager } = await bench.interleave({
    product: wikiCommand(folder, 'history', title),
    uncompiled: inNode("require('./dist/wiki.cjs').run({ version: () => '' })", parameters),
    modules: bench.command(process.execPath, compileModules(), ...parameters),
    eager: inNode(`${importAll}.then(() => require('./bin/wiki.cjs'))`, parameters),
  })
  bench.table('wiki history <page> started in other ways, beside the product', [
    { what: "the bundle without V8's stored code", ours: uncompiled, beside: product },
    { what: 'modules, one file each, not bundled', ours: modules, beside: product },
    { what: `all ${packages.length} packages imported first`, ours: eager, beside: product },
  ])
}

function inNode(code, parameters) {
  return bench.command(process.execPath, '-e', code, '--', 'wiki', ...parameters)
}

/** Compiles the sources separately; returns the file to start. */
function compileModules() {
  const out = bench.scratch()
  symlinkSync(join(bench.root, 'node_modules'), join(out, 'node_modules'))
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(out, 'start.js'), "import { run } from './cli/bin.js'\nawait run({ version: () => '' })\n")
  const config = {
    extends: join(bench.root, 'tsconfig.json'),
    compilerOptions: { noEmit: false, noCheck: true, rootDir: join(bench.root, 'src'), outDir: out },
    files: [join(bench.root, 'src/cli/bin.ts')],
    include: [],
  }
  writeFileSync(join(out, 'tsconfig.json'), JSON.stringify(config))
  bench.run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', out])
  return join(out, 'start.js')
}
