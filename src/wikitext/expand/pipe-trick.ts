/** The pipe trick: links that are saved with the label their target suggests, or with the context of their page. */

import type { Title } from '../../core/title.ts'

/** Links with an empty label, and links with an empty target: `[[Page (kind)|]]`, `[[|Page]]`. Bounded in length. */
const emptyLabel = /\[\[([^[\]{|}<>#\n\u007f]{1,300})\|\]\]/g
const emptyTarget = /\[\[\|([^[\]{|}<>#\n\u007f]{1,300})\]\]/g

const prefix = /^(?::?[ _0-9A-Za-z\u0080-\u{10ffff}-]+:|:)(?=.)/u
const inBrackets = /^(.+?) ?\(.+\)$/
const inWideBrackets = /^(.+?) ?（.+）$/
const beforeComma = /^(.+?)(?: ?\(.+\))?(?:(?:, |，|، ).+)?$/
const pageInBrackets = /^((?:[ _0-9A-Za-z\u0080-\u{10ffff}-]+:)?).+?( \(.+\))$/u
const pageBeforeComma = /^((?:[ _0-9A-Za-z\u0080-\u{10ffff}-]+:)?).+?(, .+)?$/u

/** Gives every link its label or its target. Source: MediaWiki help page on links, Pipe trick. */
export function completeLinks(text: string, page: Title): string {
  if (!text.includes('|]]') && !text.includes('[[|')) return text
  const [before, after] = contextOf(page.text)
  return text
    .replace(emptyLabel, (_, target: string) => `[[${target}|${labelOf(target)}]]`)
    .replace(emptyTarget, (_, name: string) => {
      return before + after === '' ? `[[${name}]]` : `[[${before}${name}${after}|${name}]]`
    })
}

/** A target without its namespace, and without brackets at its end or anything after its first comma. */
function labelOf(target: string): string {
  const name = target.slice(prefix.exec(target)?.[0].length ?? 0)
  const found = inBrackets.exec(name) ?? inWideBrackets.exec(name) ?? beforeComma.exec(name)
  return found?.[1] ?? name
}

function contextOf(title: string): readonly [before: string, after: string] {
  const found = pageInBrackets.exec(title) ?? pageBeforeComma.exec(title)
  return [found?.[1] ?? '', found?.[2] ?? '']
}
