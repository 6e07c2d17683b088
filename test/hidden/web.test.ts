// @module-tag long
import { describe, expect, test } from 'vitest'
import { actionNames, findRoute, specialNames } from '../../src/web/routes.ts'
import { rounds } from '../_rounds.ts'
import { openTestWiki } from '../operations/_wiki.ts'
import { type Site, siteOf } from '../web/_site.ts'
import { hideSecrets, mark, type SecretWiki, secretIn, secretWiki } from './secret-wiki.ts'

const titles = ['Ferry', 'Tides', 'Gone', 'File:Map.svg', 'Pier', 'Quay', 'Users', 'None']
const words = ['ferry', 'tides', 'insource:water', 'quay', 'zqx', 'zqyoldtext', 'zqygonetext', 'zqymovetext']

type Asked = readonly [path: string, form?: Readonly<Record<string, string>>]
type Questions = (wiki: SecretWiki) => readonly string[]

/** The query of an action, once for each value; every action must be listed. */
const actions: Readonly<Record<string, Questions>> = {
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
const specials: Readonly<Record<string, Questions>> = {
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
const forms: Readonly<Record<string, (wiki: SecretWiki) => readonly Readonly<Record<string, string>>[]>> = {
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

function everyRequest(wiki: SecretWiki): Asked[] {
  const ofActions = actionNames.flatMap(action => {
    const queries = actions[action]?.(wiki)
    if (queries === undefined) throw new Error(`The action ${action} is not listed`)
    return titles.flatMap((title, at) =>
      queries
        .filter((_, place) => (at + place) % share === 0)
        .map((query): Asked => [`/wiki/${title}?action=${action}${query}`]),
    )
  })
  const ofSpecials = specialNames.flatMap(name =>
    (specials[name] ?? ofTitles)(wiki).map((rest): Asked => [`/wiki/Special:${name}${rest}`]),
  )
  const sent = Object.entries(forms).flatMap(([name, made]) =>
    titles.flatMap(title => {
      const path = actionNames.includes(name) ? `/wiki/${title}?action=${name}` : `/wiki/Special:${name}/${title}`
      return made(wiki).map((form): Asked => [path, form])
    }),
  )
  return [...ofActions, ...ofSpecials, ['/'], ...sent.filter(isReading), ...sent.filter(asked => !isReading(asked))]
}

function isReading([, form]: Asked): boolean {
  return form === undefined || readingForms.includes(form.do ?? '')
}

/** A header or a page may repeat the request, whose own words reveal no secret. */
async function secretsOf({ ask }: Site, [path, form]: Asked): Promise<{ status: number; secrets: string[] }> {
  const body = form === undefined ? null : new URLSearchParams({ token: '+\\', ...form })
  const response = await ask(path, body === null ? {} : { method: 'POST', body })
  const shown = JSON.stringify([...response.headers]) + (await response.text())
  const own = secretIn(path)
  return { status: response.status, secrets: secretIn(shown).filter(secret => !own.includes(secret)) }
}

describe('of hidden revisions', () => {
  test('no page for browsers shows anything', { tags: ['rounds', 'long'], timeout: 1_200_000 }, async () => {
    const secret = await secretWiki()
    const site = siteOf(await openTestWiki(secret.directory))
    const before = new Set<string>()
    for (const asked of everyRequest(secret).filter(isReading))
      for (const text of (await secretsOf(site, asked)).secrets) before.add(text)
    const places = ['old', 'gone', 'file', 'move', 'last']
    const expected = places.flatMap(place => ['text', 'user', 'comment'].map(part => mark + place + part))
    expect([...before].sort()).toEqual(expect.arrayContaining(expected))
    await hideSecrets(secret)
    const faults: unknown[] = []
    // Reads run twice; forms that change the wiki come last.
    for (const asked of [...everyRequest(secret), ...everyRequest(secret).filter(isReading)]) {
      const { status, secrets } = await secretsOf(site, asked)
      if (secrets.length > 0 || status >= 500) faults.push({ asked, status, secrets })
    }
    expect(faults).toEqual([])
  })

  test('each special page has its requests', { tags: 'long' }, async () => {
    const site = siteOf(await openTestWiki((await secretWiki()).directory))
    for (const name of specialNames) expect(findRoute(site.wiki, `Special:${name}`, undefined), name).not.toBeNull()
    for (const name of [...Object.keys(specials), ...Object.keys(forms)])
      expect([...specialNames, ...actionNames]).toContain(name)
  })
})
