import { expect, test, vi } from 'vitest'
import { withinTime } from '../../src/wikitext/bounded-time.ts'
import { loadHighlighter, tokensOf } from '../../src/wikitext/extensions/syntaxhighlight/tokens.ts'
import { contentToHtml, EffortExceeded, memoryWiki } from '../../src/wikitext/index.ts'

/** Number of works that run without their limit: on a busy machine even a short one takes seconds. */
const unbounded = vi.hoisted(() => ({ left: 0 }))
vi.mock('../../src/wikitext/bounded-time.ts', async original => {
  const real = await original<typeof import('../../src/wikitext/bounded-time.ts')>()
  const within: typeof real.withinTime = (milliseconds, work) =>
    unbounded.left-- > 0 ? work() : real.withinTime(milliseconds, work)
  return { ...real, withinTime: within }
})

const wiki = memoryWiki({})
/** Takes minutes, and four times as long at twice the length. Source: highlightjs/highlight.js#4529. */
const endless = `/${'a'.repeat(99_000)}`
const good = 'take = (x) -> x * 2'
const highlighter = await loadHighlighter()
const inTime = <Result>(work: () => Result) => withinTime(200, work)

test('returns the result of the work, and throws its errors', () => {
  expect(withinTime(1000, () => 'done')).toBe('done')
  expect(() =>
    withinTime(1000, () => {
      throw new RangeError('too far')
    }),
  ).toThrow(RangeError)
})

test('does not start work without remaining time', () => {
  let begun = 0
  expect(withinTime(0.5, () => ++begun)).toBeUndefined()
  expect(begun).toBe(0)
})

test('terminates work in the middle of a regular expression', () => {
  expect(withinTime(20, () => /^(?:a+)+b/.test('a'.repeat(100)))).toBeUndefined()
})

test('endless code has no colours, and other code after it has its own', () => {
  const unlimited = { highlighter, inTime: <Result>(work: () => Result) => work() }
  const before = tokensOf(good, 'livescript', unlimited)
  expect(tokensOf(endless, 'livescript', { highlighter, inTime })).toBeNull()
  expect(tokensOf(good, 'livescript', unlimited)).toEqual(before)
  expect(before?.some(({ className }) => className !== '')).toBe(true)
})

test('a language whose compilation was stopped is compiled again', () => {
  const language = 'gherkin'
  const code = 'Feature: tides'
  const stopped = () => {
    Object.assign(highlighter.getLanguage(language)!, { isCompiled: true, contains: [] })
    return undefined
  }
  expect(tokensOf(code, language, { highlighter, inTime: stopped })).toBeNull()
  const tokens = tokensOf(code, language, { highlighter, inTime: work => work() })
  expect(tokens?.some(({ text, className }) => text === 'Feature' && className.startsWith('k'))).toBe(true)
})

test.each([
  ['wikitext', (code: string) => `<syntaxhighlight lang="livescript">${code}</syntaxhighlight>\n\n`],
  ['markdown', (code: string) => `\`\`\`livescript\n${code}\n\`\`\`\n\n`],
] as const)('a page of %s with such code is shown without its colours', async (model, block) => {
  // The first code takes nearly all of the page's five seconds by the fake clock, so that the second does not take as long in
  // real time.
  unbounded.left = 1
  const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(4_800)
  const { html } = await contentToHtml(block(good) + block(endless), model, { title: 'A', wiki })
  expect(clock.mock.calls.length).toBeGreaterThanOrEqual(4)
  clock.mockRestore()
  expect(html).toContain(endless)
  expect(html.match(/<pre[^>]*>.*?<span class="/s)).not.toBeNull()
})

test('a text is abandoned at its time limit', async () => {
  const text = `<syntaxhighlight lang="livescript">${endless}</syntaxhighlight>`
  const effort = { nodes: 1000, included: 1000, time: 20, steps: 1000 }
  await expect(contentToHtml(text, 'wikitext', { title: 'A', wiki, effort })).rejects.toThrow(EffortExceeded)
})
