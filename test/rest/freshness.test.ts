/** An answer is not older than its request: what git wrote before a client asks is in the answer. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../../src/rest/serve.ts'
import { commitFiles, newWiki } from '../operations/_wiki.ts'
import { jsonOf } from './json-response.ts'

test('a request after the branch has moved is answered from the new commit, however soon it comes', async () => {
  const { wiki } = await newWiki({ A: 'text 0' })
  const tips = [wiki.store.tip!]
  for (let at = 1; at < 4; at++) {
    await commitFiles(wiki, { 'A.wiki': `text ${at}` })
    tips.push(wiki.store.tip!)
  }
  const server = await serve(wiki, { port: 0 })
  onTestFinished(() => server.close())
  const ref = join(wiki.store.repository.commonDirectory, 'refs/heads/main')
  const seen: unknown[] = []
  for (const tip of [...tips, ...tips.toReversed()]) {
    writeFileSync(ref, `${tip}\n`)
    // The first of two requests reads the branch.
    for (let again = 0; again < 2; again++) seen.push((await jsonOf(await fetch(`${server.url}/page/A`))).source)
  }
  const texts = tips.flatMap((_, at) => [`text ${at}`, `text ${at}`])
  expect(seen).toEqual([...texts, ...texts.toReversed()])
})
