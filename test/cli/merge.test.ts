import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { git, needsGit, temporaryDirectory } from '../_setup.ts'
import { wiki } from './harness.ts'

async function threeFiles(base: string | Uint8Array, mine: string, theirs: string): Promise<string> {
  const cwd = await temporaryDirectory()
  for (const [name, text] of Object.entries({ base, mine, theirs })) writeFileSync(join(cwd, name), text)
  return cwd
}

const line = 'The ferry leaves at noon. It is blue.\n'

describe('wiki merge', () => {
  test('prints the merged text of both sides', async () => {
    const cwd = await threeFiles(line, line.replace('noon', 'nine'), line.replace('blue', 'red'))
    const result = await wiki(['merge', 'base', 'mine', 'theirs'], { cwd })
    expect(result).toEqual({ status: 0, stdout: 'The ferry leaves at nine. It is red.\n', stderr: '' })
  })

  test('refuses a true conflict, or prints it with markers', async () => {
    const cwd = await threeFiles('a\n', 'b\n', 'c\n')
    expect(await wiki(['merge', 'base', 'mine', 'theirs'], { cwd })).toMatchObject({ status: 3, stdout: '' })
    const marked = await wiki(['merge', 'base', 'mine', 'theirs', '--marks'], { cwd })
    expect(marked).toMatchObject({ status: 3, stdout: '<<<<<<< mine\nb\n|||||||\na\n=======\nc\n>>>>>>> theirs\n' })
  })

  test('refuses by lines what merges by words', async () => {
    const cwd = await threeFiles(line, line.replace('noon', 'nine'), line.replace('blue', 'red'))
    expect((await wiki(['merge', 'base', 'mine', 'theirs', '--by', 'lines'], { cwd })).status).toBe(3)
  })

  test('refuses binary content', async () => {
    const cwd = await threeFiles(new Uint8Array([0xff, 0xfe, 0x00]), 'a\n', 'b\n')
    expect(await wiki(['merge', 'base', 'mine', 'theirs'], { cwd })).toMatchObject({ status: 2, stdout: '' })
  })
})

describe('the merge driver', () => {
  test('overwrites mine, with markers around conflicting words', async () => {
    const cwd = await threeFiles('a\n', 'b\n', 'c\n')
    expect((await wiki(['merge-driver', 'base', 'mine', 'theirs', '--marker-size', '9'], { cwd })).status).toBe(1)
    expect(readFileSync(join(cwd, 'mine'), 'utf8')).toContain(`${'<'.repeat(9)} ours\nb\n`)
  })

  test('refuses two texts of one new file, for which git gives an empty base', async () => {
    const cwd = await threeFiles('', 'One is here.\n', 'Two is there.\n')
    expect((await wiki(['merge-driver', 'base', 'mine', 'theirs'], { cwd })).status).toBe(1)
    const both = /^<{7} ours\nOne is here\.\n(?:\|{7}.*\n)?={7}\nTwo is there\.\n>{7} theirs\n$/
    expect(readFileSync(join(cwd, 'mine'), 'utf8')).toMatch(both)
  })

  test('lets git merge two edited sentences of one paragraph', { tags: 'long' }, async context => {
    needsGit(context)
    const directory = await temporaryDirectory()
    expect((await wiki(['init', directory, '--merge-driver'])).status).toBe(0)
    expect((await wiki(['init', directory, '--merge-driver'])).status).toBe(0)
    const attributes = readFileSync(join(directory, '.git/info/attributes'), 'utf8')
    expect(attributes.match(/^\*\.wiki merge=wiki$/gm)).toHaveLength(1)

    const commit = (text: string): void => {
      writeFileSync(join(directory, 'A.wiki'), text)
      git(directory, 'add', 'A.wiki')
      git(directory, 'commit', '-q', '-m', 'edit')
    }
    commit(line)
    git(directory, 'checkout', '-q', '-b', 'side')
    commit(line.replace('blue', 'red'))
    git(directory, 'checkout', '-q', 'main')
    commit(line.replace('noon', 'nine'))
    const bin = join(directory, '.git/bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'wiki'), `#!/bin/sh\nexec "${process.execPath}" "${resolve('bin/wiki.cjs')}" "$@"\n`)
    chmodSync(join(bin, 'wiki'), 0o755)
    const path = process.env.PATH
    process.env.PATH = `${bin}:${path}`
    try {
      git(directory, 'merge', '-q', '-m', 'merge', 'side')
    } finally {
      process.env.PATH = path
    }
    expect(readFileSync(join(directory, 'A.wiki'), 'utf8')).toBe('The ferry leaves at nine. It is red.\n')
  })
})
