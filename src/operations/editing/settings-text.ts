/** The text of wiki.json that a change of the settings begins from. */

import { configFile, parseConfig } from '../../core/config.ts'
import { isWikiError, WikiError } from '../../core/errors.ts'
import type { Store } from '../../store/store.ts'

/**
 * Returns the text of wiki.json at the tip, "" if there is none, for a plan that changes it. If it is not the one in use, because
 * somebody has committed an invalid one, the settings in use are those of an earlier commit, and a change of them would overwrite what
 * that person wrote. Errors: wiki-settings-kept.
 */
export async function settingsToChange(store: Store): Promise<string> {
  const { tip } = store
  const blob = tip === null ? null : await store.trees.blobAt(tip, configFile)
  const text = blob === null ? '' : await textOf(store, blob)
  if (text === store.configText) return text
  throw new WikiError('wiki-settings-kept', {
    params: [text === null ? `${configFile} cannot be read` : reasonAgainst(text)],
    hint: `Correct ${configFile} and commit it, then repeat the change`,
  })
}

async function textOf(store: Store, blob: string): Promise<string | null> {
  try {
    return (await store.blob(blob)).toString()
  } catch (error) {
    if (isWikiError(error)) return null
    throw error
  }
}

function reasonAgainst(text: string): string {
  try {
    parseConfig(text)
    return `${configFile} could not be read when it was committed`
  } catch (error) {
    if (isWikiError(error)) return error.message
    throw error
  }
}
