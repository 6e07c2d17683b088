/**
 * Loaded before the program by `node --require`. Once the file CLOCK_FROM exists, the clock is a day behind, or off by the number of
 * milliseconds in the file.
 */
const { readFileSync } = require('node:fs')

const { CLOCK_FROM } = process.env
const [Real, now] = [Date, Date.now]
const usual = -24 * 60 * 60 * 1000

function shift() {
  try {
    return Number(readFileSync(CLOCK_FROM, 'utf8') || usual)
  } catch {
    return 0
  }
}

globalThis.Date = class extends Real {
  constructor(...parameters) {
    super(...(parameters.length === 0 ? [now() + shift()] : parameters))
  }

  static now() {
    return now() + shift()
  }
}
