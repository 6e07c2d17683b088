// @module-tag long
import { expect, test, vi } from 'vitest'
import { until } from '../_wait.ts'
import { sampleWiki, wiki } from './harness.ts'

const { loaded } = vi.hoisted(() => ({ loaded: [] as string[] }))

vi.mock('../../src/web/handle-page.ts', () => {
  loaded.push('pages')
  return { handlePage: null }
})

test('a server loads the pages for browsers before the first request for one', { tags: 'long' }, async () => {
  let stop = (): void => {}
  const stopped = new Promise<void>(resolve => {
    stop = resolve
  })
  const running = wiki(['serve', '-p', '0'], { cwd: sampleWiki(), stopped })
  await until('the pages are loaded', () => loaded[0])
  stop()
  expect((await running).status).toBe(0)
})
