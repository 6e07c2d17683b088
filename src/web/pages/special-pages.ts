/** The list of special pages. */

import type { LinkListName } from '../../operations/link-lists.ts'
import { specialAddress } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'
import { notice } from '../parts/notice.ts'
import type { WebReply, WebRequest } from '../request.ts'
import type { WordKey } from '../words/words.ts'
import { listWords } from './link-lists.ts'

const listNames = Object.keys(listWords) as LinkListName[]

/** Special pages that need no title, in groups. */
const groups: readonly (readonly [heading: WordKey, pages: readonly (readonly [word: WordKey, special: string])[]])[] =
  [
    [
      'findGroup',
      [
        ['search', 'Search'],
        ['allPages', 'AllPages'],
        ['files', 'ListFiles'],
        ['randomPage', 'Random'],
        ['keysTitle', 'Keys'],
      ],
    ],
    [
      'changesGroup',
      [
        ['recentChanges', 'RecentChanges'],
        ['lintTitle', 'LintErrors'],
        ['statistics', 'Statistics'],
        ['versionTitle', 'Version'],
      ],
    ],
    ['lists', listNames.map(name => [listWords[name], `Lists/${name}`] as const)],
    [
      'writeGroup',
      [
        ['newPage', 'NewPage'],
        ['uploadTitle', 'Upload'],
        ['draftsTitle', 'Drafts'],
        ['settingsTitle', 'Settings'],
        ['tokensTitle', 'Tokens'],
        ['signIn', 'UserLogin'],
      ],
    ],
  ]

/** Lists the special pages. */
export async function specialPages(request: WebRequest): Promise<WebReply> {
  return { view: { title: request.words.text('specialPages'), body: specialList(request) } }
}

/** Reports an unknown special page, and lists the known ones. */
export async function unknownSpecial(request: WebRequest): Promise<WebReply> {
  const { words } = request
  const body = html`${notice(words.say('noSpecialPage'), 'warning')}${specialList(request)}`
  return { view: { status: 404, title: words.text('specialPages'), unlisted: true, body } }
}

function specialList({ words, options }: WebRequest): Markup {
  const shown = groups.filter(([heading]) => heading !== 'writeGroup' || options.readOnly !== true)
  const body = shown.map(
    ([heading, pages]) =>
      html`<h2>${words.say(heading)}</h2><ul>${pages.map(([word, special]) => html`<li><a href="${specialAddress(special)}">${words.say(word)}</a></li>`)}</ul>`,
  )
  return html`${body}`
}
