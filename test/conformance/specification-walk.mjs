/** Asks a server about pages of its wiki, and checks each response by the sentences of `specification-checks.mjs`. */

import { caps, checks, statuses } from './specification-checks.mjs'

/** Number of the revisions of each page that are compared with the one before. */
const compared = 3

/**
 * `request(path, init)` returns a `Response`; paths begin after `/v1`, or are whole addresses. Returns how often each sentence was
 * checked, by its group and words, and the faults.
 */
export async function checkWiki(request, titles) {
  const seen = new Map()
  const faults = []
  const ask = async (path, json) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) }
    const response = await request(path, json === undefined ? {} : init)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await response.arrayBuffer())
    const type = response.headers.get('content-type') ?? ''
    const body = type.startsWith('application/json') ? JSON.parse(text) : text
    return { status: response.status, type, body, path, location: response.headers.get('location') }
  }
  const record = async ([section, sentence], path, holds) => {
    const name = `${section} ${sentence}`
    seen.set(name, (seen.get(name) ?? 0) + 1)
    const isTrue = await (async () => holds())().catch(String)
    if (isTrue !== true) faults.push(`${name}: ${path}${isTrue === false ? '' : ` ${isTrue}`}`)
  }
  const check = async (kind, answer, sample = {}) => {
    for (const row of checks[kind])
      await record(row, answer.path, () => row[2](answer.body, { ask, ...answer, ...sample }))
  }
  for (const title of titles) await checkPage({ ask, check }, title)
  const page = await ask(`/page/${encodeURIComponent(titles[0])}`)
  for (const row of statuses) {
    const path = row[3]
      .replaceAll('{page}', `/page/${encodeURIComponent(page.body.key)}`)
      .replaceAll('{id}', page.body.latest.id)
    await record(row, path, async () => (await ask(path)).status === row[2])
  }
  return { seen, faults }
}

async function checkPage({ ask, check }, title) {
  const name = encodeURIComponent(title)
  const page = await ask(`/page/${name}`)
  const { key, source, content_model: model, redirect_target: target } = page.body
  const path = `/page/${encodeURIComponent(key)}`
  const history = await ask(`${path}/history`)
  const latest = history.body.revisions[0]?.id
  for (const [kind, end] of [
    ['bare', '/bare'],
    ['source', ''],
    ['withHtml', '/with_html?redirect=no'],
  ]) {
    const answer = await ask(path + end)
    await check('page', answer, { latest })
    await check(kind, answer)
  }
  await check('html', await ask(`${path}/html?redirect=no`))
  await check('editHtml', await ask(`${path}/html?redirect=no&flavor=edit`), { title: key, source, model })
  await check('languages', await ask(`${path}/links/language`))
  const used = await ask(`${path}/links/media`)
  if (used.status === 200) {
    await check('media', used)
    for (const file of used.body.files.slice(0, 2))
      await check('file', await ask(`/file/${encodeURIComponent(file.title)}`))
  }
  await checkOtherAddresses({ ask, check }, { key, target })
  if (model === 'wikitext') {
    await check('lint', await ask(`/transform/wikitext/to/lint/${name}`, { wikitext: source }))
    await check('transformed', await ask(`/transform/wikitext/to/html/${name}`, { wikitext: source }))
  }
  await checkHistory({ ask, check }, { path, history, latest })
  const words = encodeURIComponent(page.body.title)
  for (const [kind, route] of [
    ['search', '/search/page'],
    ['titles', '/search/title'],
  ])
    await check(kind, await ask(`${route}?q=${words}&limit=100`), { title: page.body.title, limit: 100 })
}

/** Another spelling of the title, and the target of a redirect. */
async function checkOtherAddresses({ ask, check }, { key, target }) {
  const other = `${key.charAt(0).toLowerCase()}${key.slice(1)}`
  const routes = end => Object.keys(checks).filter(kind => kind.startsWith(`${end} `))
  for (const kind of other === key ? [] : routes('normalised'))
    await check(kind, await ask(`/page/${encodeURIComponent(other)}${kind.split(' ')[1]}`), { key })
  for (const kind of target === undefined ? [] : routes('redirect'))
    await check(kind, await ask(`/page/${encodeURIComponent(key)}${kind.split(' ')[1]}`), { target })
}

async function checkHistory({ ask, check }, { path, history, latest }) {
  await check('history', history, { latest })
  for (const type of Object.keys(caps)) {
    const answer = await ask(`${path}/history/counts/${type}`)
    await check('count', answer)
    await check(`count ${type}`, answer)
    if (type === 'edits') await check('edits', answer, { history: history.body })
    else if (type !== 'editors')
      await check(`history ${type}`, await ask(`${path}/history?filter=${type}`), answer.body)
  }
  const texts = new Map()
  const ids = history.body.revisions.slice(0, compared + 1).map(({ id }) => id)
  for (const id of ids) {
    for (const [kind, end] of [
      ['revisionBare', '/bare'],
      ['revisionSource', ''],
      ['revisionWithHtml', '/with_html'],
    ]) {
      const answer = await ask(`/revision/${id}${end}`)
      await check('revision', answer)
      await check(kind, answer)
      if (kind === 'revisionSource') texts.set(id, Buffer.from(answer.body.source))
    }
    await check('revisionHtml', await ask(`/revision/${id}/html`))
  }
  for (const [at, from] of ids.slice(1).entries()) {
    const to = ids[at]
    const sample = { from, to, texts: [texts.get(from), texts.get(to)] }
    await check('comparison', await ask(`/revision/${from}/compare/${to}`), sample)
  }
}
