/** The document around every page: a top row, the heading and tabs, and the parts below the text. */

import { namespaceIds } from '../../core/namespaces.ts'
import { findSession } from '../../http/access.ts'
import { feedTypes } from '../../http/feed.ts'
import { isLoopbackHost } from '../../http/hosts.ts'
import { ownPathIn, withoutOwnPath } from '../../http/own-path.ts'
import { mainPageTitle } from '../../operations/resources/main-page.ts'
import { apiBase, pageAddress, specialAddress, urlPrefix } from '../addresses.ts'
import { assetAddress } from '../assets.ts'
import { attributes, html, type Markup } from '../markup.ts'
import type { View, WebRequest } from '../request.ts'
import { hasAction, hasSpecial } from '../routes.ts'
import type { WordKey } from '../words/words.ts'
import { doneNotice } from './done-notice.ts'
import { keyOf } from './keys.ts'
import { pageTree } from './page-tree.ts'
import { type SitePages, sitePages } from './site-pages.ts'
import { tabsOf } from './tabs.ts'

/** Scripts that every page loads, if the build contains them. */
const everyScript = ['page.js']

/** Renders a whole document. */
export async function documentOf(request: WebRequest, view: View): Promise<Markup> {
  const site = view.personal === true ? noSitePages : await sitePages(request, view.key ?? '')
  const { words } = request
  const sidebar = site.sidebar ?? (view.tab === 'read' && view.key !== undefined ? pageTree(request, view.key) : null)
  const name = siteName(request)
  return html`<!DOCTYPE html>
<html lang="${words.language}" dir="${words.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${view.title === name ? name : `${view.title} – ${name}`}</title>
${headLinks(request, view, name)}
</head>
<body${attributes({ 'data-ui-prefix': urlPrefix() || null, 'data-ui-own': ownPlace(request), 'data-ui-special': specialName(request) })}>
<a class="skip" href="#ui--content">${words.say('skip')}</a>
${topRow(request, view, name)}
<div class="page${view.isWide === true ? ' full' : ''}${sidebar === null ? '' : ' has-sidebar'}">
<main id="ui--content">
<h1>${view.heading ?? view.title}</h1>
${view.key === undefined ? null : tabsOf(request, view.key, view.tab ?? 'other', { hasAction, hasSpecial })}
${doneNotice(request, view.status ?? 200)}${view.above}${view.contents}
<div class="body" data-ui-body>
${site.header === null || view.tab !== 'read' ? null : html`<div class="site-header">${site.header}</div>`}
${view.body}
</div>
</main>
${sidebar === null ? null : html`<nav class="sidebar" aria-label="${words.say('sidebar')}">${sidebar}</nav>`}
</div>
${bottom(request, view, site)}
</body>
</html>
`
}

const noSitePages: SitePages = { sidebar: null, header: null, footer: null }

function siteName({ wiki, words }: WebRequest): string {
  const { name } = wiki.store.config
  return name === '' ? words.text('wiki') : name
}

/**
 * The path below which this page is for one browser alone, "" for a page that a script may leave for it; null where there is no such
 * path, and for the response to a form: what was sent must not be left.
 */
function ownPlace({ client, method }: WebRequest): string | null {
  const own = ownPathIn(`${client.prefix}/`)
  const isPlain = client.prefix === '' && method === 'GET' && isLoopbackHost(client.host)
  return own === '' && !isPlain ? null : own
}

/** Name of the special namespace in URLs. Scripts use it to recognise links to special pages. */
function specialName({ wiki }: WebRequest): string | null {
  return wiki.store.titles.namespaces.get(namespaceIds.special)?.name.replaceAll(' ', '_') ?? null
}

function headLinks(request: WebRequest, view: View, name: string): Markup {
  const { unlisted, scripts = [] } = view
  const asset = (file: string, write: (address: string) => Markup): Markup | null => {
    const address = assetAddress(file)
    return address === null ? null : write(address)
  }
  return html`${asset('theme.js', address => html`<script src="${address}"></script>`)}
${asset('wiki.css', address => html`<link rel="stylesheet" href="${address}">`)}
${asset('icon.svg', address => html`<link rel="icon" href="${address}" type="image/svg+xml">`)}
<link rel="search" type="application/opensearchdescription+xml" href="${apiBase()}/search" title="${name}">
${feedLinks(request, view)}
${canonicalLink(request, view)}
${unlisted === true ? html`<meta name="robots" content="noindex">` : null}
${[...everyScript, ...scripts].map(file => asset(file, address => html`<script type="module" src="${address}"></script>`))}`
}

/** Feed readers and browsers find the feeds of a page by these links. Source: RFC 4287, and HTML Standard, 4.6.7.1. */
function feedLinks({ wiki, words }: WebRequest, { feed, key }: View): Markup[] {
  const page = key === undefined ? undefined : wiki.store.findPage(key)
  const ofPage = page && {
    address: pageAddress(page.key, { action: 'history', feed: 'atom' }),
    title: words.text('historyTitle', page.title),
  }
  const ofWiki = { address: specialAddress('RecentChanges', { feed: 'atom' }), title: words.text('recentChanges') }
  return [ofWiki, feed ?? ofPage].flatMap(link =>
    link === undefined
      ? []
      : html`<link rel="alternate" type="${feedTypes.atom.replace(/;.*/, '')}" title="${link.title}" href="${link.address}">\n`,
  )
}

/** A page has one address for search engines, however it was reached. Source: RFC 6596. */
function canonicalLink({ client, wiki }: WebRequest, { key, tab, status = 200, unlisted }: View): Markup | null {
  const isPage = key !== undefined && (tab === 'read' || tab === 'talk') && wiki.store.findPage(key) !== undefined
  if (!isPage || unlisted === true || status !== 200) return null
  const site = `${client.isSecure ? 'https' : 'http'}://${client.host}`
  return html`<link rel="canonical" href="${site}${withoutOwnPath(pageAddress(key))}">`
}

/** Links of the menu, in order. Those that write are omitted on a read-only server. */
const menu: readonly (readonly [word: WordKey, special: string, kind?: 'writes'])[] = [
  ['recentChanges', 'RecentChanges'],
  ['allPages', 'AllPages'],
  ['files', 'ListFiles'],
  ['randomPage', 'Random'],
  ['newPage', 'NewPage', 'writes'],
  ['specialPages', 'SpecialPages'],
  ['keysTitle', 'Keys'],
]

const themes = [
  ['', 'appearanceSystem'],
  ['light', 'appearanceLight'],
  ['dark', 'appearanceDark'],
] as const satisfies readonly (readonly [value: string, word: WordKey])[]

/** Settings that a script stores in the browser, hidden without script. */
function readerChoices({ words }: WebRequest): Markup {
  return html`<li hidden><label>${words.say('appearance')} <select data-ui-choice="theme">${themes.map(([value, word]) => html`<option value="${value}">${words.say(word)}</option>`)}</select></label></li>
<li hidden><label class="check"><input type="checkbox" data-ui-choice="keys"> ${words.say('shortcuts')}</label></li>`
}

function menuLink({ words }: WebRequest, [word, special]: readonly [WordKey, string]): Markup {
  // The link beside the menu already has this key.
  const accesskey = word === 'recentChanges' ? null : keyOf(word)
  const close = word === 'keysTitle' ? words.text('close') : null
  return html`<li><a href="${specialAddress(special)}"${attributes({ accesskey, 'data-ui-close': close })}>${words.say(word)}</a></li>`
}

/**
 * Links to signing in, which returns to the current page. The name of a reader who is signed in stands only in a page about the caller; a
 * script writes it into the others.
 */
function signInLink({ words, access, event, options }: WebRequest, view: View): Markup | null {
  if (options.readOnly === true) return null
  const user = view.personal === true ? findSession(access, event.req.headers)?.user : undefined
  const address = specialAddress('UserLogin', { returnto: view.key ?? null })
  return html`<li><a href="${address}" data-ui-session dir="auto">${user?.name ?? words.say('signIn')}</a></li>`
}

function topRow(request: WebRequest, view: View, name: string): Markup {
  const { wiki, words, query, options } = request
  const links = menu.filter(
    ([, special, kind]) => hasSpecial(special) && !(kind === 'writes' && options.readOnly === true),
  )
  return html`<header class="top">
<a class="home" href="${pageAddress(mainPageTitle(wiki.store))}" accesskey="${keyOf('toMainPage')}" dir="auto">${name}</a>
<form class="search" role="search" action="${specialAddress('Search')}">
<input type="search" name="search" data-ui-search${attributes({ value: query('search') ?? '', 'aria-label': words.text('searchWiki'), placeholder: words.text('search'), accesskey: keyOf('search'), 'data-ui-all': words.text('searchContaining', '$1') })} autocomplete="off" enterkeyhint="search">
<button type="submit">${words.say('search')}</button>
</form>
<nav aria-label="${words.say('wiki')}">
${hasSpecial('RecentChanges') ? html`<a class="wide" href="${specialAddress('RecentChanges')}" accesskey="${keyOf('recentChanges')}">${words.say('recentChanges')}</a>` : null}
<details class="menu" data-ui-menu><summary>${words.say('menu')}</summary>
<ul>${links.map(([word, special]) => menuLink(request, [word, special]))}
${signInLink(request, view)}
${readerChoices(request)}</ul>
</details>
</nav>
</header>`
}

function bottom({ wiki, words }: WebRequest, view: View, site: SitePages): Markup {
  const { license } = wiki.store.config
  const licenseLink = /^https?:/i.test(license.url)
    ? html`<a rel="license" href="${license.url}">${license.title || license.url}</a>`
    : license.title
  return html`<footer class="bottom">
${site.footer === null ? null : html`<div class="site-footer">${site.footer}</div>`}
${view.footer}
${license.title === '' && license.url === '' ? null : html`<p>${words.say('licence', licenseLink)}</p>`}
</footer>`
}
