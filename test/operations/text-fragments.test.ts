/** A text fragment (`#sec:~:text=ebb`) is not part of the anchor. */

import { expect, test } from 'vitest'
import { changeAnchor, splitDirective } from '../../src/core/anchors.ts'
import { checkChange } from '../../src/operations/check-change.ts'
import { linksOf, siteOf } from '../web/_site.ts'
import { commitFiles, newWiki } from './_wiki.ts'

const files = {
  'g.md': '# Top\n\n## Sec two\n\nebb and flood\n',
  'links.md':
    '[a](g.md#sec-two:~:text=ebb%20and) [b](g.md#:~:text=ebb) [[g#Sec two:~:text=ebb and]] [c](#own:~:text=x) [[#Own:~:text=x]]\n\n# Own\n',
  'wiki.wiki': '[[g#sec-two:~:text=ebb]] [[#Own part:~:text=ebb]] [[g#:~:text=ebb]]\n== Own part ==\n',
  'red.wiki': '#REDIRECT [[g#sec-two:~:text=ebb]]\n',
}

test('a fragment is split before its directive', () => {
  expect(['a', 'a:~:text=b', ':~:text=b:~:c', 'a:~', ''].map(splitDirective)).toEqual([
    ...[
      ['a', ''],
      ['a', ':~:text=b'],
      ['', ':~:text=b:~:c'],
      ['a:~', ''],
      ['', ''],
    ],
  ])
  expect(changeAnchor('A b:~:text=c d\ud800ü%20', anchor => anchor.replace(' ', '-'))).toBe(
    'A-b:~:text=c%20d%EF%BF%BD%C3%BC%20',
  )
})

test('checks look for the anchor alone', async () => {
  const { wiki } = await newWiki({})
  await commitFiles(wiki, files)
  await wiki.store.refresh()
  const anchors = async () =>
    (await checkChange(wiki, { from: null, to: 'HEAD', sinceParting: false })).problems.flatMap(
      ({ kind, path, text }) => (kind === 'broken-anchor' ? [[path, text]] : []),
    )
  expect(await anchors()).toEqual([])
  await commitFiles(wiki, { 'links.md': '[a](g.md#gone:~:text=ebb) [[g#Gone:~:text=ebb]]\n' })
  await wiki.store.refresh()
  expect((await anchors()).map(([path]) => path)).toEqual(['links.md', 'links.md'])
})

test('links, redirects and addresses keep the directive as it is', async () => {
  const { wiki } = await newWiki({})
  await commitFiles(wiki, files)
  await wiki.store.refresh()
  const site = siteOf(wiki)
  const linked = async (path: string): Promise<string[]> =>
    linksOf(await site.page(path)).filter(link => link.includes(':~:'))
  expect(await linked('/wiki/Links')).toEqual([
    ...['/wiki/G#sec-two:~:text=ebb%20and', '/wiki/G#:~:text=ebb', '/wiki/G#sec-two:~:text=ebb%20and'],
    ...['#own:~:text=x', '#own:~:text=x'],
  ])
  expect(await linked('/wiki/Wiki')).toEqual([
    '/wiki/G#sec-two:~:text=ebb',
    '#Own_part:~:text=ebb',
    '/wiki/G#:~:text=ebb',
  ])
  const goals = ['/wiki/Red', '/wiki/G%23sec-two%3A~%3Atext%3Debb%20and']
  const places = await Promise.all(goals.map(async path => (await site.ask(path)).headers.get('location')))
  expect(places).toEqual(['/wiki/G?redirectedfrom=Red#sec-two:~:text=ebb', '/wiki/G#sec-two:~:text=ebb%20and'])
})
