import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { ada, edit, newWiki } from '../operations/_wiki.ts'

async function askTwoRevisions() {
  const { wiki } = await newWiki({ A: 'one\ntwo', B: 'other' })
  await edit(wiki, 'A', 'one\n2', { author: ada })
  const app = createApp(wiki)
  return async (body: unknown) => {
    const response = await app.request('http://localhost/v1/compare', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
}

describe('POST /compare', () => {
  test.each([
    ['a text with a revision', { id: 1 }, { text: 'one\nTWO\n' }, [1, 0]],
    ['a text with a page', { title: 'A' }, { text: 'one\n' }, [3, 0]],
    ['two revisions', { id: 1 }, { id: 3 }, [1, 3]],
    ['two texts', { text: 'a' }, { text: 'b' }, [0, 0]],
  ])('compares %s', async (_, from, to, ids) => {
    const { status, body } = await (await askTwoRevisions())({ from, to })
    expect(status).toBe(200)
    expect([body.from.id, body.to.id]).toEqual(ids)
    expect(body.diff.length).toBeGreaterThan(0)
  })

  test.each([
    ['a side that is missing', { from: { id: 1 } }, 400, 'rest-body-validation-error'],
    ['a side with two members', { from: { id: 1, text: '' }, to: { id: 1 } }, 400, 'rest-body-validation-error'],
    ['a side with an unknown member', { from: { name: 1 }, to: { id: 1 } }, 400, 'rest-body-validation-error'],
    ['a side of an inherited name', { from: { toString: 1 }, to: { id: 1 } }, 400, 'rest-body-validation-error'],
    ['an id that is no number', { from: { id: '1' }, to: { id: 1 } }, 400, 'rest-body-validation-error'],
    ['a third side', { from: { id: 1 }, to: { id: 1 }, base: {} }, 400, 'rest-extraneous-body-fields'],
    ['revisions of two pages', { from: { id: 1 }, to: { id: 2 } }, 400, 'rest-compare-page-mismatch'],
    ['a revision that is not there', { from: { id: 99 }, to: { id: 2 } }, 404, 'rest-compare-nonexistent'],
    ['a page that is not there', { from: { title: 'Z' }, to: { id: 2 } }, 404, 'rest-nonexistent-title'],
  ])('refuses %s', async (_, body, status, errorKey) => {
    expect(await (await askTwoRevisions())(body)).toMatchObject({ status, body: { errorKey } })
  })
})
