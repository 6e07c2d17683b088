/** A wiki without pages, for texts that belong to no repository. */

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leaveUnsynced } from '../files/durable.ts'
import { makeTemporaryFolder, removeFolder } from '../files/private-files.ts'
import { removeAtSignal } from '../files/unfinished.ts'
import { initRepository } from '../store/repository/init.ts'
import { openWiki, type Wiki } from './wiki.ts'

/** Opens a wiki without pages and with the default settings, in a temporary folder. Closing it removes the folder. */
export async function openEmptyWiki(): Promise<Wiki> {
  const directory = makeTemporaryFolder(join(tmpdir(), 'wiki-text-'))
  const keep = removeAtSignal(directory)
  const remove = (): void => {
    removeFolder(directory)
    keep()
  }
  try {
    leaveUnsynced(directory)
    initRepository(directory, { bare: true, nested: true })
    const wiki = await openWiki({ directory })
    return { ...wiki, close: () => wiki.close().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}
