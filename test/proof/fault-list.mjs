/**
 * The faults. `damage` puts one into a wiki. `errors`: what is asked may be answered by an error; `refusesEdits`: an edit may.
 * `changes`: answers are others than before, for the history is;
 * `differs`: these are. `once`: only under a server that runs.
 */
import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { git, workplace } from './scene.mjs'

const indexOf = directory => join(directory, '.git/wiki/main')

/** Files of the index and of what is kept beside it, by what they are for. */
const groups = {
  "the index's base": folder => [join(folder, 'base')],
  "the index's tail": folder => [join(folder, 'tail')],
  'the search index': folder => filesIn(join(folder, 'search')),
  'rendered pages': folder => filesIn(join(folder, 'html')),
  'what is known of media': folder => filesIn(join(folder, 'media')),
}

function filesIn(folder) {
  const names = readdirSync(folder, { recursive: true }).map(name => join(folder, String(name)))
  return names.filter(name => statSync(name).isFile())
}

/** What may become of a file. */
const damages = {
  'cut in half': path => truncateSync(path, statSync(path).size >> 1),
  empty: path => truncateSync(path, 0),
  'with a flipped byte': flip,
  'with zeros at its end': path => writeFileSync(path, withZeros(readFileSync(path))),
  gone: path => rmSync(path),
  'a folder': path => {
    rmSync(path)
    mkdirSync(path)
    writeFileSync(join(path, 'file'), 'x')
  },
  'a link to itself': path => {
    rmSync(path)
    symlinkSync(path, path)
  },
}

function withZeros(bytes) {
  return bytes.fill(0, Math.max(0, bytes.length - 64))
}

/** Changes a letter or digit where there is one near: a text stays a text. */
function flip(path, { random }) {
  const bytes = readFileSync(path)
  const start = Math.floor(random() * bytes.length)
  const near = bytes.findIndex((byte, at) => at >= start && /[a-z0-9]/.test(String.fromCharCode(byte)))
  bytes[near < 0 ? start : near] ^= 1
  writeFileSync(path, bytes)
}

const damagedFiles = Object.entries(groups).flatMap(([group, find]) =>
  Object.entries(damages).map(([damage, apply]) => ({
    name: `${group}: ${damage}`,
    damage: (directory, tools) => {
      for (const path of find(indexOf(directory))) apply(path, tools)
    },
  })),
)

const replacedFolders = ['html', 'media', 'media/thumbnails', 'search'].flatMap(name => [
  { name: `${name}: deleted`, damage: replace(name, () => {}) },
  { name: `${name}: a file`, damage: replace(name, path => writeFileSync(path, 'x')) },
  { name: `${name}: a link to nowhere`, damage: replace(name, path => symlinkSync('/nonexistent/folder', path)) },
])

function replace(name, put) {
  return directory => {
    const path = join(indexOf(directory), name)
    rmSync(path, { recursive: true, force: true })
    put(path)
  }
}

const looseObject = (directory, hash) => join(directory, '.git/objects', hash.slice(0, 2), hash.slice(2))
const blobOf = (directory, path, commit = 'HEAD') => git(directory, 'rev-parse', `${commit}:${path}`)

/** Git repacks: then there is one pack, and nothing loose. */
function packOf(directory) {
  git(directory, 'gc', '--quiet')
  const folder = join(directory, '.git/objects/pack')
  return join(
    folder,
    readdirSync(folder).find(name => name.endsWith('.pack')),
  )
}

const gitFaults = [
  { name: "git's lock of the branch", refusesEdits: true, damage: put('refs/heads/main.lock', '') },
  { name: "git's lock of its index", refusesEdits: true, damage: put('index.lock', '') },
  { name: "git's index: cut in half", refusesEdits: true, damage: onGit('index', damages['cut in half']) },
  {
    name: "git's index: with a flipped byte",
    refusesEdits: true,
    damage: onGit('index', damages['with a flipped byte']),
  },
  { name: "git's index: empty", refusesEdits: true, damage: onGit('index', damages.empty) },
  { name: "git's index: gone", damage: onGit('index', damages.gone) },
  {
    name: 'a merge under way',
    refusesEdits: true,
    damage: directory => put('MERGE_HEAD', `${git(directory, 'rev-parse', 'HEAD')}\n`)(directory),
  },
  {
    name: 'a blob is missing',
    errors: true,
    // A result without an excerpt is better than none.
    differs: ['/search/page?q=tide', 'search tide --json'],
    damage: directory => rmSync(looseObject(directory, blobOf(directory, 'Tides.wiki'))),
  },
  {
    name: 'a blob is empty',
    errors: true,
    differs: ['/search/page?q=tide', 'search tide --json'],
    damage: directory => overwrite(looseObject(directory, blobOf(directory, 'Tides.wiki')), Buffer.alloc(0)),
  },
  {
    name: 'the tree of the tip is missing',
    errors: true,
    damage: directory => rmSync(looseObject(directory, git(directory, 'rev-parse', 'HEAD^{tree}'))),
  },
  {
    name: 'a pack with a flipped byte',
    errors: true,
    damage: directory => {
      const pack = packOf(directory)
      const bytes = readFileSync(pack)
      bytes[bytes.length >> 1] ^= 0xff
      overwrite(pack, bytes)
    },
  },
  { name: 'HEAD is detached', damage: directory => git(directory, 'checkout', '--quiet', '--detach') },
  {
    name: 'the branch is deleted',
    errors: true,
    // A branch without commits is an empty wiki.
    differs: ['/search/page?q=tide', '/search/title?q=ti', 'search tide --json'],
    damage: directory => git(directory, 'update-ref', '-d', 'refs/heads/main'),
  },
  {
    name: 'the branch names what is not there',
    errors: true,
    damage: put('refs/heads/main', `${'1'.repeat(40)}\n`),
  },
  { name: 'the branch is empty', errors: true, damage: put('refs/heads/main', '') },
  {
    name: 'another history is pushed by force',
    errors: true,
    changes: true,
    damage: directory => git(directory, 'update-ref', 'refs/heads/main', 'HEAD~2'),
  },
  { name: 'wiki.json is no JSON any more', errors: true, damage: directory => commitText(directory, 'wiki.json', '{') },
]

function put(path, text) {
  return directory => writeFileSync(join(directory, '.git', path), text)
}

function onGit(path, damage) {
  return (directory, tools) => damage(join(directory, '.git', path), tools)
}

/** Objects may not be written to: their folder may. */
function overwrite(path, bytes) {
  rmSync(path)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
}

function commitText(directory, path, text) {
  writeFileSync(join(directory, path), text)
  git(directory, 'commit', '--quiet', '-m', 'native', '--', path)
}

const tmpfs = join(workplace, 'copy')
const fullDisk = {
  name: 'a full disk',
  refusesEdits: true,
  once: true,
  skip: () => {
    mkdirSync(tmpfs, { recursive: true })
    const { status } = mount()
    if (status === 0) unmount()
    return status === 0 ? null : 'this user may not mount a small disk'
  },
  begin: () => {
    mkdirSync(tmpfs, { recursive: true })
    mount()
  },
  damage: directory => {
    try {
      writeFileSync(join(directory, '.git/filler'), Buffer.alloc(16 * 1024 * 1024))
    } catch {
      // It is full now.
    }
  },
  end: unmount,
}

function mount() {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'wiki-proof', tmpfs])
}

function unmount() {
  spawnSync('umount', [tmpfs])
}

/** All of them. */
export const faults = [...gitFaults, ...damagedFiles, ...replacedFolders, fullDisk]
