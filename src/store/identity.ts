/** Who git's configuration says is writing here. */

import { join } from 'node:path'
import type { Author } from './entries.ts'
import { type Repository, readGitConfig } from './repository.ts'

/** Reads `user.name` and `user.email` from the repository's configuration, then from that of the home folder. */
export function configuredAuthor(repository: Repository, home: string | undefined): Author | null {
  const files = [join(repository.commonDirectory, 'config')]
  if (home !== undefined) files.push(join(home, '.gitconfig'), join(home, '.config', 'git', 'config'))
  const configs = files.map(readGitConfig)
  const setting = (name: string) => configs.map(config => config.get(name)).find(value => value !== undefined)
  const name = setting('user.name')
  const address = setting('user.email')
  return name === undefined || address === undefined ? null : { name, address }
}
