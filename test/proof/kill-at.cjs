/**
 * Loaded before the program by `node --require`: ends it with SIGKILL before the call number KILL_AT among those that change
 * the file system, or, where KILL_HALF is set and that call writes bytes, after half of them. KILL_LOG is where a process that
 * was not killed notes how many such calls it made.
 */
const fs = require('node:fs')

const { KILL_AT, KILL_HALF, KILL_LOG } = process.env
const [target, half] = [Number(KILL_AT), KILL_HALF === '1']
const names = [
  'writeFile',
  'appendFile',
  'rename',
  'link',
  'rm',
  'rmdir',
  'unlink',
  'mkdir',
  'fsync',
  'ftruncate',
  'write',
]
const { writeFileSync, writeSync } = fs
const writes = { writeFileSync, writeSync }
let calls = 0

function die() {
  process.kill(process.pid, 'SIGKILL')
  // The signal arrives before the next instruction that matters.
  for (;;);
}

/** Of a write by name or by number: the first half of its bytes. */
function writeHalf(name, [file, content]) {
  const bytes = Buffer.from(content)
  writes[name](file, bytes.subarray(0, bytes.length >> 1))
}

function isOurs(name, [file]) {
  // What goes to the terminal is no change of the file system.
  return !(name.startsWith('write') && (file === 1 || file === 2))
}

function watch(holder, name) {
  const real = holder[name]
  if (typeof real !== 'function') return
  holder[name] = function (...args) {
    if (isOurs(name, args) && ++calls === target) {
      if (half && name in writes) writeHalf(name, args)
      die()
    }
    return real.apply(this, args)
  }
}

for (const name of names) {
  watch(fs, `${name}Sync`)
  watch(fs, name)
  watch(fs.promises, name)
}
if (KILL_LOG) process.on('exit', () => writeFileSync(KILL_LOG, String(calls)))
