/**
 * Loaded before a program by `node --require`: before each synchronous call that looks at or changes a file of the folder BY_TURNS, the
 * process asks at descriptor 3 for its turn, and waits for it at descriptor 4.
 */
const fs = require('node:fs')
const { sep } = require('node:path')

const { readSync, writeSync } = fs
const folder = `${process.env.BY_TURNS}${sep}`
const pause = new Int32Array(new SharedArrayBuffer(4))

function waitForTurn(name) {
  writeSync(3, `${name}\n`)
  for (;;)
    try {
      return readSync(4, Buffer.alloc(1))
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
      Atomics.wait(pause, 0, 0, 1)
    }
}

for (const name of ['linkSync', 'openSync', 'readFileSync', 'renameSync', 'rmSync', 'unlinkSync']) {
  const real = fs[name]
  fs[name] = (path, ...rest) => {
    if (typeof path === 'string' && path.startsWith(folder)) waitForTurn(name)
    return real(path, ...rest)
  }
}
require('node:module').syncBuiltinESMExports()
