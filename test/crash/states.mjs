/**
 * The states of a recording: of each cut the extremes, each sequence of names and each file by itself, and some at random from a
 * seed. Equal states are one.
 */
import { createHash } from 'node:crypto'
import { randomNumbers } from '../proof/scene.mjs'
import { Cut } from './disk.mjs'

const least = (_, from) => from
const most = (_, __, to) => to
const all = kind => () => kind

/** Choices of a cut: `isExtreme` ones come before others in a sample. */
function* choicesOf(cut, random, samples) {
  const kinds = cut.contentKinds()
  for (const [names, said] of [
    [least, 'no name'],
    [most, 'every name'],
  ])
    for (const kind of kinds) yield { names, content: all(kind), said: `${said}, ${kind}`, isExtreme: true }
  for (const { sequence, least: from, most: to } of cut.pendingNames()) {
    const only = (other, count) => (one, low, high) => (one === sequence ? count : other(one, low, high))
    yield { names: only(least, to), content: all('whole'), said: `names of ${sequence} only, whole` }
    for (const count of beginnings(from, to, random))
      for (const kind of ['whole', 'lost'])
        yield { names: only(most, count), content: all(kind), said: `${count} names of ${sequence}, ${kind}` }
  }
  for (const file of cut.pendingFiles())
    for (const kind of kinds.filter(one => one !== 'whole')) {
      yield { names: most, content: one => (one === file ? kind : 'whole'), said: `file ${file} ${kind}` }
      yield { names: least, content: one => (one === file ? kind : 'whole'), said: `no name, file ${file} ${kind}` }
    }
  for (let count = 0; count < samples; count++) yield { ...atRandom(random, kinds), said: `random ${count}` }
}

function atRandom(random, kinds) {
  const chosen = new Map()
  const once = (key, choose) => {
    if (!chosen.has(key)) chosen.set(key, choose())
    return chosen.get(key)
  }
  const names = (sequence, from, to) => once(`names ${sequence}`, () => from + Math.floor(random() * (to - from + 1)))
  const content = file => once(`file ${file}`, () => kinds[Math.floor(random() * kinds.length)])
  return { names, content }
}

/** Cuts of a long recording, besides those at syncs and acknowledgements; and beginnings of a long sequence of names. */
const mostCuts = 200
const mostBeginnings = 8

/** The moments to cut: every one, or of many those beside a sync or an acknowledgement, and others at random. */
function cutsOf({ operations }, random) {
  const all = Array.from({ length: operations.length + 1 }, (_, at) => at)
  const promises = new Set(['sync', 'syncAll', 'ack', 'step'])
  const isPromise = at => promises.has(operations[at]?.kind) || promises.has(operations[at - 1]?.kind)
  const part = mostCuts / all.length
  return all.filter(at => part >= 1 || isPromise(at) || at === operations.length || random() < part)
}

/** Numbers from one to below another: all, or some at random. */
function beginnings(from, to, random) {
  const all = Array.from({ length: to - from }, (_, at) => from + at)
  return all.length <= mostBeginnings ? all : all.filter(() => random() < mostBeginnings / all.length)
}

/**
 * Returns `{ states, cuts, made }`: the different states of a recording in a model, in a seeded order, extremes first; how many
 * cuts there are; and how many states were made before equal ones became one.
 */
export function statesOf(recording, model, { seed = 1, samples = 4 } = {}) {
  const random = randomNumbers(seed)
  const found = new Map()
  const hashes = new Map()
  let made = 0
  const cuts = cutsOf(recording, random)
  for (const at of cuts) {
    const cut = new Cut(recording, at, model)
    for (const { said, isExtreme = false, ...choice } of choicesOf(cut, random, samples)) {
      made++
      const tree = cut.tree(choice)
      const hash = tree.hash((id, read) => hashOnce(hashes, cut, id, choice.content(id), read))
      if (!found.has(hash))
        found.set(hash, { tree, cut, hash, model, said: `${model}, ${at} operations, ${said}`, isExtreme })
    }
  }
  const order = [...found.values()].map(state => ({ state, place: random() + (state.isExtreme ? 0 : 1) }))
  const states = order.sort((a, b) => a.place - b.place).map(({ state }) => state)
  return { states, cuts: cuts.length, made }
}

/** The hash of a file's content, which is the same for every cut with the same writes done. */
function hashOnce(hashes, cut, id, kind, read) {
  const writes = cut.writes.get(id)
  const key = writes === undefined ? id : `${id} ${writes.length} ${writes.durable} ${kind}`
  if (!hashes.has(key)) hashes.set(key, createHash('sha1').update(read()).digest('hex'))
  return hashes.get(key)
}
