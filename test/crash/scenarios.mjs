/**
 * The scenarios that are recorded: each a repository (`make`), and the writes that are cut.
 *
 * A step is a command line of the product (`args`, `input`; `status` is the expected one), one of a person (`shell`), which promises
 * nothing: states before the product's next promise, and the files of `foreign`, are not checked, or a request to one server (`path`, `method`, `body`). `also` is another write of the kind after the cut. `kept` are texts of files that somebody edited and nobody committed; `named` is the text of an edit that the
 * branch has lost, which `wiki verify` names until it is restored. `fact` returns what is wrong once a step is acknowledged.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, wiki } from './product.mjs'

const tides = ['High at noon.\n', 'High at noon.\n\nLow at six.\n']

/** A wiki with two pages. */
function makeWiki(directory, ...options) {
  must(wiki('/', ['init', directory, '--user', 'Proof <proof@example.org>', ...options]))
  must(git(directory, 'config', 'gc.auto', '0'))
  for (const source of tides) must(wiki(directory, edit('Tides', source).args, source))
  must(wiki(directory, edit('Boats', '').args, 'A boat floats on [[Tides]].\n'))
  rmSync(join(directory, existsSync(join(directory, '.git')) ? '.git/hooks' : 'hooks'), {
    recursive: true,
    force: true,
  })
}

function must({ status, stdout, stderr }) {
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  return stdout.trim()
}

const edit = (title, input) => ({ args: ['page', 'edit', title, '-f', '-', '-m', 'edit'], input })
const edits = [edit('Tides', 'High at one.\n\nLow at seven.\n'), edit('Boats', 'A boat floats on [[Tides]], mostly.\n')]

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="6"><rect width="3" height="2"/></svg>\n'
const revision = (id, text) =>
  `<revision><id>${id}</id><timestamp>2020-01-0${id}T00:00:00Z</timestamp><contributor><username>Ada</username><id>1</id></contributor><model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">${text}</text></revision>`
const dump = `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">${[
  'Harbours',
  'Piers',
  'Locks',
]
  .map(
    (title, at) =>
      `<page><title>${title}</title><ns>0</ns><id>${at + 1}</id>${revision(at * 2 + 1, 'one')}${revision(at * 2 + 2, 'one\n\ntwo')}</page>`,
  )
  .join('')}</mediawiki>`
const patch = `diff --git a/Boats.wiki b/Boats.wiki
--- a/Boats.wiki
+++ b/Boats.wiki
@@ -1 +1,2 @@
 A boat floats on [[Tides]].
+Most have a keel.
`

/** Two loose objects whose names begin with 17: as many as make git pack if `gc.auto` is 1. */
export function makePackable(directory) {
  for (let at = 0, found = 0; found < 2; at++) {
    const text = `packable ${at}\n`
    if (!createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex').startsWith('17')) continue
    writeFileSync(join(directory, '..', 'packable'), text)
    must(git(directory, 'hash-object', '-w', join(directory, '..', 'packable')))
    found++
  }
  must(git(directory, 'config', 'gc.auto', '1'))
}

/** A merge of another branch that changes the same line: its conflict is settled in the file. */
function makeMerge(directory) {
  makeWiki(directory)
  must(git(directory, 'checkout', '-q', '-b', 'side', 'HEAD~2'))
  writeFileSync(join(directory, 'Tides.wiki'), 'High at two.\n')
  must(git(directory, 'commit', '-qam', 'side'))
  must(git(directory, 'checkout', '-q', 'main'))
  git(directory, 'merge', '-q', 'side')
  writeFileSync(join(directory, 'Tides.wiki'), 'High at two.\n\nLow at six.\n')
}

function makeLost(directory) {
  makeWiki(directory)
  must(git(directory, 'reset', '-q', '--hard', 'HEAD~1'))
}

const put = (title, source, latest) => ({
  method: 'PUT',
  path: `/page/${title}`,
  body: { source, comment: 'put', latest },
})
const post = (title, source) => ({ method: 'POST', path: '/page', body: { title, source, comment: 'post' } })
const requests = [
  post('Harbours', 'A harbour.\n'),
  post('Piers', 'A pier.\n'),
  put('Tides', 'High at one.\n\nLow at seven.\n', { id: 3 }),
  post('Locks', 'A lock.\n'),
]

const hasToken = name => async (library, opened) =>
  (await library.listTokens(opened)).tokens.some(token => token.name === name) ? null : `the token of ${name} is gone`

export const scenarios = {
  'page edit': { make: makeWiki, steps: edits },
  'page edit, bare': { make: directory => makeWiki(directory, '--bare'), steps: edits },
  'page create': { make: makeWiki, steps: [edit('Harbours', 'A harbour.\n'), edit('Harbours/Old', 'An old one.\n')] },
  'page move': {
    make: makeWiki,
    steps: [{ args: ['page', 'move', 'Tides', 'High tides', '-m', 'move', '--update-links'] }],
  },
  'page delete': {
    make: makeWiki,
    steps: [
      { args: ['page', 'delete', 'Boats', '--yes', '-m', 'gone'] },
      { args: ['page', 'restore', 'Boats', '-m', 'back'] },
    ],
  },
  undo: { make: makeWiki, steps: [{ args: ['undo', 'Tides@latest', '-m', 'undo'] }] },
  upload: {
    make: makeWiki,
    steps: [{ args: ['file', 'add', '-', '--title', 'Buoy.svg', '-m', 'file'], input: picture }],
  },
  commit: {
    make(directory) {
      makeWiki(directory)
      writeFileSync(join(directory, 'Tides.wiki'), 'High at noon, mostly.\n\nLow at six.\n')
      writeFileSync(join(directory, 'Harbours.wiki'), 'A harbour.\n')
    },
    kept: { 'Tides.wiki': 'High at noon, mostly.\n\nLow at six.\n', 'Harbours.wiki': 'A harbour.\n' },
    steps: [{ args: ['commit', '-m', 'work'] }],
  },
  'commit of a merge': {
    make: makeMerge,
    kept: { 'Tides.wiki': 'High at two.\n\nLow at six.\n' },
    steps: [{ args: ['commit', '-m', 'merge'] }],
  },
  import: { make: makeWiki, steps: [{ args: ['import', '-'], input: dump }] },
  init: {
    make: directory => mkdirSync(directory),
    isNew: true,
    steps: [{ args: ['init', '.', '--user', 'Proof <proof@example.org>'] }],
  },
  'init, bare': {
    make: directory => mkdirSync(directory),
    isNew: true,
    steps: [{ args: ['init', '.', '--bare', '--user', 'Proof <proof@example.org>'] }],
  },
  config: { make: makeWiki, steps: [{ args: ['config', 'set', 'name', 'Our tides'] }] },
  hide: { make: makeWiki, steps: [{ args: ['revision', 'hide', 'Tides@prev', '--reason', 'an address'] }] },
  restore: {
    make: makeLost,
    named: 'Boats',
    steps: [{ args: ['verify'], status: 1 }, { args: ['restore', '--yes'] }, { args: ['verify'] }],
  },
  apply: { make: makeWiki, steps: [{ args: ['apply', '-', '-m', 'patch'], input: patch }] },
  token: {
    make: makeWiki,
    also: (library, opened) => library.createToken(opened, { name: 'After the cut' }),
    steps: [
      { args: ['token', 'create', 'Ada Example'], fact: hasToken('Ada Example') },
      { args: ['token', 'create', 'Bob Example'], fact: hasToken('Bob Example') },
    ],
  },
  'first index': {
    make(directory) {
      makeWiki(directory)
      rmSync(join(directory, '.git/wiki'), { recursive: true, force: true })
    },
    steps: [{ args: ['search', 'noon'] }, { args: ['links', 'Tides'] }],
  },
  // Git syncs no folder: in the worst case its own packing removes objects before the pack has its name.
  'background gc': {
    models: ['journal'],
    make(directory) {
      makeWiki(directory)
      makePackable(directory)
    },
    steps: edits,
  },
  'edit on a plain commit': {
    make(directory) {
      makeWiki(directory)
      // As in a clone: `wiki init` has git sync everything. It is missing in builds that do not.
      git(directory, 'config', '--unset', 'core.fsync')
    },
    foreign: ['Mud.wiki'],
    steps: [{ shell: 'echo Mud. > Mud.wiki; git add -A; git commit -q -m plain' }, edits[0]],
  },
  server: { make: makeWiki, steps: requests },
  'server, bare, background gc': {
    models: ['journal'],
    make(directory) {
      makeWiki(directory, '--bare')
      makePackable(directory)
    },
    steps: requests,
  },
}
