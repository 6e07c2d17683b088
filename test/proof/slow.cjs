/**
 * Loaded before the program by `node --require`: a slow disk. Before each call that gives or takes the name of a file outside of
 * `.git` the process waits for at most SLOW milliseconds, so that others meet the moment between its reading and its writing.
 */
const fs = require('node:fs')
const { sep } = require('node:path')

const longest = Number(process.env.SLOW)
const pause = new Int32Array(new SharedArrayBuffer(4))
const isWorkFile = path => typeof path === 'string' && !path.includes(`${sep}.git${sep}`)

function slow(holder, name) {
  const real = holder[name]
  holder[name] = function (...args) {
    if (isWorkFile(args[0])) Atomics.wait(pause, 0, 0, Math.random() * longest)
    return real.apply(this, args)
  }
}

for (const name of ['link', 'rename', 'rm', 'unlink'])
  for (const [holder, suffix] of [
    [fs, 'Sync'],
    [fs, ''],
    [fs.promises, ''],
  ])
    slow(holder, `${name}${suffix}`)
require('node:module').syncBuiltinESMExports()
