/** Loaded before the program by `node --require`: from when there is a file CLOCK_FROM on, the clock is a day behind. */
const { existsSync } = require('node:fs')

const { CLOCK_FROM } = process.env
const [Real, now] = [Date, Date.now]
const shift = () => (existsSync(CLOCK_FROM) ? -24 * 60 * 60 * 1000 : 0)

globalThis.Date = class extends Real {
  constructor(...parameters) {
    super(...(parameters.length === 0 ? [now() + shift()] : parameters))
  }

  static now() {
    return now() + shift()
  }
}
