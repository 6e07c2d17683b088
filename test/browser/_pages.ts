/** A wiki whose pages are hard to lay out, and a server of it. */

import type { SignInCode } from '../../src/http/sign-in-code.ts'
import { addFile } from '../../src/operations/add-file.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { serve } from '../../src/rest/serve.ts'
import { handlePage } from '../../src/web/handle-page.ts'
import { ada, bob, create, edit, newWiki } from '../operations/_wiki.ts'

const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const drawing = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"><rect width="9" height="9"/></svg>',
)

const text = `'''Tides''' and ${long.repeat(3)}.
[[File:Tide.svg|thumb|A curve]]
{| class="wikitable"
! ${Array.from({ length: 14 }, (_, at) => `column ${at}`).join(' !! ')}
|-
| style="background:#fdd" | [[Fog]] || ${long}
|}
{| class="infobox" style="width:300px"
| ${long}
|}
== One ==
<pre>${'x'.repeat(300)}</pre>
== ${long.repeat(3)} ==
[[${long.repeat(2)}]]
[[Category:${long.repeat(2)}]]
[[File:${long.repeat(2)}.png]]
== Two ==
<ref>a</ref>
== Three ==
* [https://example.org/${'path/'.repeat(30)} link]
== Four ==
[[Category:Sea]] [[Nowhere]]
<references/>`

/** Addresses of every kind of page of that wiki. */
export const pagePaths = [
  '/wiki/Tides',
  '/wiki/Nowhere',
  '/wiki/Category:Sea',
  '/wiki/File:Tide.svg',
  '/wiki/Tides?oldid=1',
  '/wiki/Tides?action=history',
  '/wiki/Tides?diff=cur&oldid=1',
  '/wiki/Tides?diff=cur&oldid=1&view=side',
  '/wiki/Tides?action=edit',
  '/wiki/Tides?action=info',
  '/wiki/Tides?action=authors',
  '/wiki/Tides?action=links',
  '/wiki/Special:Statistics',
  '/wiki/Special:Version',
  '/wiki/Special:LintErrors',
  '/wiki/Special:Keys',
  '/wiki/Special:Search?search=tides',
  '/wiki/Special:RecentChanges',
  '/wiki/Special:AllPages',
  '/wiki/Special:ListFiles',
  '/wiki/Special:SpecialPages',
  '/wiki/Special:WhatLinksHere/Tides',
  '/wiki/Special:Lists',
  '/wiki/Special:Lists/most-linked',
  '/wiki/Category:Tides',
  '/wiki/Special:UserLogin',
  '/wiki/Special:Upload',
  '/wiki/Special:Settings',
  '/wiki/Special:Tokens',
  '/wiki/Special:Drafts',
  '/wiki/Special:MovePage/Tides',
  '/wiki/Special:MovePage',
  '/wiki/Special:Diff/999',
  '/wiki/Tides?done=moved',
  '/wiki/Tides?oldid=999',
  '/wiki/Special:Nothing',
]

/** Serves a wiki with its pages. */
export async function served(
  wiki: Wiki,
  options: { readonly allowAnonymous?: boolean; readonly signIn?: SignInCode } = {},
) {
  const server = await serve(wiki, { port: 0, pages: async () => handlePage, ...options })
  return { origin: server.url.replace(/\/v1$/, ''), close: server.close }
}

/** Makes a wiki with a page that is hard to lay out. */
export async function tidesWiki(language: string): Promise<Wiki> {
  const { wiki } = await newWiki({}, { language, name: 'Tidewick Field Guide of the northern coast' })
  const first = await create(wiki, 'Tides', 'Short.')
  await edit(wiki, 'Tides', text, { base: first, author: bob, comment: long.repeat(2) })
  await create(wiki, 'Category:Sea', 'x')
  await addFile(wiki, { name: 'Tide.svg', content: drawing, comment: null, author: ada })
  return wiki
}
