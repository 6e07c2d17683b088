/**
 * The faults.
 *
 * `damage` causes one in a wiki. `errors`: a read may fail; `refusesEdits`: an edit may fail. `changes`: responses differ from
 * those before, because the history does. `once`: the new server gets the wiki of the running server. `copy` makes the wiki of
 * a fault that needs more than a copy, `end` removes what `copy` set up, `how` says how its processes are started, `skip` says
 * why the fault is not available here.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
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
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { cannotMount, mount, remount, unmount } from './mounts.mjs'
import { git, workplace } from './scene.mjs'

const indexOf = directory => join(directory, '.git/wiki/main')

/** Files of the index and of the caches beside it, by purpose. */
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

/** Faults of a file. */
const damages = {
  'cut in half': path => truncateSync(path, statSync(path).size >> 1),
  empty: path => truncateSync(path, 0),
  'with a flipped byte': flip,
  'with flipped bytes all over': flipAllOver,
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

/** Changes a nearby letter or digit if there is one, so that a text stays a text. */
function flip(path, { random }) {
  const bytes = readFileSync(path)
  const start = Math.floor(random() * bytes.length)
  const near = bytes.findIndex((byte, at) => at >= start && /[a-z0-9]/.test(String.fromCharCode(byte)))
  bytes[near < 0 ? start : near] ^= 1
  writeFileSync(path, bytes)
}

/** Like `flip`, in each part of the file, because a single byte may never be read. */
function flipAllOver(path, { random }) {
  const bytes = readFileSync(path)
  const part = Math.max(64, bytes.length >> 6)
  for (let start = 0; start < bytes.length; start += part) {
    const end = Math.min(bytes.length, start + part)
    const from = start + Math.floor((random() * (end - start)) / 2)
    const near = bytes.subarray(from, end).findIndex(byte => /[a-z0-9]/.test(String.fromCharCode(byte)))
    bytes[from + Math.max(0, near)] ^= 1
  }
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

/** Git repacks, so that there is one pack and no loose object. */
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
    damage: directory => rmSync(looseObject(directory, blobOf(directory, 'Tides.wiki'))),
  },
  {
    name: 'a blob is empty',
    errors: true,
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
  {
    name: 'a blob with a flipped byte',
    errors: true,
    damage: directory => {
      const path = looseObject(directory, blobOf(directory, 'Tides.wiki'))
      const bytes = readFileSync(path)
      bytes[bytes.length - 3] ^= 0x10
      overwrite(path, bytes)
    },
  },
  {
    name: 'the first commit is missing',
    errors: true,
    damage: directory => rmSync(looseObject(directory, git(directory, 'rev-list', '--max-parents=0', 'HEAD'))),
  },
  {
    name: 'the index of a pack is cut in half',
    errors: true,
    damage: directory => {
      const path = packOf(directory).replace(/pack$/, 'idx')
      const bytes = readFileSync(path)
      overwrite(path, bytes.subarray(0, bytes.length >> 1))
    },
  },
  { name: 'HEAD is empty', errors: true, damage: put('HEAD', '') },
  {
    name: 'HEAD names another branch, which is not there',
    changes: true,
    errors: true,
    damage: put('HEAD', 'ref: refs/heads/other\n'),
  },
  {
    name: 'ids that were retired: with a flipped byte',
    errors: true,
    changes: true,
    damage: async (directory, tools) => {
      git(directory, 'update-ref', 'refs/heads/main', 'HEAD~2')
      const path = join(indexOf(directory), 'eras.json')
      // A server trusts its last read of the branch for some milliseconds.
      for (let attempt = 0; attempt < 20 && !existsSync(path); attempt++) {
        await setTimeout(50)
        await tools.ask()
      }
      flip(path, tools)
    },
  },
  { name: "another machine's lock of the index", damage: put('wiki/main/lock', 'wiki 1 elsewhere.example.org\n') },
  {
    name: "another machine's lock of the search index",
    damage: put('wiki/main/search/lock', 'wiki 1 elsewhere.example.org\n'),
  },
  { name: 'HEAD is detached', damage: directory => git(directory, 'checkout', '--quiet', '--detach') },
  {
    name: 'the branch is deleted',
    errors: true,
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

/** Objects are read-only; their folder is not. */
function overwrite(path, bytes) {
  rmSync(path)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
}

function commitText(directory, path, text) {
  writeFileSync(join(directory, path), text)
  git(directory, 'commit', '--quiet', '-m', 'native', '--', path)
}

const fullDisk = {
  name: 'a full disk',
  refusesEdits: true,
  once: true,
  skip: cannotMount,
  copy: (base, directory) => {
    mount(directory, '-t', 'tmpfs', '-o', 'size=8m', 'wiki-proof')
    copyAll(base, directory)
  },
  damage: directory => {
    try {
      writeFileSync(join(directory, '.git/filler'), Buffer.alloc(16 * 1024 * 1024))
    } catch {
      // The disk is full now.
    }
  },
  end: unmount,
}

const readOnly = [
  { name: 'a read-only repository', damage: makeReadOnly },
  {
    name: 'a read-only repository without an index',
    damage: directory => {
      rmSync(join(directory, '.git/wiki'), { recursive: true })
      makeReadOnly(directory)
    },
  },
  {
    name: 'a read-only repository whose index has a flipped byte',
    damage: (directory, tools) => {
      flip(join(indexOf(directory), 'base'), tools)
      makeReadOnly(directory)
    },
  },
].map(fault => ({
  ...fault,
  refusesEdits: true,
  once: true,
  skip: cannotMount,
  copy: (base, directory) => {
    copyAll(base, directory)
    mount(directory, '--bind', directory)
  },
  end: unmount,
}))

/** Mounts the folder on itself. */
function makeReadOnly(directory) {
  remount(directory, 'ro,bind')
}

function copyAll(base, directory) {
  cpSync(base, directory, { recursive: true, verbatimSymlinks: true })
}

/** An unknown user id, because root is never denied anything. */
const nobody = '65534'
const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']

/** Paths that the wiki's processes may not read or write. */
const permissions = [
  { name: 'no permission to write', refusesEdits: true, damage: closeAll },
  { name: "no permission to read git's branch", errors: true, damage: close('.git/refs/heads/main') },
  { name: "no permission to read git's packed branches", errors: true, damage: closePacked },
  { name: "no permission to read git's objects", errors: true, damage: close('.git/objects') },
  { name: "no permission to read git's HEAD", errors: true, damage: close('.git/HEAD') },
  // The file also contains the retired ids.
  { name: 'no permission to read the index', errors: true, damage: close('.git/wiki/main') },
  { name: 'no permission to read a file of the work tree', damage: close('Tides.wiki') },
].map(fault => ({
  ...fault,
  how: { wrap: asNobody },
  skip: () =>
    spawnSync(asNobody[0], [...asNobody.slice(1), 'true']).status === 0 ? null : 'this user may be nobody else',
  copy: (base, directory) => {
    copyAll(base, directory)
    for (const path of [dirname(directory), fileURLToPath(new URL('../..', import.meta.url))]) chmodSync(path, 0o755)
    spawnSync('chown', ['-R', `${nobody}:${nobody}`, directory])
  },
}))

function close(path) {
  return directory => {
    spawnSync('chown', ['-R', 'root', join(directory, path)])
    chmodSync(join(directory, path), 0)
  }
}

function closePacked(directory) {
  git(directory, 'pack-refs', '--all')
  close('.git/packed-refs')(directory)
}

function closeAll(directory) {
  spawnSync('chown', ['-R', 'root', directory])
  spawnSync('chmod', ['-R', 'a-w', directory])
}

/** A partial clone: git fetches texts on demand, if it can. */
const partial = [
  { name: 'a partial clone', damage: () => {} },
  {
    name: 'a partial clone without texts, whose origin is gone',
    errors: true,
    damage: directory => {
      rmSync(join(directory, '.git'), { recursive: true })
      git(
        workplace,
        'clone',
        '--quiet',
        '--bare',
        '--filter=blob:none',
        `file://${directory}-origin`,
        `${directory}/.git`,
      )
      git(directory, 'config', 'core.bare', 'false')
      rmSync(`${directory}-origin`, { recursive: true })
    },
  },
].map(fault => ({
  ...fault,
  once: true,
  copy: (base, directory) => {
    copyAll(base, `${directory}-origin`)
    git(`${directory}-origin`, 'config', 'uploadpack.allowFilter', 'true')
    git(`${directory}-origin`, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
    git(workplace, 'clone', '--quiet', '--filter=blob:none', `file://${directory}-origin`, directory)
    for (const [key, value] of Object.entries({ name: 'Proof', email: 'proof@example.org' }))
      git(directory, 'config', `user.${key}`, value)
  },
  end: directory => rmSync(`${directory}-origin`, { recursive: true, force: true }),
}))

const clock = {
  name: 'the clock is put back a day',
  damage: directory => writeFileSync(`${directory}.clock`, ''),
  end: directory => rmSync(`${directory}.clock`, { force: true }),
  how: directory => ({
    before: ['--require', fileURLToPath(new URL('clock.cjs', import.meta.url))],
    env: { CLOCK_FROM: `${directory}.clock` },
  }),
}

/** All of them. */
export const faults = [
  ...gitFaults,
  ...damagedFiles,
  ...replacedFolders,
  fullDisk,
  ...readOnly,
  ...permissions,
  ...partial,
  clock,
]
