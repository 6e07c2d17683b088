/**
 * Checks pages for browsers with the Nu Html Checker: every page, special page, action, form, feed of the sample wiki, errors, a
 * conflict, and pages whose texts and commits use what wikitext and Markdown have. Special:Random is left out: it draws one of the pages,
 * and the draw would decide about the findings.
 *
 *     node test/conformance/html.mjs [--update]
 *
 * Exit status 1 for errors and warnings that html.json does not accept, each with a reason. Needs Java; the checker is fetched once.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dark, texts } from './judges/pages.mjs'
import { withSample } from './judges/sample.mjs'
import { htmlChecker } from './judges/tools.mjs'
import { judgeFindings } from './ratchet.mjs'

const checker = htmlChecker()

await withSample(async ({ url, token, folder }) => {
  const pages = await pagesOf(url, token)
  const written = join(folder, 'pages')
  mkdirSync(written)
  for (const [at, { html }] of pages.entries()) writeFileSync(join(written, `${at}.html`), html)
  const { stderr } = spawnSync('java', ['-jar', checker, '--format', 'json', written], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  const { messages } = JSON.parse(stderr)
  const found = messages
    .filter(({ type, subType }) => type === 'error' || subType === 'warning')
    .map(({ url: file, message, extract, lastLine }) => {
      const { path } = pages[Number(/(\d+)\.html$/.exec(file)[1])]
      return { name: message.replace(/“[^”]*”/g, '“…”').slice(0, 60), path, lastLine, message, extract }
    })
  const shown = new Set()
  for (const { name, path, lastLine, message, extract } of found) {
    if (shown.has(name)) continue
    shown.add(name)
    console.log(`    ${path}:${lastLine}: ${message} ${JSON.stringify(extract ?? '').slice(0, 200)}`)
  }
  judgeFindings(
    'html.json',
    found.map(({ name }) => name),
    pages.length,
  )
}, prepare)

async function prepare(wiki, { createPage, updatePage }) {
  const author = { name: 'Ada Example', address: 'ada@example.org' }
  for (const [title, source, contentModel] of texts)
    await createPage(wiki, { title, source, comment: null, author, ...(contentModel && { contentModel }) })
  for (const [source, comment] of dark)
    await updatePage(wiki, { title: 'Odd', source, comment, author, base: wiki.store.findPage('Odd').latest })
}

/** Requests the pages, as a reader and as the signed-in user. */
async function pagesOf(url, token) {
  const login = await fetch(`${url}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  const cookie = login.headers.get('set-cookie').split(';')[0]
  const page = async (path, init = {}) => {
    const response = await fetch(`${url}${path}`, { ...init, headers: { accept: 'text/html', ...init.headers } })
    return { path, html: await response.text(), type: response.headers.get('content-type') ?? '' }
  }
  const special = (await page('/wiki/Special:SpecialPages')).html
  const listed = [...special.matchAll(/href="(\/wiki\/Special:[^"]*)"/g)]
    .map(([, path]) => path.replaceAll('&amp;', '&'))
    .filter(path => path !== '/wiki/Special:Random')
  const { pages: samples } = await (await fetch(`${url}/v1/pages?limit=100`)).json()
  const titles = ['Main_Page', 'Tide_times', 'Odd', 'Nowhere', 'File:Hook_Point_Light.gif', 'Category:Judged']
  const actions = ['', 'history', 'info', 'authors', 'links', 'edit', 'lead']
  const paths = [
    ...listed,
    ...samples.map(({ key }) => `/wiki/${encodeURIComponent(key)}`),
    ...titles.flatMap(title => actions.map(action => `/wiki/${title}${action && `?action=${action}`}`)),
    ...[
      '/wiki/Odd?diff=prev',
      '/wiki/Odd?diff=prev&view=inline',
      '/wiki/Special:Search?search=judged',
      '/wiki/Special:Search?search=nothing+here',
    ],
    ...[
      '/wiki/%3Cb%3E',
      '/wiki/Special:Nope',
      '/wiki/Main_Page?oldid=99999',
      '/nowhere',
      '/wiki/Main_Page?action=no',
      '/wiki/%zz',
    ],
    ...['MovePage', 'DeletePage', 'RestorePage', 'FileVersion', 'WhatLinksHere', 'PrefixIndex'].map(
      name => `/wiki/Special:${name}/Odd`,
    ),
  ]
  const asReader = await Promise.all([...new Set(paths)].map(path => page(path)))
  const forms = [
    'Odd?action=edit',
    'Odd?action=edit&section=1',
    'Special:NewPage',
    'Special:Upload',
    'Special:Settings',
    'Special:Tokens',
    'Special:MovePage/Odd',
    'Special:DeletePage/Odd',
  ]
  const asUser = []
  for (const form of forms) asUser.push(await page(`/wiki/${form}`, { headers: { cookie } }))
  asUser.push(await conflict(url, page, cookie, asUser[0].html))
  return [...asReader, ...asUser].filter(({ type }) => type.startsWith('text/html'))
}

/** Sends a form whose base has been edited meanwhile at the same place. */
async function conflict(url, page, cookie, form) {
  const body = new FormData()
  for (const [input] of form.matchAll(/<input type="hidden"[^>]*>/g)) {
    const [, name] = /name="([^"]*)"/.exec(input)
    const [, value = ''] = /value="([^"]*)"/.exec(input) ?? []
    body.append(name, value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
  }
  const { latest } = await (await fetch(`${url}/v1/page/Odd/bare`)).json()
  const { csrf_token: csrf } = await (await fetch(`${url}/v1/session`, { headers: { cookie } })).json()
  await fetch(`${url}/v1/page/Odd`, {
    method: 'PUT',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ source: 'first line, mine\n\nlast', comment: null, latest, token: csrf }),
  })
  body.append('text', 'first line, yours\n\nlast')
  body.append('comment', '')
  const shown = await page('/wiki/Odd?action=submit', { method: 'POST', body, headers: { cookie, origin: url } })
  if (!shown.html.includes('choice-1')) throw new Error(`no conflict: ${shown.html.slice(0, 500)}`)
  return shown
}
