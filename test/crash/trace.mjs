/**
 * Runs a command under strace and returns the calls of all its processes that change, or sync, a file system, in the order in
 * which they ended. The product and every git that it starts are seen as they are: nothing of them is replaced.
 *
 * Source: strace(1). With `-xx` every string is hexadecimal, so no path or content is ambiguous.
 */
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'

const calls = [
  ...['open', 'openat', 'creat', 'close', 'dup', 'dup2', 'dup3', 'fcntl', 'lseek', 'chdir', 'fchdir'],
  ...['write', 'pwrite64', 'writev', 'pwritev', 'pwritev2', 'ftruncate', 'truncate', 'fallocate'],
  ...['copy_file_range', 'sendfile', 'ioctl', 'splice', 'mmap'],
  ...['fsync', 'fdatasync', 'sync_file_range', 'syncfs', 'sync', 'msync'],
  ...['rename', 'renameat', 'renameat2', 'link', 'linkat', 'unlink', 'unlinkat', 'symlink', 'symlinkat'],
  ...['mkdir', 'mkdirat', 'rmdir', 'chmod', 'fchmod', 'fchmodat'],
  ...['clone', 'clone3', 'fork', 'vfork'],
]

/** Longest string that strace prints: as long as a write of the scenarios may be. */
const longestString = 2 ** 24

const options = [
  '-f',
  '--seccomp-bpf',
  '-qq',
  '-y',
  '-xx',
  '-s',
  String(longestString),
  '-e',
  `trace=${calls.join(',')}`,
]

/** Returns why no command can be traced here; null if one can. */
export function whyNoTrace() {
  const tried = spawnSync('strace', ['-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', 'true'], { encoding: 'utf8' })
  if (tried.error !== undefined) return 'there is no strace'
  return tried.status === 0 ? null : `strace may not trace: ${tried.stderr.trim().split('\n')[0]}`
}

/**
 * Starts a traced command; `how`: options of `spawn`, and `input`. Returns its process, and `done`, which resolves to the status,
 * the output, and the trace, when the last process that it started has ended.
 */
export function startTraced(log, [command, ...words], { input = '', ...how } = {}) {
  closeSync(openSync(log, 'w'))
  const child = spawn('strace', [...options, '-o', log, '--', command, ...words], { stdio: 'pipe', ...how })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) child[name].on('data', piece => (printed[name] += piece))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const done = new Promise(resolve => child.once('close', resolve)).then(status => {
    const text = readFileSync(log, 'latin1')
    rmSync(log)
    return { status, ...printed, calls: parseTrace(text) }
  })
  return { child, printed, done }
}

/**
 * A call: `pid`, `name`, `words` (its arguments as strace prints them), `result` (a number), `path` (that of a returned handle),
 * and the places in the trace where it `began` and `ended`. Failed calls are left out.
 */
export function parseTrace(text) {
  const found = []
  const unfinished = new Map()
  let place = 0
  for (const line of text.split('\n')) {
    const [, pid, said] = /^(\d+) +(.*)$/.exec(line) ?? []
    place++
    if (said === undefined || /^(?:\+\+\+|---)/.test(said)) continue
    const begun = /^(.*) <unfinished \.\.\.>$/.exec(said)
    if (begun !== null) {
      unfinished.set(pid, { said: begun[1], began: place })
      continue
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(said)
    const before = resumed === null ? undefined : unfinished.get(pid)
    const whole = before === undefined ? said : before.said + resumed[1]
    const call = parseCall(whole)
    if (call !== null) found.push({ pid: Number(pid), ...call, began: before?.began ?? place, ended: place })
  }
  return found
}

function parseCall(said) {
  const [, name, inside, result] = /^(\w+)\((.*)\)\s+= (.*)$/.exec(said) ?? []
  if (name === undefined || !/^\d/.test(result)) return null
  if (/"\.\.\./.test(inside)) throw new Error(`strace has cut a string of ${name} short`)
  const path = /^\d+<((?:\\x[0-9a-f]{2})*)>/.exec(result)?.[1]
  return { name, words: splitWords(inside), result: Number.parseInt(result, 10), path: path && plain(path).toString() }
}

/** Splits arguments at the commas outside of brackets. */
function splitWords(inside) {
  const words = []
  let depth = 0
  let word = ''
  for (const piece of inside.split(/(, |[[\]{}])/)) {
    if (/^[[{]$/.test(piece)) depth++
    if (/^[\]}]$/.test(piece)) depth--
    if (piece === ', ' && depth === 0) {
      words.push(word)
      word = ''
    } else word += piece
  }
  return [...words, word]
}

function plain(hexadecimal) {
  return Buffer.from(hexadecimal.replaceAll('\\x', ''), 'hex')
}

/** Bytes of the strings of an argument, one after the other. */
export function bytesOf(word) {
  return Buffer.concat([...word.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, text]) => plain(text)))
}

/** A handle as an argument: its number (null for the working directory), and the path that it had. */
export function handleOf(word) {
  const [, number, path] = /^(\d+|AT_FDCWD)(?:<((?:\\x[0-9a-f]{2})*)>)?/.exec(word) ?? []
  if (number === undefined) throw new Error(`no handle: ${word}`)
  return {
    number: number === 'AT_FDCWD' ? null : Number(number),
    path: path === undefined ? null : plain(path).toString(),
  }
}
