/** Every page for browsers of the wiki in secret-wiki.ts, with each query and form that shows something. */

import { actionNames, specialNames } from '../../src/web/routes.ts'
import { rounds } from '../_rounds.ts'
import type { SecretWiki } from './secret-wiki.ts'

const titles = ['Ferry', 'Tides', 'Gone', 'File:Map.svg', 'Pier', 'Quay', 'Users', 'None']
const words = ['ferry', 'tides', 'insource:water', 'quay', 'zqx', 'zqyoldtext', 'zqygonetext', 'zqymovetext']

/** A path, and the fields of a form. */
export type AskedPage = readonly [path: string, form?: Readonly<Record<string, string>>]
type Questions = (wiki: SecretWiki) => readonly string[]

/** The query of an action, once for each value; every action must be listed. */
export const actions: Readonly<Record<string, Questions>> = {
  view: ({ ids }) => [
    '',
    '&redirect=no',
    ...ids.flatMap(id => [`&oldid=${id}`, `&oldid=${id}&diff=prev`, `&oldid=${id}&diff=next`, `&diff=${id}`]),
    ...ids.flatMap(id => [`&oldid=${id}&diff=cur`, `&oldid=${id}&diff=prev&view=lines&open=all`]),
  ],
  edit: ({ ids }) => [
    '',
    '&section=0',
    ...ids.flatMap(id => [`&oldid=${id}`, `&undo=${id}`, `&oldid=${id}&section=0`]),
    ...titles.map(title => `&preload=${title}`),
  ],
  submit: () => [''],
  history: ({ ids }) => [
    '',
    '&feed=atom',
    '&feed=json',
    '&filter=reverted',
    '&filter=anonymous',
    ...ids.map(id => `&older_than=${id}`),
  ],
  authors: ({ ids }) => ['', ...ids.map(id => `&oldid=${id}`)],
  info: () => [''],
  links: () => [''],
  raw: ({ ids }) => ['', ...ids.map(id => `&oldid=${id}`)],
  parameters: () => [''],
  lead: () => [''],
  sections: ({ ids }) => ['', ...ids.map(id => `&oldid=${id}`)],
  delete: () => [''],
  credits: () => [''],
  purge: () => [''],
}

const ofTitles: Questions = () => ['', ...titles.map(title => `/${title}`)]

/** The path after the name of a special page, once for each value; others are requested alone and with each title. */
export const specials: Readonly<Record<string, Questions>> = {
  search: () => words.flatMap(word => [`?search=${word}`, `?search=${word}&go=1`]),
  recentchanges: () => ['', '?feed=atom', '?feed=json', '?user=zqx', '?user=Alice', '?limit=500', '?newer_than=1'],
  contributions: () => ['', '/Alice', '/Alice?feed=atom', '/zqx', '/zqxolduser', '/zqxgoneuser?feed=atom'],
  allpages: () => ['', '?prefix=zq', '?offset=G'],
  prefixindex: () => ['', '?prefix=zq', '/zq'],
  filenames: () => ['?search=Map', '?search=zq'],
  fileversion: ({ commits }) => commits.map(commit => `/File:Map.svg?version=${commit}`),
  revertfile: ({ commits }) => commits.map(commit => `/File:Map.svg?version=${commit}`),
  permanentlink: ({ ids }) => ids.map(id => `/${id}`),
  redirect: ({ ids }) => [...ids.map(id => `/revision/${id}`), '/page/1', '/page/3', '/file/Map.svg', '/user/zqx'],
  diff: ({ ids }) => ids.flatMap(id => [`/${id}`, `/1/${id}`, `/${id}/1`]),
  repositoryfile: ofTitles,
  random: () => [''],
}

/** Forms of actions and special pages that have one. */
export const forms: Readonly<Record<string, (wiki: SecretWiki) => readonly Readonly<Record<string, string>>[]>> = {
  edit: ({ ids }) =>
    ids.flatMap(id =>
      ['preview', 'changes', 'save', 'resolve', 'preview-chosen'].map(action => ({
        do: action,
        base: String(id),
        current: String(ids.at(-1)),
        text: 'Another text.',
        'choice-1': 'theirs',
      })),
    ),
  movepage: () => [
    { do: 'preview', to: 'Elsewhere', reason: '' },
    { to: 'Ferry', reason: '' },
  ],
  restorepage: () => [{ reason: 'x' }],
  deletepage: () => [{ reason: 'x' }],
}
const readingForms = ['preview', 'changes', 'preview-chosen']

/** One in this many requests of an action is sent with a title; all of them would be 1,000 pages, 10 s of CPU time. */
const share = rounds(12, 2, 1)

/** Those that read, then those that write. */
export function everyPage(wiki: SecretWiki): AskedPage[] {
  const ofActions = actionNames.flatMap(action => {
    const queries = actions[action]?.(wiki)
    if (queries === undefined) throw new Error(`The action ${action} is not listed`)
    return titles.flatMap((title, at) =>
      queries
        .filter((_, place) => (at + place) % share === 0)
        .map((query): AskedPage => [`/wiki/${title}?action=${action}${query}`]),
    )
  })
  const ofSpecials = specialNames.flatMap(name =>
    (specials[name] ?? ofTitles)(wiki).map((rest): AskedPage => [`/wiki/Special:${name}${rest}`]),
  )
  const sent = Object.entries(forms).flatMap(([name, made]) =>
    titles.flatMap(title => {
      const path = actionNames.includes(name) ? `/wiki/${title}?action=${name}` : `/wiki/Special:${name}/${title}`
      return made(wiki).map((form): AskedPage => [path, form])
    }),
  )
  return [...ofActions, ...ofSpecials, ['/'], ...sent.filter(isReading), ...sent.filter(asked => !isReading(asked))]
}

export function isReading([, form]: AskedPage): boolean {
  return form === undefined || readingForms.includes(form.do ?? '')
}
