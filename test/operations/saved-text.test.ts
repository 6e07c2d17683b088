import { describe, expect, test } from 'vitest'
import { createPage } from '../../src/operations/create-page.ts'
import { readPage } from '../../src/operations/read-page.ts'
import { engineSource } from '../../src/operations/rendering/wiki-source.ts'
import { updatePage } from '../../src/operations/update-page.ts'
import type { EngineJob, Job } from '../../src/operations/workers/job.ts'
import { runJob } from '../../src/operations/workers/run-job.ts'
import type { JobSource, TextSource, WorkerPool } from '../../src/operations/workers/worker-pool.ts'
import { ada, base, create, edit, gitText, newWiki, visitor } from './_wiki.ts'

const time = new Date('2024-05-01T10:29:00Z')
const request = { comment: 'why', author: ada, time }

describe('wikitext on save', () => {
  test.each([
    ['Yes ~~~~', 'Yes [[User:Ada Example|Ada Example]] ([[User talk:Ada Example|talk]]) 10:29, 1 May 2024 (UTC)'],
    ['{{subst:Greeting|Bob}}', 'Hello Bob!'],
    ['[[Tide (of the sea)|]]', '[[Tide (of the sea)|Tide]]'],
    ['<nowiki>~~~~ {{subst:Greeting}}</nowiki>', '<nowiki>~~~~ {{subst:Greeting}}</nowiki>'],
    ['{{Greeting|Bob}} ~~ substance', '{{Greeting|Bob}} ~~ substance'],
  ])('%j becomes %j, in a new page and in an edit', async (source, saved) => {
    const { wiki, directory } = await newWiki({ 'Template:Greeting': 'Hello {{{1}}}!', Old: 'old' })
    const { page } = await createPage(wiki, { ...request, title: 'New', source })
    expect([page.source, gitText(directory, 'New.wiki')]).toEqual([saved, `${saved}\n`])
    const latest = wiki.store.findPage('Old')!.latest
    const updated = await updatePage(wiki, { ...request, title: 'Old', source, base: latest })
    expect(updated.page.source).toBe(saved)
  })

  test('is signed with the address of an anonymous user', async () => {
    const { wiki } = await newWiki()
    const { page } = await createPage(wiki, { ...request, author: visitor, title: 'New', source: '~~~' })
    expect(page.source).toBe(`[[Special:Contributions/${visitor.name}|${visitor.name}]]`)
  })

  test('is not signed again when the same text is saved once more', async () => {
    const { wiki } = await newWiki()
    await create(wiki, 'New', 'Yes ~~~~')
    const { source, latest } = await readPage(wiki, { title: 'New', base })
    expect(await edit(wiki, 'New', source)).toBe(latest.id)
  })
})

test('a long text is transformed in a worker, with the same result', async () => {
  const { wiki } = await newWiki({ 'Template:Greeting': 'Hello {{{1}}}!' })
  const jobs: string[] = []
  const run: WorkerPool['run'] = async (job: Job, about?: JobSource | TextSource) => {
    jobs.push(job.task)
    const source = about as JobSource
    const sent = structuredClone(job) as EngineJob
    return runJob(sent, { wiki: engineSource(wiki.store, source.source, ''), texts: async () => [] }) as never
  }
  const server = { ...wiki, workerPool: () => ({ run, close: async () => {} }) }
  const short = '{{subst:Greeting|Bob}} ~~~~~'
  expect((await createPage(server, { ...request, title: 'Short', source: short })).page.source).toMatch(
    /^Hello Bob! 10:29/,
  )
  expect(jobs).toEqual([])
  const long = await createPage(server, { ...request, title: 'Long', source: `${'a\n'.repeat(6000)}${short}` })
  expect(long.page.source.slice(-50)).toMatch(/Hello Bob! 10:29, 1 May 2024 \(UTC\)$/)
  expect(jobs).toEqual(['saving'])
})

test('texts that are not wikitext are saved unchanged', async () => {
  const { wiki } = await newWiki()
  const source = '/* ~~~~ {{subst:x}} */'
  const { page } = await createPage(wiki, { ...request, title: 'User:Ada/x.css', source })
  expect(page).toMatchObject({ content_model: 'css', source })
  const updated = await updatePage(wiki, {
    ...request,
    title: 'User:Ada/x.css',
    source: `${source} a`,
    base: page.latest.id,
  })
  expect(updated.page.source).toBe(`${source} a`)
})
