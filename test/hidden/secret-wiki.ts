/** A wiki with hidden parts wherever a revision can be: old, latest, deleted, moved, beside a file, lost. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openWiki } from '../../src/operations/wiki.ts'
import { git } from '../_setup.ts'
import { wiki as run, temporaryFolder } from '../cli/harness.ts'

/** The beginning of all secrets, which no response may contain. */
export const mark = 'zqx'
/** The random sign-in code of `wiki serve` may contain the mark by chance. */
const randomCode = /wiki_[\w-]{20,}/g
export const secretIn = (text: string): string[] => [
  ...new Set(text.replace(randomCode, '').match(/zqx[a-z]+/gi) ?? []),
]

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>\n'
const alice = { name: 'Alice', address: 'alice@example.org' }

/** One commit; `secret` names the secrets in it. */
interface Step {
  readonly files: Readonly<Record<string, string | null>>
  readonly secret?: string
}

const steps: readonly Step[] = [
  { files: { 'wiki.json': '{"name": "Harbour", "anonymousEdits": true}\n' } },
  { files: { 'Ferry.wiki': 'The ferry leaves at ten.\n' } },
  { files: { 'Ferry.wiki': 'The ferry leaves zqxoldtext at eleven, {{zqxoldtext}} [[zqxoldtext]].\n' }, secret: 'old' },
  { files: { 'Ferry.wiki': 'The ferry leaves at twelve.\n' } },
  { files: { 'Tides.wiki': 'Low water zqxlasttext at six.\n' }, secret: 'last' },
  { files: { 'Gone.wiki': 'Gone with zqxgonetext.\n' }, secret: 'gone' },
  { files: { 'Gone.wiki': null } },
  { files: { 'File/Map.svg': drawing, 'File/Map.svg.wiki': 'Map of zqxfiletext.\n' }, secret: 'file' },
  { files: { 'File/Map.svg.wiki': 'A map.\n' } },
  { files: { 'Quay.wiki': 'Quay zqxmovetext.\n' }, secret: 'move' },
  { files: { 'Quay.wiki': 'The quay.\n' } },
  { files: { 'Quay.wiki': null, 'Pier.wiki': 'The quay.\n' } },
  {
    files: {
      'Users.wiki':
        'By {{REVISIONUSER:Ferry}}, {{REVISIONUSER:Tides}}, {{REVISIONUSER:File:Map.svg}}. [[File:Map.svg|thumb]] {{:Tides}} <b>open\n',
    },
  },
]

export interface SecretWiki {
  readonly directory: string
  /** Revisions to hide, and the hidden parts of each. */
  readonly secrets: readonly { readonly id: number; readonly parts: readonly string[] }[]
  readonly ids: readonly number[]
  /** Hashes of the commits that made the revisions. */
  readonly commits: readonly string[]
}

/** Makes the wiki; the search index is built while everybody may still read the secrets. */
export async function secretWiki(): Promise<SecretWiki> {
  const directory = temporaryFolder()
  await run(['init', '-q'], { cwd: directory })
  const wiki = await openWiki({ directory })
  const hashes = new Map<string, string>()
  for (const [minute, { files, secret }] of steps.entries()) {
    const changes = Object.entries(files).map(([path, text]) => ({
      path,
      content: text === null ? null : Buffer.from(text),
    }))
    const author =
      secret === undefined ? alice : { name: `zqx${secret}user`, address: `zqx${secret}address@example.org` }
    const comment = secret === undefined ? 'tidied' : `zqx${secret}comment`
    const time = new Date(Date.UTC(2026, 0, 31, 12, minute))
    const { commit } = await wiki.store.commit(() => ({ changes, author, comment, subject: comment, time }))
    if (secret !== undefined) {
      hashes.set(commit as string, secret)
      await run(['search', 'ferry'], { cwd: directory })
    }
  }
  await wiki.store.refresh()
  const all = [...wiki.store.allRevisions()]
  await wiki.close()
  const secrets = all.flatMap(({ id, commit }) => {
    const secret = hashes.get(commit)
    return secret === undefined
      ? []
      : [{ id, parts: secret === 'last' ? ['comment', 'author'] : ['text', 'comment', 'author'] }]
  })
  for (const [name, text] of Object.entries({ mine: 'mine\n', base: 'base\n', theirs: 'theirs\n' })) {
    mkdirSync(join(directory, 'texts'), { recursive: true })
    writeFileSync(join(directory, 'texts', name), text)
  }
  return { directory, secrets, ids: all.map(({ id }) => id), commits: [...new Set(all.map(({ commit }) => commit))] }
}

/** Hides them with the command; the text of a latest revision, which no command hides, in wiki.json. */
export async function hideSecrets({ directory, secrets }: SecretWiki): Promise<void> {
  for (const { id, parts } of secrets) {
    const flags = parts.map(part => `--${part}`)
    const { status, stderr } = await run(['revision', 'hide', String(id), ...flags], { cwd: directory })
    if (status !== 0) throw new Error(stderr)
  }
  const latest = secrets.find(({ parts }) => !parts.includes('text'))
  const wiki = await openWiki({ directory })
  await wiki.store.commit(() => {
    const settings = JSON.parse(wiki.store.configText)
    const { commit, blob } = wiki.store.revision(latest!.id)!
    settings.hidden[`${commit}/${blob}`].parts.push('text')
    const changes = [{ path: 'wiki.json', content: Buffer.from(JSON.stringify(settings)) }]
    return { changes, author: alice, comment: 'by hand', subject: 'By hand' }
  })
  await wiki.close()
}

/**
 * Saves an edit, hides all of it, and removes it from the branch with git, so that only the record of acknowledged edits
 * contains it.
 */
export async function loseSecretEdit({ directory }: SecretWiki): Promise<void> {
  const before = git(directory, 'rev-parse', 'HEAD').trim()
  const user = ['--user', 'zqxlostuser <zqxlostaddress@example.org>']
  await run(['page', 'edit', 'Pier', '-f', '-', '-m', 'zqxlostcomment', ...user], {
    cwd: directory,
    stdin: 'The quay with zqxlosttext.\n',
  })
  const lost = git(directory, 'rev-parse', 'HEAD').trim()
  // It removes an edit that another user has just saved, which must be confirmed.
  const base = ['--base', lost]
  await run(['page', 'edit', 'Pier', '-f', '-', '-m', 'clean', ...base], {
    cwd: directory,
    stdin: 'The quay, clean.\n',
  })
  await run(['revision', 'hide', lost, '--text', '--comment', '--author'], { cwd: directory })
  const settings = git(directory, 'show', 'HEAD:wiki.json')
  git(directory, 'reset', '-q', '--hard', before)
  writeFileSync(join(directory, 'wiki.json'), settings)
  git(directory, 'commit', '-q', '-m', 'Settings', '--', 'wiki.json')
}
