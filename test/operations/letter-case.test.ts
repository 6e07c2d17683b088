import { expect, test } from 'vitest'
import { checkChange } from '../../src/operations/check-change.ts'
import { wrongCase } from '../../src/operations/checking/letter-case.ts'
import { fixProblems } from '../../src/operations/fix-problems.ts'
import { commitFiles, newWiki } from './_wiki.ts'

test.each([
  ['home.md', 'A.md', 'Home.md', 'Home.md'],
  ['./home.md#Top', 'A.md', 'Home.md', './Home.md#Top'],
  ['../IMG/Map.PNG?raw=true', 'docs/A.md', 'img/Map.png', '../img/Map.png?raw=true'],
  ['/Docs/a.md', 'docs/B.md', 'docs/a.md', '/docs/a.md'],
  ['low%20Tide.md', 'A.md', 'Low tide.md', 'Low%20tide.md'],
  ['ebb.md', 'Docs/A.md', 'Docs/Ebb.md', 'Ebb.md'],
  // Written through another folder, or with other escapes: left to a person.
  ['Sub/../home.md', 'A.md', 'Home.md', null],
  ['caf%C3%A9.md', 'A.md', 'Café.md', null],
])('%s in %s leads to %s by case alone', (source, from, file, corrected) => {
  expect(wrongCase({ source, target: source }, from, file)).toEqual({ corrected })
})

test.each([
  ['Home.md', 'A.md', 'Home.md'],
  ['home', 'A.md', 'Home.md'],
  ['Home.md', 'docs/A.md', 'Home.md'],
  ['home.md', 'docs/A.md', 'Home.md'],
  ['#top', 'A.md', 'A.md'],
  ['', 'A.md', 'A.md'],
])('%s in %s does not differ from %s by case alone', (source, from, file) => {
  expect(wrongCase({ source, target: source }, from, file)).toBeNull()
})

test('links and pictures in the wrong case are found and fixed, in place', async () => {
  const { wiki } = await newWiki()
  const text =
    '[a](home.md) ![b](IMG/map.PNG) [c](Home.md) ![d](img/Map.png) [[home]] <img src="img/map.png">\n\n[e]: LICENCE.TXT\n[e]\n'
  await commitFiles(wiki, { 'Home.md': '# Home\n', 'img/Map.png': 'x', 'LICENCE.txt': 'x', 'A.md': text })
  const check = async () => (await checkChange(wiki, { from: null, to: 'HEAD', sinceParting: false })).problems
  const problems = await check()
  expect(problems.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'wrong-case home.md',
    'wrong-case IMG/map.PNG',
    'wrong-case img/map.png',
    'wrong-case LICENCE.TXT',
  ])
  await fixProblems(wiki, { problems, author: { name: 'A', address: 'a@example.org' }, comment: null })
  expect(await check()).toEqual([])
  const page = wiki.store.pageAtPath('A.md')!
  expect(await wiki.store.text(wiki.store.revision(page.latest)!)).toBe(
    '[a](Home.md) ![b](img/Map.png) [c](Home.md) ![d](img/Map.png) [[home]] <img src="img/Map.png">\n\n[e]: LICENCE.txt\n[e]\n',
  )
})
