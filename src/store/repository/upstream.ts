/** The upstream branch: the part of the history that others can have seen. */

import { join } from 'node:path'
import { linesFromEnd } from '../../files/lines-from-end.ts'
import { type GitDirectories, isRefName, type Repository, readGitConfig, readRef } from './repository.ts'

/** A branch, and the folders with its refs and settings. */
type LocalBranch = GitDirectories & Pick<Repository, 'branch'>

/**
 * Returns the remote-tracking branch of the wiki's branch; null if there is none. Without `branch.<name>.merge` this is the
 * branch of the same name at `origin`. Source: git-config(1), "branch.<name>.merge".
 */
export function upstreamRef(local: LocalBranch): string | null {
  const name = local.branch.replace(/^refs\/heads\//, '')
  if (name === local.branch) return null
  const config = readGitConfig(join(local.commonDirectory, 'config'))
  const remote = config.get(`branch.${name}.remote`) ?? 'origin'
  const merge = config.get(`branch.${name}.merge`) ?? local.branch
  const ref = `refs/remotes/${remote}/${merge.slice('refs/heads/'.length)}`
  if (!merge.startsWith('refs/heads/') || !isRefName(ref) || readRef(local, ref) === null) return null
  return ref
}

/** Maximum lines of the reflog that are read, from the newest on. */
const lineLimit = 100_000

/** Returns every commit that the upstream branch names, or has named as far as its reflog goes back; empty without one. */
export function publishedTips(local: LocalBranch): ReadonlySet<string> {
  const ref = upstreamRef(local)
  if (ref === null) return new Set()
  const tips = new Set([readRef(local, ref) as string])
  let left = lineLimit
  for (const line of linesFromEnd(join(local.commonDirectory, 'logs', ref))) {
    const hash = line.slice(41, 81)
    if (/^[0-9a-f]{40}$/.test(hash)) tips.add(hash)
    if (--left === 0) break
  }
  return tips
}

/**
 * Returns the address of the remote `origin` as a URL without its user's name and password; null if it has none, or one
 * that means nothing on other machines. Source: git-clone(1), "GIT URLS".
 */
export function originAddress({ commonDirectory }: Pick<Repository, 'commonDirectory'>): string | null {
  const written = readGitConfig(join(commonDirectory, 'config')).get('remote.origin.url') ?? ''
  const [, host, path] = /^(?:[\w.-]+@)?([\w.-]{2,}):(?!\/\/|:)\/?(.+)$/.exec(written) ?? []
  const text = host === undefined ? written : `ssh://${host}/${path}`
  if (!/^(?:https?|ssh|git):\/\//i.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  return url.host === '' ? null : `${url.protocol}//${url.host}${url.pathname}`
}
