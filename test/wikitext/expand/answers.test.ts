import { expect, test } from 'vitest'
import { parseTitle, titleRules } from '../../../src/core/title.ts'
import { createAnswers, maximumQuestions } from '../../../src/wikitext/expansion/answers.ts'
import { wikiOf } from '../_expand.ts'

const wiki = wikiOf({ Quay: 'the quay' })
const rules = titleRules(wiki.config)
const title = (text: string) => parseTitle(text, rules)

test('what is not known is requested once, in one batch', async () => {
  const asked: string[][] = []
  const answers = createAnswers({
    ...wiki,
    pages: titles => {
      asked.push(titles.map(({ key }) => key))
      return wiki.pages(titles)
    },
  })
  expect(answers.page(title('Quay'))).toBeUndefined()
  expect(answers.page(title('quay'))).toBeUndefined()
  expect(answers.page(title('Nowhere'))).toBeUndefined()
  expect(answers.isIncomplete()).toBe(true)
  await answers.fetch()
  expect(answers.isIncomplete()).toBe(false)
  expect(answers.page(title('Quay'))?.text).toBe('the quay')
  expect(answers.page(title('Nowhere'))).toBeNull()
  await answers.fetch()
  expect(asked).toEqual([['Quay', 'Nowhere']])
})

test('a page whose text is known need not be asked whether it exists', async () => {
  const answers = createAnswers(wiki)
  answers.page(title('Quay'))
  await answers.fetch()
  expect(answers.exists(title('Quay'))).toBe(true)
  expect(answers.isIncomplete()).toBe(false)
})

test('beyond the limit nothing exists, and nothing is asked', () => {
  const answers = createAnswers(wiki)
  for (let index = 0; index < maximumQuestions; index++) answers.file(`F${index}.png`)
  expect(answers.file('One-more.png')).toBeNull()
  expect(answers.exists(title('Quay'))).toBeUndefined()
})
