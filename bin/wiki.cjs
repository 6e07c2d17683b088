#!/usr/bin/env node
'use strict'

// Runs dist/wiki.cjs. V8's code for it, made by scripts/build.mjs, lies beside it: reading that is faster than compiling.
// The file's name holds Node's version, and V8 checks again. Other versions from 22 on keep such code by themselves.
// WIKI_DEBUG takes the way of require(), which knows source maps.

const { existsSync, readFileSync } = require('node:fs')
const { dirname, join } = require('node:path')

const filename = join(__dirname, '..', 'dist', 'wiki.cjs')
const compiled = `${filename}.${process.version}-${process.platform}-${process.arch}`
const version = () => require('../package.json').version

if (!existsSync(filename)) {
  console.error('wiki: it is not built yet\nhint: npm run build')
  process.exitCode = 2
} else if (existsSync(compiled) && !process.env.WIKI_DEBUG) {
  const { constants, Script } = require('node:vm')
  // esbuild writes ASCII.
  const source = readFileSync(filename, 'latin1')
  const script = new Script(`(function (module, exports, require, __filename, __dirname) {${source}\n})`, {
    filename,
    cachedData: readFileSync(compiled),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const bundle = { exports: {} }
  script.runInThisContext()(bundle, bundle.exports, require, filename, dirname(filename))
  module.exports = { script, done: bundle.exports.run({ version }) }
} else {
  if (process.env.WIKI_DEBUG) process.setSourceMapsEnabled(true)
  require('node:module').enableCompileCache?.()
  require(filename).run({ version })
}
