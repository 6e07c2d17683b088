import { expect, test } from 'vitest'
import { parseTitle, titleRules } from '../../../src/core/title.ts'
import { createSourceCache, maxRequests } from '../../../src/wikitext/expansion/source-cache.ts'
import { wikiOf } from '../_expand.ts'

const wiki = wikiOf({ Quay: 'the quay' })
const rules = titleRules(wiki.config)
const title = (text: string) => parseTitle(text, rules)

test('unknown data is requested once, in one batch', async () => {
  const asked: string[][] = []
  const sourceCache = createSourceCache({
    ...wiki,
    pages: titles => {
      asked.push(titles.map(({ key }) => key))
      return wiki.pages(titles)
    },
  })
  expect(sourceCache.page(title('Quay'))).toBeUndefined()
  expect(sourceCache.page(title('quay'))).toBeUndefined()
  expect(sourceCache.page(title('Nowhere'))).toBeUndefined()
  expect(sourceCache.isIncomplete()).toBe(true)
  await sourceCache.fetch()
  expect(sourceCache.isIncomplete()).toBe(false)
  expect(sourceCache.page(title('Quay'))?.text).toBe('the quay')
  expect(sourceCache.page(title('Nowhere'))).toBeNull()
  await sourceCache.fetch()
  expect(asked).toEqual([['Quay', 'Nowhere']])
})

test('the existence of a page with a known text is not requested', async () => {
  const sourceCache = createSourceCache(wiki)
  sourceCache.page(title('Quay'))
  await sourceCache.fetch()
  expect(sourceCache.exists(title('Quay'))).toBe(true)
  expect(sourceCache.isIncomplete()).toBe(false)
})

test('beyond the limit nothing exists, and nothing is requested', () => {
  const sourceCache = createSourceCache(wiki)
  for (let index = 0; index < maxRequests; index++) sourceCache.file(`F${index}.png`)
  expect(sourceCache.file('One-more.png')).toBeNull()
  expect(sourceCache.exists(title('Quay'))).toBeUndefined()
})
