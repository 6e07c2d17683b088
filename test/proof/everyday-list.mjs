/**
 * Situations of everyday git beside a server.
 *
 * `before` prepares the wiki, then the server starts, then `act` runs; both get the stage of `everyday.mjs`. `staged` lists the
 * paths that differ between the index and HEAD at the end. `disk`: the wiki is on a separate file system, mounted with these
 * options. `isShifted`: `shiftClock` changes the server's clock. `flaw`: the fault that must be found afterwards, which shows
 * that the judge detects it.
 *
 * On the stage, `git` must succeed and `tryGit` returns the exit status; `edit` sends an edit over REST that must be
 * acknowledged, `tryEdit` returns the status of the response; `editOrWait` accepts a refusal while git is in the middle of an
 * operation; `meanwhile` runs git while something else is done.
 */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'

const todo = (editor, ...args) => ['-c', `sequence.editor=${editor}`, 'rebase', '--interactive', ...args]
const squelched = { env: { FILTER_BRANCH_SQUELCH_WARNING: '1' } }
const allowFiles = ['-c', 'protocol.file.allow=always']

/** The person changes and commits a page other than those that are edited. */
async function commitOwn({ append, git }) {
  append('Own.wiki')
  await git('commit', '-a', '-m', 'own')
}

/** A branch `name` with a change of a page. */
async function commitOnBranch({ append, git }, name, path) {
  await git('switch', '-c', name, 'main')
  append(path)
  await git('commit', '-a', '-m', name)
  await git('switch', 'main')
}

/** A page in a folder. */
async function addDeepPage({ file, git }) {
  mkdirSync(file('Deep'))
  writeFileSync(file('Deep/Page.wiki'), 'One.\n\nTwo.\n\nThree.\n')
  await git('add', '.')
  await git('commit', '-m', 'deep')
}

/** Edits of two pages in turn, while git runs repeatedly. */
function editsBeside(...args) {
  return async ({ edit, git }) => {
    let isDone = false
    const repeat = async () => {
      while (!isDone) await git(...args)
    }
    const editAll = async () => {
      for (let at = 0; at < 8; at++) await edit(['Tides', 'Boats'][at % 2], 1 + (at >> 1))
    }
    await Promise.all([repeat(), editAll().finally(() => (isDone = true))])
  }
}

/** The situations, by name. */
export const situations = {
  'a commit of a file that an editor read before two edits': {
    act: async ({ read, write, edit, git }) => {
      const old = read('Tides.wiki')
      await edit('Tides')
      await edit('Tides', 5)
      write('Tides.wiki', `${old}Mine.\n`)
      await git('commit', '-a', '-m', 'mine')
      await edit('Boats')
    },
  },
  'rebase -i drops an edit': {
    act: async ({ edit, git }) => {
      for (const title of ['Tides', 'Boats', 'Ropes']) await edit(title)
      await git(...todo('sed -i 2s/pick/drop/', 'HEAD~3'))
      await edit('Own')
    },
  },
  'stash with staged changes, and pop beside newer edits': {
    staged: ['Own.wiki', 'Tides.wiki'],
    act: async ({ append, edit, git, tryGit }) => {
      append('Own.wiki')
      await git('add', 'Own.wiki')
      append('Tides.wiki')
      await git('stash')
      await edit('Tides')
      await edit('Own')
      await tryGit('stash', 'pop', '--index')
      await edit('Boats')
      await tryGit('stash', 'pop')
    },
  },
  'checkout -p of a change, and of an old commit': {
    staged: ['Tides.wiki'],
    act: async ({ append, edit, gitWith }) => {
      append('Own.wiki')
      await edit('Tides')
      await gitWith({ input: 'y\n' }, 'checkout', '-p')
      await edit('Own')
      await gitWith({ input: 'y\ny\n' }, 'checkout', '-p', 'HEAD~2', '--', 'Tides.wiki')
    },
  },
  'switch - during edits': {
    before: ({ git }) => git('branch', 'side'),
    act: async stage => {
      const { edit, git } = stage
      const switchOften = async () => {
        await git('switch', 'side')
        for (let at = 0; at < 5; at++) await git('switch', '-')
      }
      const editOften = async () => {
        for (let at = 0; at < 6; at++) await edit('Tides', 1 + at)
      }
      await Promise.all([switchOften(), editOften()])
      await git('switch', 'main')
      await edit('Boats')
      await commitOwn(stage)
    },
  },
  'pull --rebase --autostash': {
    before: async ({ addRemote, inFolder, git }) => {
      await addRemote()
      await inFolder('clone', async ({ append, git: gitThere }) => {
        append('K.wiki')
        await gitThere('commit', '-a', '-m', 'other')
        await gitThere('push')
      })
      await git('branch', '--set-upstream-to', 'origin/main')
    },
    act: async ({ append, edit, editOrWait, meanwhile, tryGit, file }) => {
      await edit('Tides')
      append('Own.wiki')
      await meanwhile(['pull', '--rebase', '--autostash'], async () => {
        await editOrWait('Tides', 4)
        await editOrWait('Boats')
      })
      if (existsSync(file('.git/rebase-merge'))) await tryGit('rebase', '--abort')
      await edit('Ropes')
    },
  },
  'rebase -i squashes edits': {
    act: async ({ edit, git }) => {
      await edit('Tides')
      await edit('Boats')
      await edit('Tides', 5)
      await git(...todo('sed -i 2,3s/pick/squash/', 'HEAD~3'))
      await edit('Own')
    },
  },
  'rebase -i stops, and an edit is amended': {
    act: async ({ append, edit, tryEdit, git, expect }) => {
      await edit('Tides')
      await edit('Boats')
      await git(...todo('sed -i 1s/pick/edit/', 'HEAD~2'))
      expect((await tryEdit('Ropes')) === 409, 'an edit in the middle of a rebase was not refused')
      append('Own.wiki')
      await git('commit', '-a', '--amend', '--no-edit')
      await git('rebase', '--continue')
      await edit('Own')
    },
  },
  'commit --fixup and rebase --autosquash': {
    act: async stage => {
      const { append, edit, git, hashOf } = stage
      await commitOwn(stage)
      const own = hashOf('HEAD')
      await edit('Tides')
      append('Own.wiki')
      await git('commit', '-a', '--fixup', own)
      await edit('Boats')
      await git(...todo('true', '--autosquash', `${own}~1`))
      await edit('Own')
    },
  },
  'filter-branch changes every message': {
    act: async ({ edit, gitWith }) => {
      await edit('Tides')
      await edit('Boats')
      await gitWith(squelched, 'filter-branch', '-f', '--msg-filter', 'cat; echo more', 'HEAD')
      await edit('Tides', 5)
    },
  },
  'filter-branch removes a page': {
    act: async ({ edit, gitWith }) => {
      await edit('Tides')
      await edit('Boats')
      const filter = 'git rm --cached -q --ignore-unmatch Boats.wiki'
      await gitWith(squelched, 'filter-branch', '-f', '--index-filter', filter, 'HEAD')
      await edit('Tides', 5)
    },
  },
  'commits in two work trees of one branch': {
    act: async stage => {
      const { edit, git, inFolder, strangersIn } = stage
      await git('worktree', 'add', '--force', '../linked', 'main')
      await edit('Tides')
      await inFolder('linked', commitOwn)
      await edit('Boats')
      stage.append('K.wiki')
      await git('commit', '-a', '-m', 'main tree')
      await edit('Tides', 5)
      await strangersIn('linked')
    },
  },
  am: {
    before: async stage => {
      await commitOnBranch(stage, 'side', 'Own.wiki')
      await stage.git('format-patch', '-1', 'side', '--output', '../patch')
    },
    act: async ({ edit, editOrWait, meanwhile, tryGit, file }) => {
      await edit('Tides')
      await meanwhile(['am', '../patch'], () => editOrWait('Tides', 5))
      if (existsSync(file('.git/rebase-apply'))) await tryGit('am', '--abort')
      await edit('Own')
    },
  },
  'apply --index, committed after edits': {
    before: async stage => {
      await commitOnBranch(stage, 'side', 'Own.wiki')
      await stage.git('diff', '--output=../patch', 'main', 'side')
    },
    act: async ({ edit, git }) => {
      await edit('Tides')
      await git('apply', '--index', '../patch')
      await edit('Boats')
      await edit('Own')
      await git('commit', '-m', 'patch')
      await edit('Ropes')
    },
  },
  'rm, committed after an edit of the page': {
    act: async ({ edit, git }) => {
      await edit('Tides')
      await git('rm', 'Tides.wiki')
      await edit('Boats')
      await edit('Tides')
      await git('commit', '-m', 'removed')
      await edit('Ropes')
    },
  },
  'mv, committed after an edit of the page': {
    act: async ({ edit, git, follow }) => {
      await edit('Tides')
      await git('mv', 'Tides.wiki', 'Waters.wiki')
      await edit('Tides', 4)
      await edit('Boats')
      await git('commit', '-m', 'moved')
      await edit('Ropes')
      follow('Tides.wiki', 'Waters.wiki')
    },
  },
  'mv into a folder and on, committed after two edits of the page': {
    act: async ({ edit, git, file, follow }) => {
      mkdirSync(file('Deep'))
      await git('mv', 'Tides.wiki', 'Deep/Tides.wiki')
      await edit('Tides', 2)
      await git('mv', 'Deep/Tides.wiki', 'Deep/Waters.wiki')
      await edit('Tides', 3)
      await git('commit', '-m', 'moved')
      follow('Tides.wiki', 'Deep/Waters.wiki')
      await edit('Deep/Waters')
    },
  },
  'settings of git that cannot be read for a while': {
    act: async ({ edit, tryEdit, read, write, expect }) => {
      await edit('Tides')
      const sound = read('.git/config')
      write('.git/config', '[core\n')
      for (let at = 0; at < 3; at++) expect((await tryEdit('Boats')) === 500, 'an edit was not refused')
      write('.git/config', sound)
      await edit('Boats')
    },
  },
  'add -A, commit, pull --rebase and push without a pause, as plugins that synchronise notes run them': {
    before: async ({ addRemote, git }) => {
      await addRemote()
      await git('branch', '--set-upstream-to', 'origin/main')
    },
    act: async ({ append, edit, tryEdit, tryGit, inFolder }) => {
      let isDone = false
      const synchronise = async () => {
        while (!isDone) {
          append('Own.wiki')
          for (const args of [['add', '-A'], ['commit', '-m', 'sync'], ['pull', '--rebase'], ['push']])
            await tryGit(...args)
          await tryGit('rebase', '--abort')
          await inFolder('clone', async ({ append: appendThere, git }) => {
            appendThere('K.wiki')
            await git('commit', '-a', '-m', 'clone')
            await git('pull', '--rebase')
          })
        }
      }
      const editAll = async () => {
        for (let at = 0; at < 12; at++) await tryEdit(['Tides', 'Boats', 'Ropes', 'Own'][at % 4], 1 + (at >> 2))
      }
      await Promise.all([synchronise(), editAll().finally(() => (isDone = true))])
      await tryGit('add', '-A')
      await tryGit('commit', '-m', 'last')
      await edit('Boats', 5)
    },
  },
  'clean -fdx': {
    act: async ({ edit, meanwhile, write, git, output, expect }) => {
      write('New.wiki', 'Untracked.\n')
      await meanwhile(['clean', '-fdx'], () => edit('Tides'))
      await edit('Boats')
      await git('clean', '-fdx')
      expect(output('status', '--porcelain') === '', 'the work tree is not clean')
    },
  },
  'submodule update': {
    before: async ({ git, newRepository }) => {
      await git(...allowFiles, 'submodule', 'add', await newRepository('module'), 'module')
      await git('commit', '-m', 'module')
    },
    act: async ({ edit, git, inFolder }) => {
      await edit('Tides')
      await inFolder('module', ({ git: gitThere }) => gitThere('commit', '--allow-empty', '-m', 'more'))
      await git(...allowFiles, 'submodule', 'update', '--remote')
      await edit('Boats')
      await git('commit', '-a', '-m', 'newer module')
      await edit('Tides', 5)
    },
  },
  'sparse-checkout set and disable': {
    before: addDeepPage,
    act: async stage => {
      const { edit, git } = stage
      await edit('Deep/Page')
      await git('sparse-checkout', 'set', '--no-cone', '/*.wiki')
      await edit('Deep/Page')
      await edit('Tides')
      await git('sparse-checkout', 'disable')
      await edit('Deep/Page')
      await commitOwn(stage)
    },
  },
  bisect: {
    act: async stage => {
      const { edit, git } = stage
      await edit('Tides')
      await git('bisect', 'start', 'HEAD', 'HEAD~3')
      await edit('Boats')
      await git('bisect', 'good')
      await git('bisect', 'reset')
      await edit('Ropes')
      await commitOwn(stage)
    },
  },
  'update-ref back by one commit': {
    act: async ({ append, edit, git }) => {
      await edit('Tides')
      await edit('Boats')
      await git('update-ref', 'refs/heads/main', 'HEAD~1')
      await edit('Ropes')
      append('Own.wiki')
      await git('commit', '-m', 'own', '--', 'Own.wiki')
      await edit('Tides', 3)
    },
  },
  'replace of the newest commit': {
    act: async ({ edit, git, hashOf, output }) => {
      await edit('Tides')
      const replaced = hashOf('HEAD')
      await git('replace', replaced, output('commit-tree', 'HEAD~1^{tree}', '-p', 'HEAD~1', '-m', 'replaced'))
      await edit('Tides', 4)
      await edit('Boats')
      await git('replace', '-d', replaced)
    },
  },
  grafts: {
    act: async ({ edit, write, hashOf, wiki, file }) => {
      await edit('Tides')
      mkdirSync(file('.git/info'), { recursive: true })
      write('.git/info/grafts', `${hashOf('HEAD')}\n`)
      await edit('Tides', 4)
      await edit('Boats')
      await wiki('verify')
      unlinkSync(file('.git/info/grafts'))
    },
  },
  'fetch --unshallow': {
    before: async stage => {
      await stage.addRemote()
      await stage.moveToClone('--depth', '1')
    },
    act: async stage => {
      const { edit, git } = stage
      await edit('Tides')
      await git('fetch', '--unshallow')
      await edit('Boats')
      await edit('Tides', 4)
      await commitOwn(stage)
    },
  },
  'settings of git change': {
    act: async ({ append, edit, git, output, expect }) => {
      await edit('Tides')
      await git('config', 'core.autocrlf', 'true')
      await edit('Boats')
      await git('config', 'core.fileMode', 'false')
      await git('config', 'core.sharedRepository', 'group')
      await edit('Ropes')
      await git('config', 'index.version', '4')
      await edit('Tides', 4)
      await git('config', '--unset', 'core.autocrlf')
      await edit('Boats', 4)
      append('Own.wiki')
      // With `-a`, git would record the line ends that the setting gave all files.
      await git('commit', '-m', 'own', '--', 'Own.wiki')
      expect(!output('show', 'main:Boats.wiki').includes('\r'), 'a carriage return was recorded')
    },
  },
  'hooks of every kind, which a server does not run': {
    before: async ({ git, beside }) => {
      mkdirSync(beside('hooks'))
      const names = ['pre-commit', 'post-checkout', 'reference-transaction', 'post-index-change', 'post-commit']
      for (const name of names)
        writeFileSync(beside('hooks', name), `#!/bin/sh\necho ${name} >> ${beside('ran')}\n`, { mode: 0o755 })
      await git('config', 'core.hooksPath', beside('hooks'))
      rmSync(beside('ran'), { force: true })
    },
    act: async ({ edit, beside, expect }) => {
      await edit('Tides')
      await edit('Boats')
      expect(!existsSync(beside('ran')), 'a hook ran')
      rmSync(beside('hooks'), { recursive: true })
    },
  },
  'gc --prune=now without a pause': { act: editsBeside('gc', '--quiet', '--prune=now') },
  'pack-refs --all without a pause': { act: editsBeside('pack-refs', '--all') },
  'names that differ by case': {
    act: async ({ edit, write, git }) => {
      await edit('Tides')
      write('tides.wiki', 'Lower case.\n')
      await git('add', 'tides.wiki')
      await git('commit', '-m', 'lower')
      await edit('Tides', 4)
      await git('mv', '-f', 'tides.wiki', 'TIDES.wiki')
      await git('commit', '-m', 'upper')
      await edit('Tides', 5)
    },
  },
  'a folder, and a file, become links to the outside': {
    before: addDeepPage,
    act: async ({ edit, file, beside, expect }) => {
      const [outside, victim] = [beside('outside'), beside('outside', 'Page.wiki')]
      mkdirSync(outside)
      writeFileSync(victim, 'Untouched.\n')
      rmSync(file('Deep'), { recursive: true })
      symlinkSync(outside, file('Deep'))
      await edit('Deep/Page')
      await edit('Tides')
      unlinkSync(file('Tides.wiki'))
      symlinkSync(victim, file('Tides.wiki'))
      await edit('Tides', 4)
      const isUntouched = readFileSync(victim, 'utf8') === 'Untouched.\n' && readdirSync(outside).length === 1
      expect(isUntouched, 'the outside was written to')
    },
  },
  'a commit from the future, taken back': {
    act: async ({ edit, gitWith, git }) => {
      await edit('Tides')
      const env = { GIT_COMMITTER_DATE: '2099-01-01T00:00:00Z', GIT_AUTHOR_DATE: '2099-01-01T00:00:00Z' }
      await gitWith({ env }, 'commit', '--allow-empty', '-m', 'future')
      await edit('Tides', 4)
      await edit('Boats')
      await git('reset', '--hard', 'HEAD~2')
      await edit('Ropes')
    },
  },
  'an editor that renames the file to a backup': {
    act: async ({ edit, file, read, write, wiki, output, expect }) => {
      const saved = ['Mine 0.', 'Mine 1.', 'Mine 2.', 'Mine 3.', 'Mine 4.']
      for (const [at, text] of saved.entries()) {
        const before = read('Tides.wiki')
        renameSync(file('Tides.wiki'), file('Tides.wiki~'))
        write('Tides.wiki', `${before}${text}\n`)
        await edit('Tides', 1 + at)
        await edit('Boats')
      }
      unlinkSync(file('Tides.wiki~'))
      await wiki('commit', '-m', 'mine')
      const text = output('show', 'main:Tides.wiki')
      for (const mine of saved) expect(text.includes(mine), `"${mine}", which the editor saved, is not recorded`)
    },
  },
  'commit of one path beside a staged one': {
    staged: ['Own.wiki'],
    act: async ({ append, edit, git, output, expect }) => {
      append('Own.wiki')
      await git('add', 'Own.wiki')
      await edit('Tides')
      append('K.wiki')
      await git('commit', '-m', 'path', '--', 'K.wiki')
      await edit('Boats')
      expect(output('diff', '--cached', '--name-only') === 'Own.wiki', 'what was staged is not staged any more')
    },
  },
  'checkout of a file from an older commit': {
    act: async ({ edit, git }) => {
      await edit('Tides')
      await git('checkout', 'HEAD~1', '--', 'Tides.wiki')
      await edit('Boats')
      await git('commit', '-m', 'older')
      await edit('Ropes')
    },
  },
  'merge of two branches at once, with -X theirs, and with -s ours': {
    before: async stage => {
      for (const [name, path] of [
        ['one', 'Own.wiki'],
        ['two', 'K.wiki'],
        ['three', 'Tides.wiki'],
        ['four', 'Boats.wiki'],
      ])
        await commitOnBranch(stage, name, path)
    },
    act: async ({ edit, git }) => {
      await edit('Tides')
      await git('merge', '--no-edit', 'one', 'two')
      await edit('Boats')
      await git('merge', '--no-edit', '-X', 'theirs', 'three')
      await edit('Ropes')
      await git('merge', '--no-edit', '-s', 'ours', 'four')
      await edit('Own')
    },
  },
  'a disk that is full for a while': {
    disk: ['-o', 'size=4m'],
    act: async ({ edit, tryEdit, beside, expect }) => {
      await edit('Tides')
      for (let size = 1 << 20; size >= 512; size >>= 1) fill(beside(`filler ${size}`), size)
      for (let at = 0; at < 4; at++) expect((await tryEdit('Boats')) === 500, 'an edit was not refused on a full disk')
      for (const name of readdirSync(beside()).filter(path => path.startsWith('filler'))) unlinkSync(beside(name))
      await edit('Boats')
      await edit('Ropes')
    },
  },
  'a disk that is read-only for a while': {
    disk: [],
    act: async ({ edit, tryEdit, remount, expect }) => {
      await edit('Tides')
      remount('ro')
      expect((await tryEdit('Boats')) === 500, 'an edit was not refused on a read-only disk')
      remount('rw')
      await edit('Ropes')
    },
  },
  'assume-unchanged and skip-worktree on files that a person has changed': {
    act: async ({ append, edit, git, read, expect, output, wiki }) => {
      await git('update-index', '--assume-unchanged', 'Tides.wiki')
      await git('update-index', '--skip-worktree', 'Boats.wiki')
      for (const path of ['Tides.wiki', 'Boats.wiki']) append(path)
      for (const at of [1, 4]) for (const title of ['Tides', 'Boats', 'Ropes']) await edit(title, at)
      for (const path of ['Tides.wiki', 'Boats.wiki']) expect(read(path).endsWith('More.\n'), `${path} was replaced`)
      const marks = output('ls-files', '-v')
      expect(/^h Tides.wiki$/m.test(marks) && /^S Boats.wiki$/m.test(marks), `the marks are gone: ${marks}`)
      await git('update-index', '--no-assume-unchanged', 'Tides.wiki')
      await git('update-index', '--no-skip-worktree', 'Boats.wiki')
      await wiki('commit', '-m', 'mine')
      for (const page of ['Tides', 'Boats'])
        expect(output('show', `main:${page}.wiki`).includes('More.'), `the person's text of ${page} is not recorded`)
    },
  },
  'a file of a skipped entry is deleted, committed after edits': {
    act: async ({ edit, git, file }) => {
      await git('update-index', '--skip-worktree', 'Boats.wiki')
      unlinkSync(file('Boats.wiki'))
      for (const at of [1, 4]) await edit('Boats', at)
      await git('update-index', '--no-skip-worktree', 'Boats.wiki')
      await edit('Boats', 6)
      await git('commit', '-a', '-m', 'deleted')
      await edit('Ropes')
    },
  },
  'add -N of a page that others create': {
    act: async ({ write, edit, git, wiki, read, expect, beside }) => {
      write('New.wiki', 'Mine.\n')
      await git('add', '-N', 'New.wiki')
      await edit('Tides')
      writeFileSync(beside('text'), 'Theirs.\n')
      await wiki('page', 'create', 'New', '-f', beside('text'), '-m', 'new')
      await edit('New')
      await edit('Boats')
      expect(read('New.wiki') === 'Mine.\n', 'the announced file was replaced')
    },
  },
  'stash pop with a conflict': {
    staged: ['Tides.wiki'],
    act: async ({ read, write, edit, git, tryGit, output, expect }) => {
      write('Tides.wiki', read('Tides.wiki').replace('\n\n', '\n\nMine.\n\n'))
      await git('stash')
      await edit('Tides')
      expect((await tryGit('stash', 'pop')) !== 0, 'there is no conflict')
      await edit('Boats')
      await edit('Tides', 5)
      const sides = output('ls-files', '--unmerged').split('\n').length
      expect(sides === 3 && /<{7}.*Mine\./s.test(read('Tides.wiki')), 'the conflict is gone')
      write('Tides.wiki', read('Tides.wiki').replace(/^[<=>]{7}.*\n/gm, ''))
      await git('add', 'Tides.wiki')
      await git('commit', '-m', 'settled')
      await edit('Own')
    },
  },
  'add -p of one of two changes': {
    act: async ({ read, write, edit, git, gitWith, output, expect, wiki }) => {
      const mine = (part, at) => ([2, 10].includes(at) ? `${part} Mine ${at}.` : part)
      write('Tides.wiki', read('Tides.wiki').split('\n\n').map(mine).join('\n\n'))
      await gitWith({ input: 'y\nn\n' }, 'add', '-p')
      await edit('Boats')
      await edit('Tides', 6)
      expect(output('show', ':Tides.wiki').includes('Mine 2.'), 'what was staged is gone')
      await git('commit', '-m', 'one')
      await edit('Ropes')
      await wiki('commit', '-m', 'other')
      const text = output('show', 'main:Tides.wiki')
      expect(text.includes('Mine 2.') && text.includes('Mine 10.'), "the person's changes are not recorded")
      await edit('Tides', 3)
    },
  },
  'replace of a text and of a tree, and grafts': {
    act: async ({ edit, git, output, file, wiki, append }) => {
      const replace = (one, other) => git('replace', output('rev-parse', one), output('rev-parse', other))
      await edit('Tides')
      await replace('HEAD:Tides.wiki', 'HEAD:Boats.wiki')
      await edit('Tides', 4)
      await replace('HEAD^{tree}', 'HEAD~2^{tree}')
      await edit('Tides', 6)
      mkdirSync(file('.git/info'), { recursive: true })
      writeFileSync(file('.git/info/grafts'), `${output('rev-parse', 'HEAD')}\n`)
      await edit('Boats')
      append('Tides.wiki')
      await wiki('commit', '-m', 'mine')
      await edit('Tides', 8)
      await git('replace', '-d', ...output('replace', '-l').split('\n'))
      unlinkSync(file('.git/info/grafts'))
    },
  },
  'a submodule is replaced by pages, and they by another': {
    before: async ({ git, newRepository }) => {
      await git(...allowFiles, 'submodule', 'add', await newRepository('module'), 'Deep')
      await git('commit', '-m', 'module')
    },
    act: async stage => {
      const { edit, git, file, newRepository, expect, follow } = stage
      await edit('Tides')
      await git('rm', '-f', 'Deep')
      await addDeepPage(stage)
      await edit('Deep/Page')
      await git('mv', 'Deep', 'Deeper')
      await edit('Boats')
      await git('commit', '-m', 'move')
      follow('Deep/Page.wiki', 'Deeper/Page.wiki')
      await git(...allowFiles, 'submodule', 'add', '--name', 'other', await newRepository('other'), 'Deep')
      await edit('Deeper/Page')
      await git('commit', '-m', 'another module')
      await edit('Tides', 4)
      expect(!existsSync(file('Deep/Page.wiki')), 'the submodule was written to')
    },
  },
  'settings that git notes in its index': {
    staged: ['Own.wiki'],
    act: async ({ edit, git, append, output, expect, beside }) => {
      writeFileSync(beside('monitor'), '#!/bin/sh\nprintf "token\\0"\n', { mode: 0o755 })
      for (const args of [
        ['config', 'core.fsmonitor', beside('monitor')],
        ['update-index', '--fsmonitor'],
        ['update-index', '--index-version', '4'],
        ['update-index', '--untracked-cache'],
        ['config', 'feature.manyFiles', 'true'],
      ]) {
        await git(...args)
        await edit('Tides')
        await git('status')
        await edit('Tides', 4)
        expect(output('status', '--porcelain') === '', `the work tree differs after git ${args.join(' ')}`)
      }
      append('Own.wiki')
      await edit('Own')
      await git('config', '--unset', 'core.fsmonitor')
      expect(output('status', '--porcelain').trim() === 'M Own.wiki', "git does not see the person's change")
    },
  },
  'files and an index from the future and from before 1970': {
    act: async ({ edit, file, append, read, output, expect, git }) => {
      for (const seconds of [4e9, 0, 5e9, -1e5]) {
        for (const path of ['Tides.wiki', 'Boats.wiki', '.git/index']) utimesSync(file(path), seconds, seconds)
        await edit('Tides')
        await edit('Boats')
        expect(output('status', '--porcelain') === '', `the work tree differs: ${seconds}`)
        append('Tides.wiki')
        utimesSync(file('Tides.wiki'), seconds, seconds)
        await edit('Tides', 3)
        expect(read('Tides.wiki').endsWith('More.\n'), `what a person wrote was replaced: ${seconds}`)
        await git('checkout', '--', 'Tides.wiki')
      }
    },
  },
  'a save of the same size right after each edit': {
    act: async ({ edit, read, write, output, expect, git }) => {
      for (let at = 0; at < 12; at++) {
        await edit('Tides')
        write('Tides.wiki', read('Tides.wiki').replace('Paragraph 5,', 'Paragraph 9,'))
        expect(/^ ?M Tides/m.test(output('status', '--porcelain')), `git does not see save ${at}`)
        await edit('Tides', 2)
        expect(!read('Tides.wiki').includes('Paragraph 5,'), `save ${at} was replaced`)
        await git('checkout', '--', 'Tides.wiki')
      }
    },
  },
  "the server's clock goes back and forth": {
    isShifted: true,
    act: async ({ edit, shiftClock, append, git, wiki }) => {
      const year = 365 * 24 * 60 * 60 * 1000
      for (const [at, shift] of [
        0,
        30 * year,
        -Date.now(),
        0,
        -year,
        -50 * year - Date.now(),
        9000 * year,
        0,
      ].entries()) {
        shiftClock(shift)
        await edit('Tides', 1 + at)
        await edit('Boats', 1 + at)
        append('K.wiki')
        await git('commit', '-a', '-m', `own ${at}`)
        for (const args of [['log'], ['history', 'Tides'], ['page', 'get', 'Tides', '--html'], ['status']])
          await wiki(...args)
      }
      await git('reset', '--hard', 'HEAD~9')
      await edit('Ropes')
    },
  },
  'commits of all times': {
    act: async ({ edit, gitWith, append, wiki }) => {
      for (const time of ['@0 +0000', '@1 -1200', '@2147483648 +0000', '@4102444800 +1400', '@253402300800 +0000']) {
        append('K.wiki')
        await gitWith({ env: { GIT_COMMITTER_DATE: time, GIT_AUTHOR_DATE: time } }, 'commit', '-a', '-m', time)
        await edit('Tides')
        await edit('K')
        for (const args of [['log'], ['history', 'K'], ['page', 'get', 'K', '--html'], ['export']]) await wiki(...args)
      }
    },
  },
  'a disk without free inodes for a while': {
    disk: ['-o', 'size=64m,nr_inodes=600'],
    act: async ({ edit, tryEdit, beside, expect, output }) => {
      await edit('Tides')
      const names = []
      try {
        for (;;) {
          writeFileSync(beside(`n${names.length}`), '')
          names.push(beside(`n${names.length}`))
        }
      } catch (error) {
        if (error.code !== 'ENOSPC') throw error
      }
      // Each attempt gets a little further.
      for (const name of names.splice(-12)) {
        expect([200, 500].includes(await tryEdit('Boats')), 'an edit was neither saved nor refused')
        unlinkSync(name)
      }
      for (const name of names) unlinkSync(name)
      await edit('Boats')
      expect(output('status', '--porcelain') === '', 'the work tree differs')
    },
  },
  'bisect --no-checkout, and bisect beside a change': {
    act: async stage => {
      const { edit, editOrWait, git, append } = stage
      await edit('Tides')
      await git('bisect', 'start', '--no-checkout', 'HEAD', 'HEAD~3')
      await editOrWait('Boats')
      await git('bisect', 'reset')
      append('Own.wiki')
      await git('bisect', 'start', 'HEAD', 'HEAD~3')
      await edit('Tides', 4)
      await git('bisect', 'bad')
      await git('bisect', 'reset')
      await edit('Ropes')
      await git('commit', '-a', '-m', 'own')
    },
  },
  'rebase --update-refs of a branch on top of the served one': {
    act: async ({ edit, editOrWait, git, tryGit, append, hashOf, expect }) => {
      await edit('Tides')
      await git('switch', '-c', 'stacked')
      append('Own.wiki')
      await git('commit', '-a', '-m', 'stacked')
      await edit('Boats')
      await git('rebase', 'main')
      const tip = hashOf('main')
      await git(...todo('sed -i 1s/pick/edit/', '--update-refs', 'HEAD~3'))
      await git('commit', '--amend', '-m', 'other words')
      await git('rebase', '--continue')
      expect(hashOf('main') !== tip, 'the branch did not move')
      await edit('Tides', 4)
      await git('rebase', 'main')
      await git(...todo('sed -i 1s/pick/edit/', '--update-refs', 'HEAD~3'))
      await editOrWait('Ropes')
      await git('commit', '--amend', '-m', 'words again')
      // Git refuses to move a branch that has moved meanwhile.
      await tryGit('rebase', '--continue')
      await tryGit('rebase', '--quit')
      await git('switch', 'main')
      await edit('Boats', 4)
    },
  },
  'merge --squash, committed after edits': {
    staged: ['Own.wiki'],
    act: async stage => {
      const { edit, git } = stage
      await commitOnBranch(stage, 'side', 'Own.wiki')
      await commitOnBranch(stage, 'side2', 'Ropes.wiki')
      await git('merge', '--squash', 'side', '--no-commit')
      await edit('Tides')
      await edit('Own')
      await git('commit', '-m', 'squashed')
      await edit('Boats')
      await git('merge', '--squash', 'side2')
      await edit('Ropes', 1)
      await git('commit', '-m', 'squashed again')
      await edit('Ropes', 4)
    },
  },
  'subtree add, pull, split and push': {
    before: async ({ newRepository, inFolder, beside }) => {
      await newRepository('other')
      await inFolder('other', async ({ git }) => {
        writeFileSync(beside('other', 'Part.wiki'), 'Part.\n\nTwo.\n')
        await git('add', '.')
        await git('commit', '-m', 'part')
        await git('checkout', '-b', 'work')
      })
    },
    act: async ({ edit, git, inFolder, append }) => {
      await edit('Tides')
      await git('subtree', 'add', '--prefix', 'Sub', '../other', 'main')
      await edit('Sub/Part')
      await edit('Boats')
      await inFolder('other', async ({ git, append }) => {
        await git('checkout', 'main')
        append('Part.wiki')
        await git('commit', '-a', '-m', 'more')
        await git('checkout', 'work')
      })
      await git('subtree', 'pull', '--prefix', 'Sub', '../other', 'main', '-m', 'pull')
      await edit('Sub/Part', 2)
      await git('subtree', 'split', '--prefix', 'Sub', '-b', 'split')
      await edit('Ropes')
      append('Own.wiki')
      await git('commit', '-a', '-m', 'own')
      await git('subtree', 'push', '--prefix', 'Sub', '../other', 'from-wiki')
      await edit('Own')
    },
  },
  'filter-branch of a copy, which then replaces the branch': {
    act: async ({ edit, gitWith, git }) => {
      await edit('Tides')
      await git('branch', 'copy')
      await gitWith(squelched, 'filter-branch', '--msg-filter', 'sed s/e/E/g', 'copy')
      await edit('Boats')
      await git('update-ref', 'refs/heads/main', 'copy')
      await edit('Ropes')
      await edit('Boats')
    },
  },
  'update-ref --stdin by a script, with commits made without an index': {
    act: async ({ edit, git, gitWith, output, hashOf, beside, file }) => {
      await edit('Tides')
      const env = { GIT_INDEX_FILE: beside('other-index') }
      for (let at = 0; at < 4; at++) {
        await gitWith({ env }, 'read-tree', 'main')
        const entry = `100644,${hashOf('main:Own.wiki')},Script${at}.wiki`
        await gitWith({ env }, 'update-index', '--add', '--cacheinfo', entry)
        const tip = hashOf('main')
        const tree = execFileSync('git', ['write-tree'], {
          cwd: file('.'),
          env: { ...process.env, ...env },
          encoding: 'utf8',
        }).trim()
        const commit = output('commit-tree', '-p', tip, '-m', 'script', tree)
        await gitWith({ input: `update refs/heads/main ${commit} ${tip}\n` }, 'update-ref', '--stdin')
        await edit(['Boats', 'Tides'][at % 2], 1 + at)
      }
      await git('update-ref', 'refs/heads/main', 'main~1')
      await edit('Ropes')
    },
  },
  'symbolic-ref to and from the branch': {
    act: async ({ edit, git }) => {
      await edit('Tides')
      await git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main')
      await git('symbolic-ref', 'HEAD', 'refs/heads/alias')
      await edit('Boats')
      await git('commit', '--allow-empty', '-m', 'on the alias')
      await edit('Boats', 4)
      await git('branch', 'side', 'main~2')
      await git('symbolic-ref', 'HEAD', 'refs/heads/side')
      await edit('Ropes')
      await git('reset', '--hard')
      await edit('Own')
      await git('symbolic-ref', 'HEAD', 'refs/heads/main')
      await edit('Tides', 4)
      await git('reset', '--hard')
      await git('symbolic-ref', '--delete', 'refs/heads/alias')
      await edit('Boats', 5)
    },
  },
  'the branch is renamed, and renamed back': {
    act: async ({ edit, git, append }) => {
      await edit('Tides')
      await git('branch', '-m', 'trunk')
      append('Own.wiki')
      await git('commit', '-a', '-m', 'on trunk')
      await git('branch', '-M', 'trunk', 'main')
      await edit('Boats')
      await git('branch', '-c', 'main', 'copy')
      await edit('Ropes')
      await git('branch', '-M', 'copy', 'copy2')
      await edit('Tides', 4)
    },
  },
  'maintenance of every kind without a pause': {
    act: editsBeside(
      'maintenance',
      'run',
      ...['gc', 'commit-graph', 'loose-objects', 'pack-refs'].map(task => `--task=${task}`),
      '--quiet',
    ),
  },
  'edits taken back, their reflogs expired, and everything pruned': {
    act: async ({ edit, git }) => {
      for (const title of ['Tides', 'Boats', 'Ropes']) await edit(title)
      await git('reset', '--hard', 'HEAD~2')
      await git('reflog', 'expire', '--all', '--expire=now', '--expire-unreachable=now')
      await git('gc', '--quiet', '--prune=now')
      await edit('Own')
      await git('repack', '-a', '-d', '-F', '--depth=1', '--window=1')
      await git('prune', '--expire=now')
      await git('prune-packed')
      await edit('Own', 4)
    },
  },
  'an editor that writes CR LF, with and without conversion': {
    act: async ({ edit, git, read, write, editOrWait }) => {
      const crlf = text => text.replaceAll(/\r?\n/g, '\r\n')
      await edit('Tides')
      write('Own.wiki', crlf(`${read('Own.wiki')}Mine.\n`))
      await git('commit', '-a', '-m', 'cr lf')
      await edit('Own', 1)
      await git('config', 'core.autocrlf', 'true')
      await edit('Own', 1)
      write('Boats.wiki', crlf(`${read('Boats.wiki')}Mine.\n`))
      await edit('Tides', 4)
      await git('commit', '-a', '-m', 'converted')
      await edit('Boats')
      await git('config', 'core.autocrlf', 'input')
      write('Ropes.wiki', crlf(read('Ropes.wiki')))
      await editOrWait('Ropes')
      await git('add', '--renormalize', '.')
      await git('commit', '-m', 'renormalized', '--allow-empty')
      await edit('Ropes', 4)
      await git('config', '--unset', 'core.autocrlf')
      await edit('Own', 5)
    },
  },
  'names that differ by their Unicode form': {
    act: async ({ edit, editOrWait, git, write, follow }) => {
      const [nfc, nfd] = ['Caf\u00e9.wiki', 'Cafe\u0301.wiki']
      write(nfd, 'One.\n\nTwo.\n\nThree.\n')
      await git('add', '.')
      await git('commit', '-m', 'decomposed')
      await edit('Caf\u00e9')
      follow(nfc, nfd)
      await edit('Tides')
      await git('mv', nfd, nfc)
      await edit('Boats')
      await git('commit', '-m', 'composed')
      follow(nfd, nfc)
      await editOrWait('Caf\u00e9', 2)
      write(nfd, 'Both.\n')
      await git('add', '.')
      await git('commit', '-m', 'both')
      await edit('Boats', 3)
      await git('rm', nfd)
      await git('commit', '-m', 'one')
      await edit('Caf\u00e9', 3)
      await edit('Boats', 4)
    },
  },
  'a file gets a name of the same title, in another case': {
    act: async ({ edit, git, follow }) => {
      await edit('Tides')
      await git('mv', 'Tides.wiki', 'tides.wiki')
      follow('Tides.wiki', 'tides.wiki')
      await edit('Boats')
      await git('commit', '-m', 'in lower case')
      await edit('Tides', 2)
      follow('Tides.wiki', 'tides.wiki')
      await git('mv', 'tides.wiki', 'Tides.wiki')
      await git('commit', '-m', 'and back')
      follow('tides.wiki', 'Tides.wiki')
      await edit('Tides', 3)
    },
  },
  'an orphan branch takes the name of the served one': {
    act: async ({ edit, tryEdit, git }) => {
      await edit('Tides')
      await edit('Boats')
      await git('checkout', '--orphan', 'fresh')
      await tryEdit('Ropes')
      await git('commit', '-m', 'begin again')
      await git('branch', '-M', 'main')
      await tryEdit('Own')
      await edit('Boats', 4)
    },
  },
  'reset --keep and --merge, restore --source and read-tree -m -u beside edits': {
    staged: ['Own.wiki', 'Tides.wiki', 'Ropes.wiki'],
    act: async ({ edit, git, append, tryGit, write, read }) => {
      await edit('Tides')
      append('Own.wiki')
      await edit('Boats')
      await git('reset', '--keep', 'HEAD~1')
      await edit('Ropes')
      await git('add', 'Own.wiki')
      await tryGit('reset', '--merge', 'HEAD~1')
      await edit('Tides', 4)
      await git('restore', '--source', 'HEAD~1', '--staged', '--worktree', 'Tides.wiki')
      await edit('Boats', 4)
      await git('restore', '--staged', '--worktree', 'Tides.wiki')
      await git('read-tree', '-m', '-u', 'HEAD')
      await edit('Boats', 2)
      await tryGit('read-tree', '-m', '-u', 'HEAD~1', 'HEAD')
      await edit('Tides', 2)
      write('Ropes.wiki', `${read('Ropes.wiki')}More.\n`)
      await git('rm', '--cached', 'Ropes.wiki')
      await edit('Boats', 3)
      await git('add', 'Ropes.wiki')
      await git('commit', '-a', '-m', 'own')
      await edit('Ropes', 4)
    },
  },
  'sparse-checkout toggled without a pause': {
    before: addDeepPage,
    act: async ({ edit, git }) => {
      let isDone = false
      const toggle = async () => {
        while (!isDone) {
          await git('sparse-checkout', 'set', '--no-cone', '/Boats.wiki', '/wiki.json')
          await git('sparse-checkout', 'disable')
        }
      }
      const editAll = async () => {
        for (let at = 0; at < 8; at++) await edit(['Tides', 'Boats'][at % 2], 1 + (at >> 1))
      }
      await Promise.all([toggle(), editAll().finally(() => (isDone = true))])
      await git('sparse-checkout', 'disable')
    },
  },
  'stash -u, stash branch, and pop beside an edit of the same page': {
    staged: ['Own.wiki', 'New.wiki'],
    act: async ({ edit, git, tryGit, append, write }) => {
      append('Own.wiki')
      write('New.wiki', 'New.\n\nTwo.\n')
      await git('stash', 'push', '-u')
      await edit('Own')
      await edit('Tides')
      await tryGit('stash', 'apply')
      await git('reset', '--hard')
      await edit('Boats')
      await git('clean', '-fd')
      await git('stash', 'branch', 'stashed')
      await edit('Own', 4)
      await git('add', '.')
      await git('commit', '-m', 'stashed')
      await git('switch', 'main')
      append('Ropes.wiki')
      await git('stash')
      await edit('Ropes', 1)
      await tryGit('stash', 'pop')
      await tryGit('reset', '--hard')
      await edit('Tides', 4)
    },
  },
  'cherry-pick -n, revert -n and am -3, committed after edits': {
    act: async stage => {
      const { edit, editOrWait, git, gitWith, tryGit, output, hashOf } = stage
      await commitOnBranch(stage, 'side', 'Own.wiki')
      await edit('Tides')
      const patch = output('format-patch', '--stdout', 'main~1..main')
      await git('cherry-pick', '-n', 'side')
      await edit('Boats')
      await git('commit', '-m', 'picked')
      const picked = hashOf('HEAD')
      await edit('Own', 1)
      await git('revert', '-n', picked)
      await editOrWait('Ropes')
      await git('revert', '--quit')
      await git('commit', '-m', 'taken back')
      await edit('Ropes')
      await gitWith({ input: patch }, 'am', '-3').catch(() => {})
      await tryGit('am', '--abort')
      await edit('Boats', 4)
    },
  },
  'the branch is moved from another one, by branch -f, fetch, push and pull of this repository': {
    act: async stage => {
      const { edit, git, tryGit, append } = stage
      await edit('Tides')
      await git('switch', '-c', 'topic')
      append('Own.wiki')
      await git('commit', '-a', '-m', 'topic')
      await git('branch', '-f', 'main', 'topic')
      await edit('Boats')
      await tryGit('fetch', '.', 'topic:main')
      append('Own.wiki')
      await git('commit', '-a', '-m', 'topic 2')
      await git('rebase', 'main')
      await git('push', '.', 'HEAD:main')
      await edit('Ropes')
      await git('pull', '--no-rebase', '.', 'main')
      await git('push', '.', 'HEAD:main')
      await edit('Ropes', 4)
      await git('branch', '-f', 'main', 'main~2')
      await edit('Tides', 4)
      await git('switch', 'main')
      await edit('Boats', 4)
      await git('checkout', '-B', 'main', 'topic')
      await edit('Boats', 5)
    },
  },
  'work trees are added, moved, repaired, locked and removed': {
    act: async stage => {
      const { edit, git, beside, inFolder } = stage
      await git('worktree', 'add', '--force', beside('second'), 'main')
      await edit('Tides')
      await git('worktree', 'move', beside('second'), beside('third'))
      await edit('Boats')
      await inFolder('third', async ({ git, append }) => {
        append('Own.wiki')
        await git('commit', '-a', '-m', 'own')
      })
      await edit('Own', 1)
      renameSync(beside('third'), beside('fourth'))
      await edit('Ropes')
      await git('worktree', 'repair', beside('fourth'))
      await edit('Ropes', 4)
      await git('worktree', 'lock', beside('fourth'))
      await inFolder('fourth', async ({ git, append }) => {
        append('Own.wiki')
        await git('commit', '-a', '-m', 'own 2')
      })
      await git('worktree', 'unlock', beside('fourth'))
      await edit('Own', 1)
      await stage.strangersIn('fourth')
      await git('worktree', 'remove', '--force', beside('fourth'))
      await edit('Tides', 4)
    },
  },
  'fast-import of commits on the branch, and a bundle fetched into it': {
    before: ({ addRemote }) => addRemote(),
    act: async ({ edit, git, gitWith, hashOf, inFolder, beside, tryGit }) => {
      await edit('Tides')
      for (let at = 0; at < 3; at++) {
        const data = `Imported ${at}.\n\nTwo.\n`
        const stream = [
          'commit refs/heads/main',
          'committer Imp <imp@example.org> 1700000000 +0000',
          'data 8',
          'imported',
          `from ${hashOf('main')}`,
          `M 100644 inline Imported${at}.wiki`,
          `data ${data.length}`,
          data,
          '',
        ].join('\n')
        await gitWith({ input: stream }, 'fast-import', '--quiet')
        await edit(['Boats', 'Ropes', 'Boats'][at], 1 + at)
      }
      await inFolder('clone', async ({ git, append }) => {
        append('Own.wiki')
        await git('commit', '-a', '-m', 'bundled')
        await git('bundle', 'create', beside('own.bundle'), 'main')
      })
      await git('fetch', beside('own.bundle'), 'main:bundled')
      await edit('Own', 1)
      await tryGit('merge', 'bundled')
      await tryGit('merge', '--abort')
      await edit('Tides', 4)
    },
  },
  'entries of the index are written by hand': {
    staged: ['Own.wiki', 'Tides.wiki', 'Boats.wiki', 'Link.wiki'],
    act: async ({ edit, git, read, write, hashOf }) => {
      await edit('Tides')
      await git('update-index', '--index-version', '4')
      await edit('Boats')
      await git('update-index', '--force-remove', 'Own.wiki')
      await edit('Own')
      await git('update-index', '--add', '--cacheinfo', `100755,${hashOf('main:Ropes.wiki')},Boats.wiki`)
      await edit('Tides', 4)
      await git('checkout-index', '-f', '-a')
      await git('reset', '-q')
      await git('checkout', '--', '.')
      await edit('Boats', 4)
      write('Tides.wiki', `${read('Tides.wiki')}Mine.\n`)
      await git('add', '--chmod=+x', 'Tides.wiki')
      await edit('Ropes')
      await git('commit', '-m', 'mode')
      await edit('Tides', 2)
      await git('rm', '-r', '--cached', '-q', '.')
      await edit('Ropes', 2)
      await git('reset', '-q')
      await edit('Ropes', 3)
    },
  },
  'init is run again, core.bare is set for a while, and settings of the work tree': {
    act: async ({ edit, git, append }) => {
      await edit('Tides')
      await git('init')
      await edit('Boats')
      await git('config', 'core.bare', 'true')
      await edit('Ropes')
      await git('config', 'core.bare', 'false')
      await edit('Ropes', 4)
      append('Own.wiki')
      await git('commit', '-a', '-m', 'own')
      await git('config', 'extensions.worktreeConfig', 'true')
      await git('config', '--worktree', 'core.sparseCheckout', 'false')
      await edit('Boats', 4)
      await git('config', 'core.fileMode', 'false')
      await git('config', 'core.symlinks', 'false')
      await git('config', 'core.logAllRefUpdates', 'false')
      await git('config', 'core.ignoreCase', 'true')
      await edit('Tides', 4)
      append('Own.wiki')
      await git('commit', '-a', '-m', 'own 2')
      await edit('Own', 1)
    },
  },
  'a merge with rerere, of one side, and left unfinished': {
    act: async stage => {
      const { edit, editOrWait, git, tryGit, read, write } = stage
      await git('config', 'rerere.enabled', 'true')
      await git('switch', '-c', 'side')
      write('Own.wiki', read('Own.wiki').replace(/^.*$/m, 'Theirs.'))
      await git('commit', '-a', '-m', 'theirs')
      await git('switch', 'main')
      write('Own.wiki', read('Own.wiki').replace(/^.*$/m, 'Ours.'))
      await git('commit', '-a', '-m', 'ours')
      await edit('Tides')
      for (const side of ['--ours', '--theirs']) {
        await tryGit('merge', 'side')
        await editOrWait('Boats')
        await git('checkout', side, '--', 'Own.wiki')
        await git('add', 'Own.wiki')
        await editOrWait('Ropes')
        await git('commit', '-m', 'merged')
        await edit('Boats', side === '--ours' ? 4 : 1)
        await git('branch', '-f', 'side', 'side~0')
        if (side === '--ours') {
          await git('reset', '--hard', 'HEAD~2')
          await edit('Ropes', 5)
        }
      }
      await edit('Own', 2)
    },
  },
  'attributes and filters come and go': {
    act: async ({ edit, editOrWait, git, write, append }) => {
      await edit('Tides')
      write('.gitattributes', '*.wiki text eol=crlf\n')
      await editOrWait('Boats')
      await git('add', '.')
      await git('commit', '-m', 'crlf')
      await edit('Boats', 4)
      append('Own.wiki')
      await git('commit', '-a', '-m', 'own')
      write('.gitattributes', '*.wiki filter=upper\n')
      await git('config', 'filter.upper.clean', 'sed s/zzz/yyy/')
      await git('config', 'filter.upper.smudge', 'sed s/yyy/zzz/')
      await git('commit', '-a', '-m', 'filter')
      await edit('Ropes')
      await git('rm', '-q', '--cached', '.gitattributes')
      await edit('Tides', 4)
      await git('commit', '-m', 'none')
      await git('config', '--unset', 'filter.upper.clean')
      await editOrWait('Own', 1)
      await git('clean', '-fd')
      await git('checkout', '--', '.')
      await edit('Own', 1)
      await edit('Tides', 2)
    },
  },
  'HEAD becomes a symbolic link, as old versions of git made it': {
    before: ({ git }) => git('branch', 'side'),
    act: async stage => {
      const { edit, git } = stage
      await edit('Tides')
      await git('config', 'core.preferSymlinkRefs', 'true')
      await git('switch', 'side')
      await edit('Boats')
      await git('switch', 'main')
      await edit('Tides', 4)
      await commitOwn(stage)
      await git('pack-refs', '--all')
      await edit('Ropes')
      await git('config', 'core.preferSymlinkRefs', 'false')
      await git('switch', 'side')
      await git('switch', 'main')
      await edit('Boats', 4)
    },
  },
  'the index is a symbolic link for a while': {
    act: async stage => {
      const { edit, tryEdit, expect, file } = stage
      await edit('Tides')
      renameSync(file('.git/index'), file('.git/other'))
      symlinkSync('other', file('.git/index'))
      expect((await tryEdit('Boats')) === 500, 'an edit beside a linked index was not refused')
      await commitOwn(stage)
      expect(lstatSync(file('.git/index')).isSymbolicLink(), 'the link was replaced')
      renameSync(file('.git/other'), file('.git/index'))
      await edit('Boats')
    },
  },
  'the server is stopped at any moment, while git commits and prunes': {
    act: async stage => {
      const { server, edit, tryEdit, append, tryGit, file } = stage
      for (let at = 0; at < 12; at++) {
        const edited = tryEdit(['Tides', 'Boats'][at % 2], 1 + (at >> 1))
        await new Promise(resolve => setTimeout(resolve, 20 + 10 * at))
        server.child.kill('SIGSTOP')
        append('Own.wiki')
        // Git's message about a lock advises this.
        rmSync(file('.git/index.lock'), { force: true })
        await tryGit('commit', '-a', '-m', `own ${at}`)
        await tryGit('reset', '--hard')
        if (at % 4 === 3) await tryGit('gc', '--quiet', '--prune=now')
        server.child.kill('SIGCONT')
        await edited
      }
      await edit('Ropes')
    },
  },
  'the history is rewritten by fast-export and fast-import': {
    act: async ({ edit, tryEdit, git, gitWith, output }) => {
      const rewrite = () => {
        const stream = output('fast-export', '--no-data', 'main').replaceAll(/^author .* </gm, 'author Nobody <')
        return gitWith({ input: `${stream}\n` }, 'fast-import', '--force', '--quiet')
      }
      await edit('Tides')
      await edit('Boats')
      await rewrite()
      await edit('Ropes')
      await Promise.all([tryEdit('Tides', 4), rewrite()])
      await rewrite()
      await edit('Own', 2)
      await git('commit', '--allow-empty', '-m', 'own')
      await edit('Own', 3)
    },
  },
  'an edit that is taken back together with its record': {
    flaw: /is lost, and not reported/,
    act: async ({ edit, git, stop, output, file }) => {
      await edit('Tides')
      await edit('Boats')
      await stop()
      await git('reset', '--hard', 'HEAD~1')
      for (const ref of output('for-each-ref', '--format=%(refname)', 'refs/wiki').split('\n'))
        await git('update-ref', '-d', ref)
      rmSync(file('.git/wiki'), { recursive: true })
    },
  },
  'an edit that is undone without its record': {
    flaw: /is lost, and not reported/,
    act: async ({ edit, git, stop, output, file }) => {
      await edit('Boats')
      await stop()
      for (const ref of output('for-each-ref', '--format=%(refname)', 'refs/wiki').split('\n'))
        await git('update-ref', '-d', ref)
      rmSync(file('.git/wiki'), { recursive: true })
      await git('checkout', 'HEAD~1', '--', 'Boats.wiki')
      await git('commit', '-m', 'from an older text')
    },
  },
  'an index that is older than an edit': {
    flaw: /the index has what nobody staged: Tides\.wiki/,
    act: async ({ edit, git, stop }) => {
      await edit('Tides')
      await stop()
      await git('read-tree', 'HEAD~1')
    },
  },
}

/** Writes pieces of a size until the disk is full. */
function fill(path, size) {
  try {
    for (let at = 0; ; at++) writeFileSync(`${path} ${at}`, Buffer.alloc(size, 1))
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error
  }
}
