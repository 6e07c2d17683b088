/** The PAGENAME family: parts of a title. Source: MediaWiki help page on magic words, Page names and Namespaces. */

import type { Namespace } from '../../core/namespaces.ts'
import type { Title } from '../../core/title.ts'
import type { FunctionCall, FunctionTable } from '../expansion/function.ts'
import { escapeWikitext } from '../expansion/plain.ts'
import { readTitle } from '../expansion/titles.ts'
import { titleUrl } from './urls.ts'

/** A title with the data of its namespace. */
interface Named {
  readonly title: Title
  readonly namespaces: ReadonlyMap<number, Namespace>
}

type Name = (named: Named) => string

/** Each returns URL form, with underscores. */
const words: Readonly<Record<string, Name>> = {
  PAGENAME: ({ title }) => title.name,
  FULLPAGENAME: ({ title }) => title.key,
  BASEPAGENAME: named => subpageParts(named).slice(0, -1).join('/') || named.title.name,
  SUBPAGENAME: named => subpageParts(named).at(-1)!,
  ROOTPAGENAME: named => subpageParts(named)[0]!,
  TALKPAGENAME: named => withSpace(named, talkSpace(named)),
  SUBJECTPAGENAME: named => withSpace(named, subjectSpace(named)),
  ARTICLEPAGENAME: named => withSpace(named, subjectSpace(named)),
  NAMESPACE: named => spaceName(named, named.title.namespace),
  TALKSPACE: named => spaceName(named, talkSpace(named)),
  SUBJECTSPACE: named => spaceName(named, subjectSpace(named)),
  ARTICLESPACE: named => spaceName(named, subjectSpace(named)),
}

function subpageParts({ title, namespaces }: Named): string[] {
  return namespaces.get(title.namespace)?.subpages === true ? title.name.split('/') : [title.name]
}

function talkSpace({ title: { namespace } }: Named): number | undefined {
  if (namespace < 0) return undefined
  return namespace % 2 === 0 ? namespace + 1 : namespace
}

function subjectSpace({ title: { namespace } }: Named): number {
  return namespace > 0 && namespace % 2 === 1 ? namespace - 1 : namespace
}

function spaceName({ namespaces }: Named, id: number | undefined): string {
  return (id === undefined ? undefined : namespaces.get(id)?.name) ?? ''
}

function withSpace(named: Named, id: number | undefined): string {
  const prefix = spaceName(named, id)
  if (id === undefined) return ''
  return prefix === '' ? named.title.name : `${prefix}:${named.title.name}`
}

/** The title in a word's argument, or the page's own. */
export function namedTitle(call: FunctionCall): Title | undefined {
  const { rules, title } = call.context
  return call.text(0) === '' ? title : readTitle(call.text(0), rules)
}

function nameWord(name: Name, write: (key: string) => string): (call: FunctionCall) => string {
  return call => {
    const title = namedTitle(call)
    return title === undefined ? '' : write(name({ title, namespaces: call.context.rules.namespaces }))
  }
}

const reading = (key: string) => escapeWikitext(key.replaceAll('_', ' '))
const address = (key: string) => escapeWikitext(titleUrl(key))
const spaceWords = /SPACE$/

function namespaceNumber(call: FunctionCall): string {
  const title = namedTitle(call)
  return title === undefined ? '' : String(title.namespace)
}

/** The words, by name; those with a further E at the end return URL form. */
export const pageTable: FunctionTable = {
  ...Object.fromEntries(
    Object.entries(words).flatMap(([word, name]) => [
      [word, nameWord(name, spaceWords.test(word) ? key => key.replaceAll('_', ' ') : reading)],
      [`${word}E`, nameWord(name, address)],
    ]),
  ),
  NAMESPACENUMBER: namespaceNumber,
}
