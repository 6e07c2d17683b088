// @module-tag long
import { describe, expect, test } from 'vitest'
import { createToken } from '../../src/operations/tokens.ts'
import { ada } from '../operations/_wiki.ts'
import { linksOf, newSite, type ShownPage, type Site } from './_site.ts'

const own = { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }

type Send = (path: string, fields: Readonly<Record<string, string | File>>) => Promise<ShownPage>

/** A wiki, and forms submitted by an admin, each with its token: returns the page after the form. */
async function owned(): Promise<{ readonly site: Site; readonly send: Send }> {
  const site = await newSite({ Fog: 'grey', Tides: 'See [[Fog]].' })
  const { token } = await createToken(site.wiki, { name: ada.name, address: ada.address, scopes: ['admin'] })
  let cookie = ''
  return {
    site,
    send: async (path, fields) => {
      const body = new FormData()
      for (const [name, value] of Object.entries({ login: token, ...fields })) body.set(name, value)
      const answer = await site.ask(path, { method: 'POST', body, headers: { ...own, cookie } })
      cookie = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? cookie
      expect(answer.status, path).toBe(303)
      return site.page(answer.headers.get('location')!, { headers: { cookie } })
    },
  }
}

const statusOf = (page: ShownPage): string => /<div role="status">.*?>([^<]+)</.exec(page.html)?.[1] ?? ''

describe('the page after a form reports the action', { tags: 'long' }, () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
    'base64',
  )

  test.each([
    ['/wiki/Special:MovePage/Fog', { to: 'Sea fog', redirect: '1' }, 'The page was moved here.'],
    ['/wiki/Special:DeletePage/Fog', { reason: 'lifted' }, 'The page was deleted.'],
    ['/wiki/Special:Upload', { name: 'Chart.png', file: new File([png], 'c.png') }, 'The file was uploaded.'],
    [
      '/wiki/Special:Settings',
      { name: 'Coast', language: 'en', merge: 'words', mainPage: 'Fog' },
      'The settings were saved.',
    ],
    ['/wiki/Special:UserLogin', { returnto: 'Tides' }, 'You are signed in.'],
    ['/wiki/Special:UserLogout', {}, 'You are signed out.'],
    ['/wiki/Special:Tokens', { do: 'end-sessions' }, 'The sessions have ended.'],
  ] as const)('%s', async (path, fields, sentence) => {
    const { site, send } = await owned()
    await site.wiki.store.refresh()
    if (path.endsWith('Logout')) await send('/wiki/Special:MovePage/Tides', { to: 'Main Page' })
    expect(statusOf(await send(path, fields))).toBe(sentence)
  })

  test('a deleted page that is restored', async () => {
    const { send } = await owned()
    await send('/wiki/Special:DeletePage/Fog', { reason: 'x' })
    expect(statusOf(await send('/wiki/Special:RestorePage/Fog', { reason: 'y' }))).toBe('The page was restored.')
  })

  test('a file that was reverted to an earlier version', { tags: 'long' }, async () => {
    const { site, send } = await owned()
    const other = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const first = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')
    await send('/wiki/Special:Upload', { name: 'Map.svg', file: new File([first], 'm.svg'), reason: 'the first' })
    await send('/wiki/Special:Upload', { name: 'Map.svg', file: new File([other], 'm.svg'), replace: '1' })
    const page = await site.page('/wiki/File:Map.svg')
    expect(page.text).toContain('Versions')
    expect(page.text).toContain('the first')
    const back = linksOf(page).find(link => link.includes('RevertFile')) ?? ''
    expect((await site.page(back)).html).toContain('The bytes of this version become the latest ones')
    const bytes = await site.ask(back.replace('RevertFile', 'FileVersion'))
    expect([await bytes.text(), bytes.headers.get('content-type')]).toEqual([first.toString(), 'image/svg+xml'])
    expect(bytes.headers.get('content-security-policy')).toContain('sandbox')
    const small = await site.ask(`${back.replace('RevertFile', 'FileVersion')}&width=120`)
    expect([small.status, small.headers.get('content-security-policy')?.includes('sandbox')]).toEqual([200, true])
    expect(statusOf(await send(back, { reason: 'back' }))).toBe(
      'The earlier version of the file is the latest one again.',
    )
    expect(await (await site.ask('/files/Map.svg')).text()).toBe(first.toString())
    for (const wrong of ['', '?version=', '?version=HEAD', `?version=${'f'.repeat(40)}`])
      expect((await site.ask(`/wiki/Special:FileVersion/File:Map.svg${wrong}`)).status, wrong).toBe(404)
    expect((await site.page('/wiki/Special:RevertFile/File:Map.svg?version=HEAD')).status).toBe(404)
  })

  test.each([
    ['/wiki/Fog?done=deleted'],
    ['/wiki/Nowhere?done=restored'],
    ['/wiki/Fog?done=nothing'],
    ['/wiki/Fog?done=constructor'],
    ['/wiki/Fog?done='],
    ['/wiki/Fog?done=%3Cscript%3E'],
  ])('%s reports nothing', async path => {
    const { site } = await owned()
    expect(statusOf(await site.page(path))).toBe('')
  })
})
