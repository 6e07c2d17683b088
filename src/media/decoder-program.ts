/**
 * Source of the process that decodes untrusted files. It is a string, because it must start the same way from the
 * library, from the bundle of the command line, and from the sources under test. It has three tasks and knows nothing
 * about wikis.
 */
export const decoderProgram = `
'use strict'
const load = require('node:module').createRequire(process.argv[1])

function sharp() {
  const sharp = load('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

/** True for errors that say nothing about the bytes: the machine has no memory or handles left, or its disk fails. */
function isOfMachine({ code, message }) {
  return /^(?:ENOMEM|EMFILE|ENFILE|EAGAIN|EIO)$/.test(code) || /out of memory|allocat|EMFILE|ENOMEM/i.test(message)
}

/** Other errors mean that the bytes are invalid; callers do not distinguish them further. */
const tasks = {
  imageSize({ bytes }) {
    const { width, height, orientation = 1 } = load('image-size').imageSize(bytes)
    return orientation > 4 ? { width: height, height: width } : { width, height }
  },

  async soundLength({ bytes, mime, size }) {
    const { parseBuffer } = load('music-metadata')
    const options = { duration: bytes.length === size, skipCovers: true }
    const { format } = await parseBuffer(bytes, { mimeType: mime, size }, options)
    const track = format.trackInfo?.find(({ video }) => video)?.video
    return {
      duration: format.duration,
      shows: format.hasVideo,
      width: track?.displayWidth ?? track?.pixelWidth,
      height: track?.displayHeight ?? track?.pixelHeight,
    }
  },

  async drawingSize({ bytes }) {
    const { width, height } = await sharp()(bytes).metadata()
    return { width, height }
  },

  async picture({ bytes, options, steps }) {
    let picture = sharp()(bytes, options)
    for (const [step, ...parameters] of steps) picture = picture[step](...parameters)
    return picture.toBuffer()
  },
}

process.on('message', async ({ task, params }) => {
  let reply
  try {
    reply = { result: (await tasks[task](params)) ?? null }
  } catch (error) {
    const text = String(error?.code ?? error?.message).slice(0, 300)
    reply = isOfMachine(error ?? {}) ? { failed: text } : { error: text }
  }
  process.send(reply)
})
process.on('disconnect', () => process.exit())

// The pictures themselves are outside of the heap.
setInterval(() => {
  if (process.memoryUsage.rss() > Number(process.argv[2])) process.send({ full: true }, () => process.exit())
}, 20).unref()
`
