/** Floods of a server, each of requests without sign-in that demand much, and the wiki that they are sent to. */

import { worstWiki } from './worst-table.mjs'

const megabyte = 1024 * 1024
const words = ['bace', 'zafo', 'guha', 'kiste', 'lodi', 'cleme', 'phagu', 'strido', 'nabra', 'xowe']

/** A text of this many characters, unlike that of any other number. */
function prose(number, size) {
  let state = number + 1
  let text = ''
  while (text.length < size) {
    state = (state * 48_271) % 0x7f_ff_ff_ff
    text += `${words[state % words.length]}${state % 997}${state % 12 === 0 ? '.\n\n' : ' '}`
  }
  return text
}

/** Revisions of a page whose renders are not cached. */
const oldRevisions = 30

/** Files by path, commit by commit. */
export function floodWiki() {
  const picked = [
    'Cheap.wiki',
    'Drawing.svg',
    'Large.png',
    'Large.wiki',
    'Short.wiki',
    'Nested.wiki',
    'Template/Nested.wiki',
    'Template/Deep.wiki',
  ]
  const worst = worstWiki().map(files =>
    Object.fromEntries(Object.entries(files).filter(([path]) => picked.includes(path))),
  )
  const articles = Array.from({ length: 100 }, (_, at) => [`Article ${at}.wiki`, prose(1e6 + at, 12_000)])
  const old = Array.from({ length: oldRevisions }, (_, at) => ({ 'Old.wiki': prose(at, 60_000) }))
  return [{ ...Object.fromEntries(articles), ...worst[0] }, ...worst.slice(1), ...old]
}

const transform = (to, text) => ({ method: 'POST', path: `/v1/transform/${to}`, body: JSON.stringify(text) })
const get = path => at => ({ path: path(at) })
const padded = '{{padleft:|500|x}}'.repeat(20_000)
const [one, other] = [prose(1, 1.8 * megabyte), prose(2, 1.8 * megabyte)]
const [left, right] = [prose(3, 9_500), prose(4, 9_500)]

/** Every row: a name, and its requests by their numbers. */
export const floods = [
  { name: 'nothing' },
  {
    name: 'stash of small texts',
    requests: at => transform('wikitext/to/html', { wikitext: `${at}`, stash: true }),
  },
  {
    name: 'transform of 20,000 padleft',
    requests: at => transform('wikitext/to/html', { wikitext: `${at}${padded}` }),
  },
  { name: 'lint of 1.8 MB', requests: at => transform('wikitext/to/lint', { wikitext: `${at}${one}` }) },
  {
    name: 'HTML back of 1 MB',
    requests: at => transform('html/to/wikitext', { html: `<p>${at}${'<b><i>x'.repeat(150_000)}` }),
  },
  {
    name: 'comparison of texts of 1.8 MB',
    requests: at => ({
      method: 'POST',
      path: '/v1/compare',
      body: JSON.stringify({ from: { text: `${at}${one}` }, to: { text: other } }),
    }),
  },
  {
    name: 'comparison of texts of 9 KB',
    requests: at => ({
      method: 'POST',
      path: '/v1/compare',
      body: JSON.stringify({ from: { text: `${at}${left}` }, to: { text: right } }),
    }),
  },
  {
    name: 'merge of texts of 9 KB',
    requests: at => ({
      method: 'POST',
      path: '/v1/merge',
      body: JSON.stringify({
        base: { text: `${at}` },
        mine: { text: left.slice(0, 4000) },
        theirs: { text: right.slice(0, 4000) },
      }),
    }),
  },
  { name: 'old revisions', requests: get(at => `/wiki/Old?oldid=${110 + (at % oldRevisions)}&x=${at}`) },
  { name: 'nested templates', requests: get(at => `/v1/page/Nested/html?x=${at}`) },
  { name: 'differences', requests: get(at => `/wiki/Old?diff=prev&oldid=${111 + (at % (oldRevisions - 1))}&x=${at}`) },
  { name: 'differences of large texts', requests: get(at => `/wiki/Large?diff=prev&x=${at}`) },
  { name: 'authors', requests: get(at => `/v1/page/Old/authorship?x=${at}`) },
  { name: 'thumbnails', requests: get(at => `/files/thumb/${at % 2 ? 'Drawing.svg' : 'Large.png'}/${20 + at}px`) },
  { name: 'patterns', requests: get(at => `/v1/search/page?q=insource:/(a|b|word)*[0-9]%2B${at}x?/`) },
  {
    name: 'any of 60 words',
    requests: get(
      at => `/v1/search/page?q=${Array.from({ length: 60 }, (_, n) => `${words[n % 10]}${n * 7 + at}`).join('+OR+')}`,
    ),
  },
  { name: 'feeds', requests: get(at => `/v1/feed?limit=500&x=${at}`) },
  { name: 'changes of nobody', requests: get(at => `/v1/changes?limit=500&user=Nobody${at}`) },
  { name: 'history filters', requests: get(at => `/v1/page/Old/history?filter=reverted&x=${at}`) },
  { name: 'source of 4.8 MB', requests: get(at => `/v1/page/Large?x=${at}`) },
  { name: 'pages that do not exist', requests: get(at => `/wiki/No_${at}`) },
  { name: 'all pages', requests: get(at => `/wiki/Special:AllPages?limit=500&x=${at}`) },
]
