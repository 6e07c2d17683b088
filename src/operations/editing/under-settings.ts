/** Preparations of a plan that depend on the wiki's settings. */

import type { Store } from '../../store/store.ts'

/**
 * Returns a function that makes something once, and again if the settings have changed since: it is called before the plan, because it
 * may take long, and again by the plan. A title of another namespace, for example, would be written to the wrong file.
 */
export function underSettings<Made>(store: Store, make: () => Promise<Made> | Made): () => Promise<Made> {
  let last: { readonly settings: string; readonly made: Promise<Made> } | undefined
  return () => {
    const { configText: settings } = store
    if (last?.settings !== settings) last = { settings, made: Promise.resolve().then(make) }
    return last.made
  }
}
