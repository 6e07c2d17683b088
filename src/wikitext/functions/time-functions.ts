/** `#time` and its family. Source: MediaWiki Extension:ParserFunctions, its help page. */

import type { FunctionCall, FunctionTable } from '../expansion/function.ts'
import { isLanguageTag } from '../expansion/languages.ts'
import { dateFormats } from './date-formats.ts'
import { write } from './time-format.ts'
import { parseTime } from './time-parse.ts'
import { zonedDate } from './zoned-date.ts'

/** Maximum length of the format of one call. */
const maxFormat = 6000

interface TimeRequest {
  readonly format: string
  readonly date: string
  readonly language: string
  readonly isLocal: boolean
}

function formatTime({ context }: FunctionCall, { format, date, language, isLocal }: TimeRequest): string {
  const zone = isLocal ? (context.timeZone ?? 'UTC') : 'UTC'
  if (format.length > maxFormat) return error('Error: Too many #time calls.')
  const moment = date === '' ? context.now.getTime() : parseTime(date, context.now.getTime())
  if (moment === undefined) return error('Error: Invalid time.')
  const shown = zonedDate(moment, zone)
  if (shown.year < 0) return error('Error: #time only supports years from 0.')
  if (shown.year > 9999) return error('Error: #time only supports years up to 9999.')
  return write(format, shown, context.locales(language))
}

function error(sentence: string): string {
  return `<strong class="error">${sentence}</strong>`
}

function languageOf({ context }: FunctionCall, code: string): string {
  return code !== '' && isLanguageTag(code) ? code.toLowerCase() : context.language
}

function time(isAlwaysLocal: boolean): (call: FunctionCall) => string {
  return call => {
    const local = call.text(3)
    const isLocal = isAlwaysLocal || (local !== '' && local !== '0')
    return formatTime(call, {
      format: call.text(0),
      date: call.text(1),
      language: languageOf(call, call.text(2)),
      isLocal,
    })
  }
}

function timef(isAlwaysLocal: boolean): (call: FunctionCall) => string {
  return call => {
    const language = languageOf(call, call.text(2))
    const formats = dateFormats(language)
    const type = call.text(1) || 'both'
    const format = Object.hasOwn(formats, type) ? formats[type as keyof typeof formats] : undefined
    if (format === undefined) return error('Error: Invalid format type.')
    const local = call.text(3)
    return formatTime(call, {
      format,
      date: call.text(0),
      language,
      isLocal: isAlwaysLocal || (local !== '' && local !== '0'),
    })
  }
}

/** Functions whose names begin with `#`. */
export const timeTable: FunctionTable = {
  time: time(false),
  timel: time(true),
  timef: timef(false),
  timefl: timef(true),
}
