import { expect, test } from 'vitest'
import { defaultConfig } from '../../src/core/config.ts'
import { sampleWiki, wiki } from './harness.ts'

test('config list names every setting, an empty table too', async () => {
  const { stdout } = await wiki(['config', 'list'], { cwd: sampleWiki() })
  const listed = stdout.split('\n').map(line => line.split(/[\t.]/)[0])
  expect(Object.keys(defaultConfig()).filter(name => !listed.includes(name))).toEqual([])
  expect(stdout).toContain('interwiki\t{}\n')
})
