import { describe, expect, test } from 'vitest'
import type { Decoder } from '../../src/media/decoder.ts'
import { makeThumbnail, pictureFormats, type ThumbnailRequest } from '../../src/media/thumbnail.ts'

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="6"/>'

/** A decoder that gives these replies in turn. */
function replying(...replies: readonly object[]): Decoder {
  const left = [...replies]
  return { run: async () => left.shift() as never, close: () => {} }
}

function requestOf(type: 'svg' | 'gif', animated = false): ThumbnailRequest {
  async function* content() {
    yield Buffer.from(type === 'svg' ? drawing : 'GIF89a')
  }
  return { format: pictureFormats[type]!, content, to: { width: 90, height: 60 }, animated }
}

const picture = new Uint8Array([1])

describe('what a failure of the decoder gives is not kept for ever', () => {
  test('the size of a drawing', async () => {
    const decoder = replying({ failed: 'the process ended' }, { result: picture })
    expect(await makeThumbnail(requestOf('svg'), decoder)).toEqual({ bytes: null, settled: false })
  })

  test('the first frame of an animation', async () => {
    const decoder = replying({ failed: 'it took too long' }, { result: picture })
    expect(await makeThumbnail(requestOf('gif', true), decoder)).toEqual({ bytes: picture, settled: false })
  })

  test('but the first frame is, of an animation that cannot be decoded', async () => {
    const decoder = replying({ error: 'too large' }, { result: picture })
    expect(await makeThumbnail(requestOf('gif', true), decoder)).toEqual({ bytes: picture, settled: true })
  })
})
