/**
 * States of a disk after a power cut. A recording has the operations; a cut is a number of them that were done. What was
 * synced by then is there. Of the rest:
 *
 * - `journal`: names and folders are one sequence, of which a beginning is there: at least up to the last operation on any node
 *   that was synced. Source: the kernel's Documentation/filesystems/ext4/journal.rst; xfs is the same in this.
 * - `folders`: each folder keeps its own beginning, at least up to its own last sync. A rename between two folders may leave both
 *   names, never none. Nothing more is promised by fsync(2): "Calling fsync() does not necessarily ensure that the entry in the
 *   directory containing the file has also reached disk."
 *
 * The content of a file that was not synced is as at its last sync (a new file is empty), or torn, or whole; in `folders` also of
 * the right length, and zeros (ext4's `data=writeback`, and older XFS).
 */
import { createHash } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'

export const models = ['journal', 'folders']
const contents = { journal: ['lost', 'torn', 'whole'], folders: ['lost', 'torn', 'zeros', 'whole'] }

/** Everything pending at a cut: operations on names, by their places, and files with content that was not synced. */
export class Cut {
  constructor(recording, cut, model) {
    this.recording = recording
    this.cut = cut
    this.model = model
    this.step = -1
    this.acknowledged = -1
    /** Operations on names, in order; the first `durable` of a sequence are on the disk. */
    this.sequences = new Map()
    this.durable = new Map()
    /** Operations on the content of each file. */
    this.writes = new Map()
    const lastOf = new Map()
    for (let at = 0; at < cut; at++) this.#pass(recording.operations[at], at, lastOf)
  }

  #pass(operation, at, lastOf) {
    const { kind, node } = operation
    if (kind === 'step') this.step = operation.step
    if (kind === 'ack') this.acknowledged = operation.step
    if (kind === 'write' || kind === 'truncate') {
      push(this.writes, node, { at, ...operation })
      lastOf.set(node, at)
    }
    if (kind === 'name' || kind === 'unname' || kind === 'move') {
      for (const sequence of this.#sequencesOf(operation)) push(this.sequences, sequence, { at, ...operation })
      for (const touched of [node, operation.parent, operation.toParent]) lastOf.set(touched, at)
    }
    if (kind === 'sync') this.#sync(node, operation.covers, lastOf)
    if (kind === 'syncAll') {
      for (const file of this.writes.keys()) this.#syncContent(file, operation.covers)
      for (const sequence of this.sequences.keys()) this.#syncNames(sequence, operation.covers)
    }
  }

  #sequencesOf({ parent, toParent = parent }) {
    if (this.model === 'journal') return ['journal']
    return parent === toParent ? [parent] : [parent, toParent]
  }

  #sync(node, covers, lastOf) {
    this.#syncContent(node, covers)
    if (this.model === 'folders') return this.#syncNames(node, covers)
    // The journal is committed up to the node's last change, if that was before the sync began.
    const last = lastOf.get(node)
    if (last !== undefined) this.#syncNames('journal', Math.min(last + 1, covers))
  }

  #syncContent(node, covers) {
    const writes = this.writes.get(node)
    if (writes !== undefined)
      writes.durable = Math.max(writes.durable ?? 0, writes.filter(({ at }) => at < covers).length)
  }

  #syncNames(sequence, covers) {
    const done = (this.sequences.get(sequence) ?? []).filter(({ at }) => at < covers).length
    this.durable.set(sequence, Math.max(this.durable.get(sequence) ?? 0, done))
  }

  /** Sequences with operations that may be missing: how many are on the disk at least, and at most. */
  pendingNames() {
    return [...this.sequences]
      .map(([sequence, { length }]) => ({ sequence, least: this.durable.get(sequence) ?? 0, most: length }))
      .filter(({ least, most }) => least < most)
  }

  pendingFiles() {
    return [...this.writes].filter(([, writes]) => (writes.durable ?? 0) < writes.length).map(([node]) => node)
  }

  contentKinds() {
    return contents[this.model]
  }

  /** The tree of a choice: `names` gives a number for each sequence, `content` a kind for each file. */
  tree({ names, content }) {
    const chosen = new Map()
    for (const [sequence, operations] of this.sequences) {
      const count = names(sequence, this.durable.get(sequence) ?? 0, operations.length)
      operations.forEach((operation, place) => {
        if (place < count) push(chosen, operation.at, sequence)
      })
    }
    const folders = new Map()
    for (const { id, names: inside, isNew } of this.recording.nodes)
      if (inside) folders.set(id, isNew ? new Map() : new Map(inside))
    for (const at of [...chosen.keys()].sort((a, b) => a - b))
      apply(folders, this.recording.operations[at], chosen.get(at))
    return new Tree(this, folders, content)
  }

  /** A file's content: bytes. */
  contentOf(node, kind) {
    const { data: first = Buffer.alloc(0), isNew } = this.recording.nodes[node]
    const writes = this.writes.get(node) ?? []
    let data = isNew ? Buffer.alloc(0) : first
    const durable = writes.durable ?? 0
    const count =
      kind === 'lost' ? durable : kind === 'torn' ? Math.floor((durable + writes.length) / 2) : writes.length
    writes.slice(0, count).forEach((write, place) => {
      data = changed(data, kind === 'zeros' && place >= durable ? blanked(write) : write)
    })
    const next = writes[count]
    if (kind === 'torn' && next?.kind === 'write')
      data = changed(data, { ...next, data: next.data.subarray(0, next.data.length >> 1) })
    return data
  }
}

function push(map, key, value) {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

const blanked = write => (write.kind === 'write' ? { ...write, data: Buffer.alloc(write.data.length) } : write)

function changed(data, { kind, size, position, data: piece }) {
  if (kind === 'truncate')
    return size <= data.length ? data.subarray(0, size) : Buffer.concat([data, Buffer.alloc(size - data.length)])
  const grown = Buffer.alloc(Math.max(data.length, position + piece.length))
  data.copy(grown)
  piece.copy(grown, position)
  return grown
}

/** Applies an operation on names. `sequences`: those of the two folders that have it. */
function apply(folders, { kind, parent, name, toParent, toName, node }, sequences) {
  if (kind === 'name') folders.get(parent).set(name, node)
  if (kind === 'unname' && folders.get(parent).get(name) === node) folders.get(parent).delete(name)
  if (kind !== 'move') return
  const isBoth = sequences.length === 2 || parent === toParent || sequences[0] === 'journal'
  if (isBoth || sequences[0] === toParent) folders.get(toParent).set(toName, node)
  if (isBoth && folders.get(parent).get(name) === node) folders.get(parent).delete(name)
}

/** Seconds by which a file's time is moved back, so that it is older than the machine's start, as after a power cut. */
export function beforeStart() {
  // The folder of processes has the time of the start as the clock was then, which may have been set since.
  const started = Math.min(Date.now() - uptime() * 1000, statSync('/proc').mtimeMs)
  return (Date.now() - started) / 1000 + 86_400
}

/** One state of a disk. */
export class Tree {
  #cut
  #folders
  #content

  constructor(cut, folders, content) {
    this.#cut = cut
    this.#folders = folders
    this.#content = content
  }

  /** Every path, with its node; a folder before what is in it. */
  *paths(folder = 0, prefix = '') {
    for (const [name, id] of [...this.#folders.get(folder)].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const path = prefix + name
      yield { path, id, node: this.#cut.recording.nodes[id] }
      if (this.#folders.has(id)) yield* this.paths(id, `${path}/`)
    }
  }

  bytes(id) {
    return this.#cut.contentOf(id, this.#content(id))
  }

  /** The same for the same state, whatever led to it. */
  hash(known) {
    const hash = createHash('sha1').update(`${this.#cut.step} ${this.#cut.acknowledged}\n`)
    for (const { path, id, node } of this.paths())
      hash.update(`${path}\0${node.target ?? (node.names ? '/' : known(id, () => this.bytes(id)))}\n`)
    return hash.digest('hex')
  }

  /** Writes the state into an empty folder. */
  write(directory) {
    const shift = beforeStart()
    const written = new Map()
    for (const { path, id, node } of this.paths()) {
      const target = join(directory, path)
      if (node.names) mkdirSync(target)
      else if (node.target !== undefined) symlinkSync(node.target, target)
      else if (written.has(id)) linkSync(written.get(id), target)
      else {
        writeFileSync(target, this.bytes(id))
        chmodSync(target, node.mode)
        // The machine was started after all of it.
        const time = (node.isNew ? Date.now() / 1000 : node.mtime) - shift
        utimesSync(target, time, time)
        written.set(id, target)
      }
    }
  }
}
