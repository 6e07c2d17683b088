import { describe, expect, test } from 'vitest'
import { countOpeners, danglingCitations, faultsOf, foggyPhrases } from '../scripts/check-words.mjs'

/** Missing documents, whose names are concatenated so that the check does not treat the cases as citations. */
const [absent, otherAbsent] = [`${'SP'}EC`, `${'FIND'}INGS`] as const

describe('the check of comments', () => {
  test.each([
    ['/** What a page is. */', 1],
    ['/**\n * Where a line starts.\n */', 1],
    ['const a = 1 // Whether it counts.', 1],
    ['{ /** How long. */ a: 1 }', 1],
    ['/** Returns what a page is. */', 0],
    ['/** Whatever it is. */', 0],
    ['/** Returns a page.\n * What follows is ignored. */', 0],
  ])('counts the question words that open comments in %j', (source, count) => {
    expect(countOpeners(source)).toBe(count)
  })

  test.each([
    [`/** Source: ${absent} 2.2. */`, [absent]],
    [`/** Source: ${['DIFF', 'REST.md'].join(', ')} 7. */`, ['DIFF', 'REST.md']],
    ['/** Source: docs/absent.md. */', ['docs/absent.md']],
    ['/** Source: docs/lint.md#absent. */', ['docs/lint.md#absent']],
    ['/** Source: docs/lint.md#kinds-of-problems, docs/lint.md. */', []],
    ['/** The REST API. */', []],
    ['/** Shared by the command line and REST, alike. */', []],
    [`/** Source: ${otherAbsent} A1. */`, [otherAbsent]],
    ['/** Source: https://example.org/blob/main/docs/absent.md */', []],
    [`const text = '${absent} 2.2'`, []],
  ])('lists the citations in %j without a target', (source, dangling) => {
    const read = (file: string) => (file === 'lint.md' ? '# Lint\n\n## Kinds of problems\n' : null)
    expect(danglingCitations(source, read)).toEqual(dangling)
  })

  test.each([
    ['/** Tells if it is open. */', 1],
    ['/**\n * Builds the index, once under\n * way, anew.\n */', 2],
    ['/** Returns true if it is open. */', 0],
    ["const text = 'anew'", 0],
    ['/** A part that is asked for, made of texts. */', 2],
    ['/** A link that is no\n * title. */', 1],
    ['/** Null if it is no title. */', 1],
    ['/** A lock that is no longer held; null if there is none. */', 0],
    ['/** There is no title, and there are no links. */', 0],
  ])('lists the phrases in %j that have a plainer word', (source, count) => {
    expect(foggyPhrases(source)).toHaveLength(count)
  })

  test('refuses every folder that has openers or dangling citations', () => {
    const counts = { store: { openers: 2, citations: 0 }, diff: { openers: 0, citations: 0 } }
    expect(faultsOf(counts)).toEqual(['store: 2 openers, none allowed'])
  })
})
