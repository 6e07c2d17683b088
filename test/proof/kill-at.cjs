/**
 * Loaded before the program by `node --require`: ends it with SIGKILL before call number KILL_AT of those that change the file
 * system or, if KILL_HALF is set and that call writes bytes, after half of them. A process that was not killed writes the names of these
 * calls to the file KILL_LOG. With KILL_FROM, calls count only once a file of this name exists; with KILL_OWN, once that is a lock
 * of this process. With KILL_SIGNAL=SIGSTOP it pauses there.
 */
const fs = require('node:fs')

const { KILL_AT, KILL_HALF, KILL_LOG, KILL_FROM, KILL_OWN, KILL_SIGNAL = 'SIGKILL' } = process.env
const [target, half] = [Number(KILL_AT), KILL_HALF === '1']
const names = [
  'appendFile',
  'copyFile',
  'fsync',
  'ftruncate',
  'link',
  'mkdir',
  'open',
  'rename',
  'rm',
  'rmdir',
  'unlink',
  'write',
  'writeFile',
]
const { constants, existsSync, openSync, closeSync, readFileSync, writeFileSync, writeSync } = fs
const calls = []
let counts = KILL_FROM === undefined

function begins() {
  if (!existsSync(KILL_FROM)) return false
  return KILL_OWN === undefined || readFileSync(KILL_FROM, 'utf8').includes(` ${process.pid} `)
}

function die() {
  process.kill(process.pid, KILL_SIGNAL)
  // The signal arrives before the next instruction that matters.
  while (KILL_SIGNAL === 'SIGKILL');
}

/** Writers of the first half of the bytes, by the name of the call. */
const halves = {
  writeFileSync: ([file, content], part) => writeFileSync(file, part(content)),
  writeSync: ([file, content]) => writeSync(file, halfOf(content)),
  appendFileSync: ([path, content]) => {
    const file = openSync(path, 'a')
    writeSync(file, halfOf(content))
    closeSync(file)
  },
  'handle.writeFile': ([content], _, handle) => writeSync(handle.fd, halfOf(content)),
}

function halfOf(content) {
  const bytes = Buffer.from(content)
  return bytes.subarray(0, bytes.length >> 1)
}

function isOurs(name, [file, flags = 'r']) {
  counts ||= begins()
  if (!counts) return false
  if (name.startsWith('open')) return typeof flags === 'number' ? (flags & constants.O_CREAT) !== 0 : flags !== 'r'
  // Output to the terminal is not a change of the file system.
  return !(name.startsWith('write') && (file === 1 || file === 2))
}

/** Notes a call, or dies of it. */
function meet(name, parameters, holder) {
  calls.push(name)
  if (calls.length !== target) return
  if (half && name in halves) halves[name](parameters, halfOf, holder)
  die()
}

function watch(holder, name, label = name) {
  const real = holder[name]
  if (typeof real !== 'function') return
  holder[name] = function (...args) {
    if (isOurs(label, args)) meet(label, args, holder)
    return real.apply(this, args)
  }
}

for (const name of names) {
  watch(fs, `${name}Sync`)
  watch(fs, name)
  watch(fs.promises, name)
}

/** Files opened for writing are watched, too. */
const { open } = fs.promises
fs.promises.open = async (...args) => {
  const handle = await open(...args)
  for (const name of ['writeFile', 'sync']) watch(handle, name, `handle.${name}`)
  return handle
}
// For programs that import from it.
require('node:module').syncBuiltinESMExports()
if (KILL_LOG) process.on('exit', () => writeFileSync(KILL_LOG, calls.join('\n')))
