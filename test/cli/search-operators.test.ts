import { expect, test } from 'vitest'
import { gitWiki, wiki } from './harness.ts'

const titles = async (cwd: string, ...query: string[]): Promise<string[]> => {
  const { stdout } = await wiki(['search', '--json', '--', ...query], { cwd })
  return (JSON.parse(stdout) as { pages: { title: string }[] }).pages.map(({ title }) => title).sort()
}

test('operators and tags are typed as one means them', async () => {
  const cwd = await gitWiki([
    {
      files: {
        'Low.md': 'The tide is low. #harbour/north\n',
        'High.md': '---\ntags: [harbour, "#Küste"]\n---\nThe tide is high.\n',
        'Ebb.md': 'An ebb, in a harbour.\n',
        'Moon.md': 'The moon. [[Low]]\n',
      },
      message: 'x',
    },
  ])
  expect(await titles(cwd, 'low OR moon')).toEqual(['Low', 'Moon'])
  expect(await titles(cwd, 'low|moon')).toEqual(['Low', 'Moon'])
  expect(await titles(cwd, 'tide', 'NOT', 'high')).toEqual(['Low'])
  expect(await titles(cwd, '(ebb OR tide) AND harbour')).toEqual(['Ebb', 'High', 'Low'])
  expect(await titles(cwd, 'moon OR linksto:Low -ebb')).toEqual(['Moon'])
  expect(await titles(cwd, '#harbour')).toEqual(['High', 'Low'])
  expect(await titles(cwd, '#harbour/north')).toEqual(['Low'])
  expect(await titles(cwd, '#kuste')).toEqual(['High'])
  expect(await titles(cwd, '#moon')).toEqual(['Moon'])
  expect(await titles(cwd, 'tide -#harbour/north')).toEqual(['High'])
  const refused = await wiki(['search', 'moon OR insource:low'], { cwd })
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('hint: Write the choice as a pattern') })
})
