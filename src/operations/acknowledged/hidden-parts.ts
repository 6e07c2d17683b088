/** What wiki.json hides of commits and blobs, whether or not they are on the branch. */

import type { HideablePart, WikiConfig } from '../../core/config.ts'

type Hidden = WikiConfig['hidden']

/** Lists what readers may not see of any revision that a commit made. */
export function hiddenParts(hidden: Hidden, commit: string): HideablePart[] {
  return Object.entries(hidden).flatMap(([key, { parts }]) => (key.startsWith(`${commit}/`) ? [...parts] : []))
}

/** True if the text of a revision with this blob is hidden, whichever commit made it. */
export function isTextHidden(hidden: Hidden, blob: string): boolean {
  return Object.entries(hidden).some(([key, { parts }]) => key.endsWith(`/${blob}`) && parts.includes('text'))
}
