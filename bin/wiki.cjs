#!/usr/bin/env node
'use strict'

// Runs dist/wiki.cjs. scripts/build.mjs stores V8's compiled code beside each bundle, because reading it is faster than compiling.
// The names of these files contain the version of Node, and V8 checks it again. Later versions, from 22 on, cache compiled code
// themselves. With WIKI_DEBUG the bundle is loaded by require(), which supports source maps.

const { existsSync, readFileSync } = require('node:fs')
const { dirname, join } = require('node:path')

const dist = join(__dirname, '..', 'dist')
const filename = join(dist, 'wiki.cjs')
const version = () => require('../package.json').version
const compiledFile = file => `${file}.${process.version}-${process.platform}-${process.arch}`
const hasCompiled = file => existsSync(compiledFile(file)) && !process.env.WIKI_DEBUG
/** The scripts that were run from compiled code, by the bundle's file. */
const scripts = new Map()
const loaded = new Map()

/** Evaluates a bundle, and the bundles that it requires in the same way, so that none of them, nor its state, exists twice. */
function load(file) {
  const { constants, Script } = require('node:vm')
  // esbuild escapes strings, but leaves regular expressions and tagged templates in UTF-8.
  const source = readFileSync(file, 'utf8')
  const script = new Script(`(function (module, exports, require, __filename, __dirname) {${source}\n})`, {
    filename: file,
    cachedData: hasCompiled(file) ? readFileSync(compiledFile(file)) : undefined,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  scripts.set(file, script)
  const bundle = { exports: {} }
  loaded.set(file, bundle)
  script.runInThisContext()(bundle, bundle.exports, requireBundle, file, dirname(file))
  return bundle.exports
}

function requireBundle(name) {
  if (loaded.has(name)) return loaded.get(name).exports
  return dirname(name) === dist ? load(name) : require(name)
}

if (!existsSync(filename)) {
  console.error('wiki: it is not built yet\nhint: npm run build')
  process.exitCode = 2
} else if (hasCompiled(filename)) {
  module.exports = { scripts, done: load(filename).run({ version }) }
} else {
  if (process.env.WIKI_DEBUG) process.setSourceMapsEnabled(true)
  require('node:module').enableCompileCache?.()
  require(filename).run({ version })
}
