import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createConcurrencyLimit } from '../../src/media/concurrency-limit.ts'
import { createDecoder } from '../../src/media/decoder.ts'
import { decoderProgram } from '../../src/media/decoder-program.ts'
import { temporaryDirectory } from '../_setup.ts'
import { png } from './_files.ts'

const decoder = createDecoder()
afterAll(() => decoder.close())

const size = (bytes: Buffer, milliseconds = 120_000) => decoder.run('imageSize', { bytes }, milliseconds)

describe('the decoder', () => {
  test('returns results, reports invalid bytes, and continues', { tags: 'long' }, async () => {
    expect(await size(png(3, 2))).toEqual({ result: { width: 3, height: 2 } })
    expect(await size(Buffer.from('nothing'))).toEqual({ error: expect.any(String) })
    expect(await size(png(4, 2))).toEqual({ result: { width: 4, height: 2 } })
  })

  test('returns to each of many requests its own result', { tags: 'long' }, async () => {
    const widths = Array.from({ length: 30 }, (_, at) => at + 1)
    const replies = await Promise.all(widths.map(width => size(png(width, 1))))
    expect(replies).toEqual(widths.map(width => ({ result: { width, height: 1 } })))
  })

  test('terminates slow work, and starts again', { tags: 'long' }, async () => {
    const slow = Buffer.from('RIFF\0\0\0\0WAVE')
    const late = await decoder.run('soundLength', { bytes: slow, mime: 'audio/wav', size: 12 }, 0)
    expect(late).toEqual({ failed: 'it took too long' })
    expect(await size(png(5, 2))).toEqual({ result: { width: 5, height: 2 } })
  })

  test.skipIf(process.platform !== 'linux')(
    'counts no time in which its process waits for a busy processor',
    async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      const other = createDecoder()
      const running = other.run('imageSize', { bytes: png(3, 2) }, 60_000)
      await Promise.resolve()
      vi.advanceTimersByTime(5 * 60_000)
      expect(await running).toEqual({ result: { width: 3, height: 2 } })
      const late = other.run('imageSize', { bytes: png(3, 2) }, 60_000)
      await Promise.resolve()
      vi.advanceTimersByTime(6 * 60_000)
      expect(await late).toEqual({ failed: 'it took too long' })
      other.close()
    },
  )

  test('ends work that takes too much memory, and starts again', { tags: 'long' }, async () => {
    const small = createDecoder(150 * 1024 * 1024)
    const bytes = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="9000"><circle r="4000"/></svg>',
    )
    const reply = await small.run('picture', { bytes, options: {}, steps: [['jpeg', {}]] }, 120_000)
    expect(reply).toEqual({ error: 'it takes too much memory' })
    expect(await small.run('imageSize', { bytes: png(5, 2) }, 120_000)).toEqual({ result: { width: 5, height: 2 } })
    small.close()
  })

  test('tells errors of the machine from those of the bytes', { tags: 'long' }, async () => {
    const folder = await temporaryDirectory()
    mkdirSync(join(folder, 'node_modules/image-size'), { recursive: true })
    const library = `exports.imageSize = bytes => { throw Object.assign(new Error(\`\${bytes}\`), { code: \`\${bytes}\`.split(' ')[1] }) }`
    writeFileSync(join(folder, 'node_modules/image-size/index.js'), library)
    const flags = ['--eval', decoderProgram, join(folder, 'main.js'), `${2 ** 30}`]
    const child = spawn(process.execPath, flags, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    })
    onTestFinished(() => void child.kill())
    const ask = async (text: string) => {
      child.send({ task: 'imageSize', params: { bytes: Buffer.from(text) } })
      return (await once(child, 'message'))[0]
    }
    expect(await ask('read ENOMEM')).toEqual({ failed: 'ENOMEM' })
    expect(await ask('Array-buffer-allocation-failed')).toEqual({ failed: 'Array-buffer-allocation-failed' })
    expect(await ask('unsupported')).toEqual({ error: 'unsupported' })
  })

  test('returns nothing after it was closed, and blocks no caller', async () => {
    const other = createDecoder()
    const running = other.run('imageSize', { bytes: png(3, 2) }, 60_000)
    other.close()
    expect(await running).toEqual({ failed: expect.any(String) })
    expect(await other.run('imageSize', { bytes: png(3, 2) }, 60_000)).toEqual({ failed: 'closed' })
  })
})

test('a concurrency limit runs at most that many actions, in order, also after a failure', async () => {
  const limited = createConcurrencyLimit(2)
  const events: string[] = []
  const results = await Promise.allSettled(
    ['a', 'b', 'c', 'd'].map(name =>
      limited(async () => {
        events.push(`${name} in`)
        await new Promise(resolve => setImmediate(resolve))
        events.push(`${name} out`)
        if (name === 'a') throw new Error(name)
        return name
      }),
    ),
  )
  expect(events.slice(0, 2)).toEqual(['a in', 'b in'])
  expect(events.indexOf('c in')).toBeGreaterThan(events.indexOf('a out'))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
})
