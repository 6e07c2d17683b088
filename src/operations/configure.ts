/** The settings of a wiki: wiki.json at the top of its repository. */

import { configFile, setConfigValue } from '../core/config.ts'
import type { WikiConfig } from '../core/wiki-config.ts'
import { type ChangeRequest, planOf } from './editing/edit.ts'
import { cleanComment } from './editing/edit-summary.ts'
import { settingsToChange } from './editing/settings-text.ts'
import type { Wiki } from './wiki.ts'

export interface WriteConfigRequest extends ChangeRequest {
  /** Dotted path of the setting, e.g. `license.url`. */
  readonly path: string
  /** As typed: a list with commas or as JSON, a map as JSON. */
  readonly value: string
}

export interface WrittenConfig {
  readonly config: WikiConfig
  /** False if the setting already had the value, so that nothing was written. */
  readonly changed: boolean
  readonly leftAlone: readonly string[]
}

/** Reads all settings; those missing from wiki.json have their defaults. */
export async function readConfig({ store }: Wiki): Promise<WikiConfig> {
  await store.refresh()
  return store.config
}

export interface WriteSettingsRequest extends ChangeRequest {
  /** Typed values, by the paths of their settings. */
  readonly values: Readonly<Record<string, string>>
  /** Called with the settings in use that are about to change; nothing is written if it throws. */
  readonly accept?: (() => void) | undefined
}

/** Sets one setting as a commit. Errors: those of `writeSettings`. */
export function writeConfig(wiki: Wiki, { path, value, ...request }: WriteConfigRequest): Promise<WrittenConfig> {
  return writeSettings(wiki, { ...request, values: { [path]: value } })
}

/** Sets several settings as one commit. Errors: wiki-bad-config, wiki-settings-kept, wiki-no-author, and those of the store's commit. */
export async function writeSettings({ store }: Wiki, request: WriteSettingsRequest): Promise<WrittenConfig> {
  const { values, comment, accept } = request
  const { commit, leftAlone } = await store.commit(async () => {
    const before = await settingsToChange(store)
    accept?.()
    const after = Object.entries(values).reduce((text, [path, value]) => setConfigValue(text, path, value), before)
    if (after === before) return null
    return planOf(request, {
      changes: [{ path: configFile, content: Buffer.from(after) }],
      comment: cleanComment(comment ?? ''),
      subject: `Set ${Object.keys(values).join(', ').slice(0, 60)}`,
    })
  })
  await store.refresh()
  return { config: store.config, changed: commit !== null, leftAlone }
}
