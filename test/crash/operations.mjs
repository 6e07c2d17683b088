/**
 * Turns traced calls into operations on the nodes (files, folders, links) of one folder:
 *
 *     { kind: 'write', node, position, data }        { kind: 'truncate', node, size }
 *     { kind: 'name', parent, name, node }           { kind: 'unname', parent, name, node }
 *     { kind: 'move', parent, name, toParent, toName, node }
 *     { kind: 'sync', node, covers }                 what was done before operation `covers` is durable
 *     { kind: 'syncAll', covers }
 *     { kind: 'step', step } { kind: 'ack', step }   a step of the scenario begins, or is acknowledged
 *
 * A node has a number, so that an operation on an open file is known whatever its name is by then.
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bytesOf, handleOf } from './trace.mjs'

/** Reads a folder as nodes: all of it counts as durable. */
export function snapshot(root) {
  const nodes = []
  const known = new Map()
  const add = path => {
    const stat = lstatSync(path)
    if (known.has(stat.ino)) return known.get(stat.ino)
    const node = { id: nodes.length, mode: stat.mode & 0o777, mtime: stat.mtimeMs / 1000 }
    nodes.push(node)
    known.set(stat.ino, node.id)
    if (stat.isDirectory()) {
      node.names = new Map()
      for (const name of readdirSync(path)) node.names.set(name, add(join(path, name)))
    } else if (stat.isSymbolicLink()) node.target = readlinkSync(path)
    else node.data = readFileSync(path)
    return node.id
  }
  add(root)
  return nodes
}

export class Recording {
  /** Nodes at the beginning: `names` of a folder, `data` of a file, `target` of a link; and those made later. */
  nodes
  operations = []
  #root
  /** The folder as it is now: names of each folder. */
  #names = new Map()
  #sizes = new Map()

  constructor(root) {
    this.#root = root
    this.nodes = snapshot(root)
    for (const node of this.nodes) {
      if (node.names) this.#names.set(node.id, new Map(node.names))
      if (node.data) this.#sizes.set(node.id, node.data.length)
    }
  }

  mark(kind, step) {
    this.operations.push({ kind, step })
  }

  /**
   * Adds the calls of a command that began in a folder. `onCall` sees each call before it is added, with the recording, to note
   * an acknowledgement.
   */
  add(calls, cwd, onCall = () => {}) {
    const processes = new Processes(calls, cwd)
    /** Operations that had been done when the trace was at a place: to say what a sync covers. */
    this.#ended = []
    for (const call of calls) {
      const before = this.operations.length
      onCall(call, this)
      this.#call(call, processes.of(call.pid))
      if (this.operations.length > before) this.#ended.push([call.ended, this.operations.length])
      processes.after(call)
    }
  }
  #ended = []

  /** Operations that had ended before a place of the trace. */
  #doneBefore(place) {
    let count = null
    for (let at = this.#ended.length - 1; at >= 0; at--)
      if (this.#ended[at][0] <= place) {
        count = this.#ended[at][1]
        break
      }
    return count ?? this.#first
  }
  #first = 0

  #call(call, process) {
    const { name, words, result } = call
    if (this.#ended.length === 0) this.#first = this.operations.length
    const handler = handlers[name]
    if (handler === undefined) return
    const at = { call, process, words, result, path: (folder, word) => process.path(folder, word) }
    handler.call(this, at)
  }

  // Names.

  /** The node of a path; undefined outside the folder, or where there is none. */
  find(path) {
    const parts = this.#inside(path)
    if (parts === null) return undefined
    let node = 0
    for (const part of parts) {
      node = this.#names.get(node)?.get(part)
      if (node === undefined) return undefined
    }
    return node
  }

  #inside(path) {
    if (path === this.#root) return []
    return path.startsWith(`${this.#root}/`) ? path.slice(this.#root.length + 1).split('/') : null
  }

  /** The folder of a path and its name there; null outside. */
  #place(path) {
    const parts = this.#inside(path)
    if (parts === null || parts.length === 0) return null
    const name = parts.at(-1)
    const parent = this.find(join(this.#root, ...parts.slice(0, -1)))
    if (parent === undefined) throw new Error(`the folder of ${path} is unknown`)
    return { parent, name }
  }

  make(path, node) {
    const place = this.#place(path)
    if (place === null) return undefined
    const id = this.nodes.length
    this.nodes.push({ id, ...node, isNew: true })
    if (node.names) this.#names.set(id, new Map())
    if (node.data) this.#sizes.set(id, 0)
    this.#names.get(place.parent).set(place.name, id)
    this.operations.push({ kind: 'name', ...place, node: id })
    return id
  }

  link(from, to) {
    const node = this.find(from)
    const place = this.#place(to)
    if (place === null) return
    if (node === undefined) throw new Error(`a link from outside: ${from}`)
    this.#names.get(place.parent).set(place.name, node)
    this.operations.push({ kind: 'name', ...place, node })
  }

  unlink(path) {
    const place = this.#place(path)
    if (place === null) return
    const node = this.find(path)
    this.#names.get(place.parent).delete(place.name)
    this.operations.push({ kind: 'unname', ...place, node })
  }

  rename(from, to) {
    const [source, target] = [this.#place(from), this.#place(to)]
    if (source === null && target === null) return
    if (source === null || target === null) throw new Error(`a rename across the folder's border: ${from} ${to}`)
    const node = this.find(from)
    // Source: rename(2). Two names of one file: nothing happens.
    if (node === this.find(to)) return
    this.#names.get(source.parent).delete(source.name)
    this.#names.get(target.parent).set(target.name, node)
    this.operations.push({ kind: 'move', ...source, toParent: target.parent, toName: target.name, node })
  }

  // Content.

  write(node, at, data) {
    if (node === undefined || data.length === 0) return
    this.#sizes.set(node, Math.max(this.size(node), at + data.length))
    this.operations.push({ kind: 'write', node, position: at, data })
  }

  truncate(node, size) {
    if (node === undefined || size === this.size(node)) return
    this.#sizes.set(node, size)
    this.operations.push({ kind: 'truncate', node, size })
  }

  size(node) {
    return this.#sizes.get(node) ?? 0
  }

  sync(node, began) {
    if (node !== undefined) this.operations.push({ kind: 'sync', node, covers: this.#doneBefore(began) })
  }

  syncAll(began) {
    this.operations.push({ kind: 'syncAll', covers: this.#doneBefore(began) })
  }
}

/** An open file: its node, and the place of the next write. */
function openFile(at, path, flags, mode) {
  const { process, result } = at
  let node = this.find(path)
  if (node === undefined && /O_CREAT/.test(flags))
    node = this.make(path, { data: Buffer.alloc(0), mode: mode & ~0o022 })
  else if (node !== undefined && /O_TRUNC/.test(flags)) this.truncate(node, 0)
  process.handles.set(result, { node, path, at: 0, isAppended: /O_APPEND/.test(flags) })
}

function writeAt(at, handle, data, position = null) {
  if (handle?.node === undefined) return
  const { result } = at
  if (position !== null) return this.write(handle.node, position, data.subarray(0, result))
  const start = handle.isAppended ? this.size(handle.node) : handle.at
  this.write(handle.node, start, data.subarray(0, result))
  handle.at = start + result
}

const handleIn = (at, word) => at.process.handles.get(handleOf(word).number)
const numberOf = word => Number(word.replace(/^0(?=\d)/, '0o'))
const copying = at => {
  if (handleIn(at, at.words[at.call.name === 'copy_file_range' ? 2 : 0])?.node !== undefined && at.result > 0)
    throw new Error(`${at.call.name} into the folder: its content is not in the trace`)
}

/** The effect of each call. `this` is the recording. */
const handlers = {
  open(at) {
    openFile.call(this, at, at.path(null, at.words[0]), at.words[1], numberOf(at.words[2] ?? '0666'))
  },
  openat(at) {
    openFile.call(this, at, at.path(at.words[0], at.words[1]), at.words[2], numberOf(at.words[3] ?? '0666'))
  },
  creat(at) {
    openFile.call(this, at, at.path(null, at.words[0]), 'O_CREAT|O_TRUNC', numberOf(at.words[1]))
  },
  close(at) {
    at.process.handles.delete(handleOf(at.words[0]).number)
  },
  dup: duplicate,
  dup2: duplicate,
  dup3: duplicate,
  fcntl(at) {
    if (/F_DUPFD/.test(at.words[1])) duplicate.call(this, at)
  },
  lseek(at) {
    const handle = handleIn(at, at.words[0])
    if (handle !== undefined) handle.at = at.result
  },
  write(at) {
    writeAt.call(this, at, handleIn(at, at.words[0]), bytesOf(at.words[1]))
  },
  writev(at) {
    writeAt.call(this, at, handleIn(at, at.words[0]), bytesOf(at.words[1]))
  },
  pwrite64: writeThere,
  pwritev: writeThere,
  pwritev2: writeThere,
  ftruncate(at) {
    this.truncate(handleIn(at, at.words[0])?.node, Number(at.words[1]))
  },
  truncate(at) {
    this.truncate(this.find(at.path(null, at.words[0])), Number(at.words[1]))
  },
  fallocate(at) {
    if (handleIn(at, at.words[0])?.node !== undefined) throw new Error('fallocate is not modelled')
  },
  copy_file_range: copying,
  sendfile: copying,
  splice: copying,
  ioctl(at) {
    if (/FICLONE/.test(at.words[1] ?? '')) copying.call(this, { ...at, result: 1 })
  },
  mmap(at) {
    if (/PROT_WRITE/.test(at.words[2]) && /MAP_SHARED/.test(at.words[3]) && /^\d/.test(at.words[4]))
      if (handleIn(at, at.words[4])?.node !== undefined) throw new Error('a shared mapping is not modelled')
  },
  fsync: syncFile,
  fdatasync: syncFile,
  // It does not sync: the disk's cache is not flushed. Source: sync_file_range(2).
  sync_file_range() {},
  syncfs(at) {
    this.syncAll(at.call.began)
  },
  sync(at) {
    this.syncAll(at.call.began)
  },
  rename(at) {
    this.rename(at.path(null, at.words[0]), at.path(null, at.words[1]))
  },
  renameat(at) {
    this.rename(at.path(at.words[0], at.words[1]), at.path(at.words[2], at.words[3]))
  },
  renameat2(at) {
    if (/EXCHANGE/.test(at.words[4])) throw new Error('an exchange of names is not modelled')
    this.rename(at.path(at.words[0], at.words[1]), at.path(at.words[2], at.words[3]))
  },
  link(at) {
    this.link(at.path(null, at.words[0]), at.path(null, at.words[1]))
  },
  linkat(at) {
    this.link(at.path(at.words[0], at.words[1]), at.path(at.words[2], at.words[3]))
  },
  unlink(at) {
    this.unlink(at.path(null, at.words[0]))
  },
  unlinkat(at) {
    this.unlink(at.path(at.words[0], at.words[1]))
  },
  rmdir(at) {
    this.unlink(at.path(null, at.words[0]))
  },
  symlink(at) {
    this.make(at.path(null, at.words[1]), { target: bytesOf(at.words[0]).toString() })
  },
  symlinkat(at) {
    this.make(at.path(at.words[1], at.words[2]), { target: bytesOf(at.words[0]).toString() })
  },
  mkdir(at) {
    this.make(at.path(null, at.words[0]), { names: new Map(), mode: numberOf(at.words[1]) & ~0o022 })
  },
  mkdirat(at) {
    this.make(at.path(at.words[0], at.words[1]), { names: new Map(), mode: numberOf(at.words[2]) & ~0o022 })
  },
}

function duplicate(at) {
  at.process.handles.set(at.result, handleIn(at, at.words[0]))
}

function writeThere(at) {
  writeAt.call(this, at, handleIn(at, at.words[0]), bytesOf(at.words[1]), Number(at.words[3]))
}

function syncFile(at) {
  this.sync(handleIn(at, at.words[0])?.node, at.call.began)
}

/** Open files and working directories of all processes of a trace. */
class Processes {
  #known = new Map()
  #parents = new Map()
  #cwd

  constructor(calls, cwd) {
    this.#cwd = cwd
    // A child's first calls may stand before the end of the call that made it.
    for (const { pid, name, words, result } of calls)
      if (isFork(name)) this.#parents.set(result, { pid, isThread: /CLONE_THREAD/.test(words.join()) })
  }

  of(pid) {
    const known = this.#known.get(pid)
    if (known !== undefined) return known
    const from = this.#parents.get(pid)
    const parent = from === undefined ? new Process(new Map(), this.#cwd) : this.of(from.pid)
    const process = from?.isThread ? parent : parent.copy()
    this.#known.set(pid, process)
    return process
  }

  after({ pid, name, words, result }) {
    // A child has what its parent had open at that moment.
    if (isFork(name)) this.of(result)
    const process = this.of(pid)
    if (name === 'chdir') process.cwd = process.path(null, words[0])
    if (name === 'fchdir') process.cwd = handleOf(words[0]).path
  }
}

const isFork = name => /^(?:clone3?|v?fork)$/.test(name)

class Process {
  handles
  cwd

  constructor(handles, cwd) {
    this.handles = handles
    this.cwd = cwd
  }

  copy() {
    return new Process(new Map(this.handles), this.cwd)
  }

  /** The absolute path of an argument: relative to a folder that is open, or through `/proc/self/fd`. */
  path(folder, word) {
    const path = bytesOf(word).toString()
    const { number = null, path: opened = null } = folder === null ? {} : handleOf(folder)
    const base = number === null ? this.cwd : (this.handles.get(number)?.path ?? opened)
    const whole = resolve(base, path)
    const [, open, rest] = /^\/proc\/(?:self|\d+)\/fd\/(\d+)(.*)$/.exec(whole) ?? []
    return open === undefined ? whole : `${this.handles.get(Number(open))?.path ?? '/unknown'}${rest}`
  }
}
