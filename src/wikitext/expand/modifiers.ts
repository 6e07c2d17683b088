/** Modifiers before a template's name. */

import { trimArgument } from '../preprocess/trim.ts'

export interface ModifiedTarget {
  /** The target without its modifiers, trimmed. */
  readonly target: string
  readonly substitution: 'subst' | 'safesubst' | undefined
  /** `msg`: the name is no magic word; `msgnw`: the text is shown as source; `raw`: the page itself, always. */
  readonly modifier: 'msg' | 'msgnw' | 'raw' | undefined
}

const substitutions = /^(subst|safesubst):/i
const modifiers = /^(msgnw|msg|raw):/i

/** Reads the modifiers before a template's name. Source: MediaWiki help page on magic words, Transclusion modifiers. */
export function readModifiers(text: string): ModifiedTarget {
  const substitution = substitutions.exec(text)
  const rest = substitution === null ? text : trimArgument(text.slice(substitution[0].length))
  const modifier = modifiers.exec(rest)
  return {
    target: modifier === null ? rest : trimArgument(rest.slice(modifier[0].length)),
    substitution: substitution?.[1]?.toLowerCase() as ModifiedTarget['substitution'],
    modifier: modifier?.[1]?.toLowerCase() as ModifiedTarget['modifier'],
  }
}
