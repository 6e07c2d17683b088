/** A request that is sent again, because its answer was lost, changes nothing. */

import { describe, expect, test } from 'vitest'
import { undoRevisions } from '../../src/operations/undo-revisions.ts'
import { createApp } from '../../src/rest/app.ts'
import { ada, bob, edit, newWiki } from '../operations/_wiki.ts'
import { jsonOf } from './json-response.ts'

const before = 'One is here. Two is there.\n\n* Three\n* Four\n\n== Five ==\n\nSix is not seen.'
const edits = {
  'a sentence': before.replace('there.', 'there. Two and a half was seen too.'),
  'an item': `${before.replace('* Four', '* Four\n* Four and a half')}`,
  'a paragraph at the end': `${before}\n\nSeven has come back.`,
  'another word': before.replace('here', 'away'),
  'less text': before.replace('* Three\n', ''),
}

async function served() {
  const { wiki } = await newWiki({ Tides: before })
  const app = createApp(wiki, { allowAnonymous: true })
  const put = async (source: string) => {
    const body = JSON.stringify({ source, comment: '', latest: { id: 1 } })
    const response = await app.request('/v1/page/Tides', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return { status: response.status, ...(await jsonOf(response)) }
  }
  const page = async () => {
    const { source, latest } = await jsonOf(await app.request('/v1/page/Tides'))
    return { source, latest }
  }
  return { wiki, put, page }
}

describe.each(Object.entries(edits))('a PUT that adds or changes %s', (_, source) => {
  test('is saved once', async () => {
    const { put, page } = await served()
    expect(await put(source)).toMatchObject({ status: 200, source })
    const saved = await page()
    expect(await put(source)).toMatchObject({ status: 200, ...saved })
    expect(await page()).toEqual(saved)
  })

  test('is saved once, with edits of others after it', async () => {
    const { wiki, put, page } = await served()
    await put(source)
    await edit(wiki, 'Tides', `${source.replace('Six', 'Six, too,')}\n\nEight is new.`, { author: bob })
    const saved = await page()
    expect(await put(source)).toMatchObject({ status: 200, ...saved })
    expect(await page()).toEqual(saved)
  })

  test('does not come back after it was undone', async () => {
    const { wiki, put, page } = await served()
    await put(source)
    await undoRevisions(wiki, { revision: 2, comment: null, author: bob })
    const saved = await page()
    expect(await put(source)).toMatchObject({ status: 200, ...saved })
    expect(await page()).toEqual(saved)
  })

  test('that was merged is saved once, or refused', async () => {
    const { wiki, put, page } = await served()
    await edit(wiki, 'Tides', before.replace('Six is not seen', 'Six, too, is seen now'), { author: bob })
    // A paragraph that could be a version of the one that the other changed is refused, each time.
    expect((await put(source)).status).toBe(source.endsWith('Seven has come back.') ? 409 : 200)
    const saved = await page()
    expect([200, 409]).toContain((await put(source)).status)
    expect(await page()).toEqual(saved)
  })
})

test('the same text of another author on the same base is a new edit after it was undone', async () => {
  const { wiki, put, page } = await served()
  await edit(wiki, 'Tides', edits['another word'], { author: ada })
  await undoRevisions(wiki, { revision: 2, comment: null, author: bob })
  expect((await put(edits['another word'])).status).toBe(200)
  expect((await page()).source).toBe(edits['another word'])
})
