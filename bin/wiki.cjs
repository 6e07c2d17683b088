#!/usr/bin/env node
'use strict'

// Runs dist/wiki.cjs. V8's code for it lies beside it, made by scripts/build.mjs: reading it is faster than compiling.
// Its name holds Node's version, and V8 looks again; where it does not fit, the source is compiled.

const { readFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { constants, Script } = require('node:vm')

const filename = join(__dirname, '..', 'dist', 'wiki.cjs')
const source = read(filename)?.toString('latin1')
if (source === undefined) {
  console.error('wiki: it is not built yet\nhint: npm run build')
  process.exitCode = 2
} else {
  const script = new Script(`(function (module, exports, require, __filename, __dirname) {${source}\n})`, {
    filename,
    cachedData: read(`${filename}.${process.version}-${process.platform}-${process.arch}`),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const bundle = { exports: {} }
  script.runInThisContext()(bundle, bundle.exports, require, filename, dirname(filename))
  const done = bundle.exports.run({ version: () => require('../package.json').version })
  module.exports = { script, done }
}

function read(path) {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}
