/**
 * A table of commands that people and their editors give to git beside the wiki. Each is a function of a scene that starts
 * processes and resolves when they have ended. None checks for success, because git refuses much while others write.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/**
 * Commands in the work tree. `git` runs git there and returns its exit status, `pick` picks an item of a list, `word` is always
 * new.
 */
export const commands = {
  'switch to side': ({ git }) => git('switch', 'side'),
  'switch to main': ({ git }) => git('switch', 'main'),
  'checkout main': ({ git }) => git('checkout', 'main'),
  'checkout a file': ({ git, page }) => git('checkout', '--', page()),
  'restore a file': ({ git, page }) => git('restore', page()),
  'commit other files': async ({ git, own, word, directory }) => {
    appendFileSync(join(directory, own), `${word()}\n`)
    await git('add', own)
    return git('commit', '-m', `native ${own}`)
  },
  'commit everything': async ({ git, own, word, directory }) => {
    appendFileSync(join(directory, own), `${word()}\n`)
    return git('commit', '-a', '-m', 'native all')
  },
  'commit a path': async ({ git, own, word, directory }) => {
    appendFileSync(join(directory, own), `${word()}\n`)
    return git('commit', '-m', 'native path', '--', own)
  },
  amend: ({ git }) => git('commit', '--amend', '--no-edit'),
  stash: async ({ git, own, word, directory, pause }) => {
    appendFileSync(join(directory, own), `${word()}\n`)
    await git('stash')
    await pause(30)
    return git('stash', 'pop')
  },
  'reset --soft': ({ git }) => git('reset', '--soft', 'HEAD~1'),
  'reset --mixed': ({ git }) => git('reset', '--mixed', 'HEAD~1'),
  'reset --hard': ({ git }) => git('reset', '--hard', 'HEAD~1'),
  'rebase and continue': async ({ git }) => {
    await git('rebase', 'origin/main')
    return git('rebase', '--continue')
  },
  'rebase and abort': async ({ git, pause }) => {
    await git('rebase', '--exec', 'sleep 0.05', 'HEAD~2')
    await pause(20)
    return git('rebase', '--abort')
  },
  'pull --rebase': async ({ git }) => {
    if ((await git('pull', '--rebase', 'origin', 'main')) !== 0) await git('rebase', '--abort')
  },
  'pull with merge': async ({ git }) => {
    if ((await git('pull', '--no-rebase', '--no-edit', 'origin', 'main')) !== 0) await git('merge', '--abort')
  },
  'merge side': async ({ git }) => {
    if ((await git('merge', '--no-edit', 'side')) !== 0) await git('merge', '--abort')
  },
  'merge without commit': async ({ git, pause }) => {
    await git('merge', '--no-commit', '--no-ff', 'side')
    await pause(30)
    return git('merge', '--abort')
  },
  'cherry-pick': async ({ git }) => {
    if ((await git('cherry-pick', 'side')) !== 0) await git('cherry-pick', '--abort')
  },
  revert: async ({ git }) => {
    if ((await git('revert', '--no-edit', 'HEAD')) !== 0) await git('revert', '--abort')
  },
  push: ({ git }) => git('push', 'origin', 'main'),
  'push --force': ({ git }) => git('push', '--force', 'origin', 'main'),
  fetch: ({ git }) => git('fetch', 'origin'),
  'gc --prune=now': ({ git }) => git('gc', '--prune=now', '--quiet'),
  'repack -a -d': ({ git }) => git('repack', '-a', '-d', '-q'),
  'prune --expire=now': ({ git }) => git('prune', '--expire=now'),
  'pack-refs': ({ git }) => git('pack-refs', '--all'),
  'pack-refs that leaves an empty folder': async ({ git, directory }) => {
    await git('pack-refs', '--all', '--prune')
    const folder = join(directory, '.git', 'refs', 'heads', 'main')
    if (!existsSync(folder)) attemptFolder(folder)
  },
  'worktree add': ({ git, linked }) => git('worktree', 'add', '--force', linked, 'main'),
  'worktree remove': ({ git, linked }) => git('worktree', 'remove', '--force', linked),
  'commit in a linked work tree': async ({ gitIn, linked, word }) => {
    if (!existsSync(join(linked, 'K.wiki'))) return
    appendFileSync(join(linked, 'K.wiki'), `${word()}\n`)
    await gitIn(linked, 'add', 'K.wiki')
    return gitIn(linked, 'commit', '-m', 'linked')
  },
  'change attributes': async ({ git, pick, directory }) => {
    writeFileSync(
      join(directory, '.gitattributes'),
      pick(['*.wiki eol=crlf\n', '*.wiki text eol=lf\n', '*.wiki ident\n', '\n']),
    )
    await git('add', '.gitattributes')
    return git('commit', '-m', 'attributes', '--', '.gitattributes')
  },
  // Not committed, so that the page is under the filter on every branch.
  'edit under a filter': async ({ git, wiki, word, directory }) => {
    await git('config', 'filter.proof.clean', 'sed s/plain/clean/')
    await git('config', 'filter.proof.smudge', 'cat')
    await git('config', 'filter.proof.required', 'true')
    mkdirSync(join(directory, '.git', 'info'), { recursive: true })
    writeFileSync(join(directory, '.git', 'info', 'attributes'), 'Secret.wiki filter=proof\n')
    const text = join(directory, '.git', 'secret')
    writeFileSync(text, `plain ${word()}\n`)
    return wiki('page', 'edit', 'Secret', '-f', text, '-m', 'under a filter')
  },
  'save by rename': ({ directory, page, word, typed }) => {
    const file = join(directory, page())
    if (!existsSync(file)) return
    const saved = word()
    writeFileSync(`${file}~`, `${readFileSync(file, 'utf8')}${saved}\n`)
    renameSync(`${file}~`, file)
    typed.push(saved)
  },
  'save in place': ({ directory, page, word, typed }) => {
    const file = join(directory, page())
    if (!existsSync(file)) return
    const saved = word()
    appendFileSync(file, `${saved}\n`)
    typed.push(saved)
  },
  'wiki commit': ({ wiki }) => wiki('commit', '-m', 'commit of the work tree'),
  'update-ref': async ({ git }) => git('update-ref', 'refs/heads/main', 'HEAD~1'),
  tag: ({ git, word }) => git('tag', word()),
  'status and diff': async ({ git }) => {
    await git('status', '--short')
    return git('diff', '--stat')
  },
  'stage a file': ({ git, page }) => git('add', page()),
  'remove and put back': async ({ git, own }) => {
    await git('rm', '--cached', '--quiet', own)
    return git('reset', '--quiet', '--', own)
  },
  'kill a commit': async ({ killGit, own, word, directory }) => {
    appendFileSync(join(directory, own), `${word()}\n`)
    return killGit('commit', '-a', '-m', 'killed')
  },
  'kill a switch': ({ killGit, pick }) => killGit('switch', pick(['side', 'main'])),
  'rename the branch and back': async ({ git, pause }) => {
    await git('branch', '-m', 'main', 'trunk')
    await pause(60)
    return git('branch', '-m', 'trunk', 'main')
  },
  'detach and back': async ({ git, pause }) => {
    await git('switch', '--detach')
    await pause(60)
    return git('switch', 'main')
  },
  'topic that is deleted': async ({ git, pause }) => {
    if ((await git('switch', '-c', 'topic')) !== 0) return
    await pause(120)
    await git('switch', 'main')
    return git('branch', '-D', 'topic')
  },
  'checkout -B': ({ git }) => git('checkout', '-B', 'main', 'origin/main'),
  bisect: async ({ git, pause }) => {
    await git('bisect', 'start', 'HEAD', 'HEAD~2')
    await pause(30)
    return git('bisect', 'reset')
  },
  'apply a patch': async ({ git, directory, pause }) => {
    await git('format-patch', '--quiet', '-1', '-o', join(directory, '.git'), '--start-number', '1', 'side')
    const patch = readdirSync(join(directory, '.git')).find(name => name.endsWith('.patch'))
    if (patch !== undefined && (await git('am', '--quiet', join(directory, '.git', patch))) === 0) return
    await pause(20)
    return git('am', '--abort')
  },
  'announce a file': async ({ git, directory, word }) => {
    const name = `New ${word()}.wiki`
    writeFileSync(join(directory, name), 'new\n')
    await git('add', '--intent-to-add', name)
    return git('reset', '--quiet', '--', name)
  },
  'stage a deletion and commit it later': async ({ git, own, pause, directory, word }) => {
    await git('rm', '--quiet', '--cached', own)
    await pause(60)
    await git('commit', '-m', 'removed')
    appendFileSync(join(directory, own), `${word()}\n`)
    await git('add', own)
    return git('commit', '-m', 'added')
  },
  'commit-tree': async ({ git, tree }) => {
    const commit = tree()
    // The branch of a small wiki may have one commit only, and git no tree to take.
    return commit === '' ? 1 : git('update-ref', 'refs/heads/main', commit)
  },
  'push from a clone': async ({ gitIn, clone, word }) => {
    await gitIn(clone, 'pull', '--rebase', '--quiet')
    appendFileSync(join(clone, 'L.wiki'), `${word()}\n`)
    await gitIn(clone, 'commit', '-a', '-m', 'clone')
    return gitIn(clone, 'push', '--quiet')
  },
}

/** The branch may be a loose file again by now. */
function attemptFolder(path) {
  try {
    mkdirSync(path)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
}

/** After these an uncommitted text may be lost, because the user discarded it. */
export const discarding = [
  'checkout a file',
  'restore a file',
  'reset --hard',
  'checkout -B',
  'apply a patch',
  'stash',
  'rebase and abort',
  'rebase and continue',
  'pull --rebase',
  'pull with merge',
  'merge side',
  'merge without commit',
  'cherry-pick',
  'revert',
]

/** Ends git's operation in progress, and removes the files of a killed git, as a user would. */
export async function settle({ git, directory, linked }) {
  const names = ['index.lock', 'HEAD.lock', 'packed-refs.lock', 'refs/heads/main.lock', 'refs/heads/side.lock']
  for (const name of names) removeGitLock(join(directory, '.git', name))
  for (const [file, command] of unfinished) if (existsSync(join(directory, '.git', file))) await git(command, '--abort')
  if (existsSync(join(directory, '.git', 'BISECT_LOG'))) await git('bisect', 'reset')
  await git('branch', '-m', 'trunk', 'main')
  await git('worktree', 'remove', '--force', linked)
  await git('switch', '--force', 'main')
  await git('branch', '-D', 'topic')
}

/**
 * Removes the lock of a killed git. A lock of the wiki names its process and is left alone: without it two processes would
 * write at once.
 */
export function removeGitLock(lock) {
  try {
    if (!readFileSync(lock, 'latin1').startsWith('wiki ')) rmSync(lock, { force: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

const unfinished = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
]
