/** The words of a wiki's markup, for reading the words of its pages. */

import { namespaceIds } from '../../core/namespaces.ts'
import type { WikiConfig } from '../../core/wiki-config.ts'
import { type MarkupWords, markupWords } from '../../search/text/markup-words.ts'
import type { Store } from '../../store/store.ts'
import { siteOf } from '../../wikitext/index.ts'

const wordsByConfig = new WeakMap<WikiConfig, MarkupWords>()

/** Returns the words of a wiki's markup: names of its namespaces, and options of pictures in its language. */
export function markupWordsOf({ config }: Store): MarkupWords {
  const words = wordsByConfig.get(config) ?? read(config)
  wordsByConfig.set(config, words)
  return words
}

function read(config: WikiConfig): MarkupWords {
  const { mediaWords, rules } = siteOf(config)
  const namesOf = (id: number): string[] => {
    const namespace = rules.namespaces.get(id)
    return namespace === undefined ? [] : [namespace.name, ...namespace.aliases]
  }
  return markupWords({
    files: [...namesOf(namespaceIds.file), ...namesOf(namespaceIds.media)],
    categories: namesOf(namespaceIds.category),
    options: [...mediaWords.whole.keys(), ...mediaWords.prefixes.map(({ text }) => text)],
  })
}
