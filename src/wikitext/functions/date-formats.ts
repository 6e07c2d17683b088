/** Formats of dates and time zones by language. */

import { type ZonedDate, zonedDate } from './zoned-date.ts'

/** Formats of `#time`: date with time, date, time, and date without year. */
export interface DateFormats {
  readonly both: string
  readonly date: string
  readonly time: string
  readonly pretty: string
}

const plainFormats: DateFormats = { both: 'H:i, j F Y', date: 'j F Y', time: 'H:i', pretty: 'j F' }
const ideographic: DateFormats = {
  both: 'Y年n月j日 (D) H:i',
  date: 'Y年n月j日 (D)',
  time: 'H:i',
  pretty: 'n月j日 (D)',
}

/** Languages with another order than day, month, year. Source: MediaWiki Messages*.php, $dateFormats. */
const formats: Readonly<Record<string, DateFormats>> = {
  cs: dotted('j. n. Y', 'j. n.', 'j. n. Y, H:i'),
  da: dotted('j. F Y', 'j. F', 'j. M Y, H:i'),
  de: dotted('j. F Y', 'j. F', 'H:i, j. M Y'),
  es: dotted('j M Y', 'j M', 'H:i j M Y'),
  fi: dotted('j. xg Y', 'j. xg', 'j. xg Y "kello" H.i', 'H.i'),
  fr: dotted('j F Y', 'j F', 'j F Y "à" H:i'),
  it: dotted('j M Y', 'j M', 'H:i, j M Y'),
  ja: ideographic,
  ko: { both: 'Y년 n월 j일 (D) H:i', date: 'Y년 n월 j일 (D)', time: 'H:i', pretty: 'n월 j일 (D)' },
  nl: dotted('j M Y', 'j M', 'j M Y H:i'),
  pl: dotted('j xg Y', 'j xg', 'H:i, j M Y'),
  pt: dotted('j "de" F "de" Y', 'j "de" F', 'H"h"i"min" "de" j "de" F "de" Y', 'H"h"i"min"'),
  ru: dotted('j xg Y', 'j xg', 'H:i, j xg Y'),
  sv: dotted('j F Y', 'j F', 'j F Y "kl." H.i', 'H.i'),
  uk: dotted('j xg Y', 'j xg', 'H:i, j xg Y'),
  zh: { ...ideographic, both: 'Y年n月j日 (D) H:i' },
}

function dotted(date: string, pretty: string, both: string, time = 'H:i'): DateFormats {
  return { both, date, time, pretty }
}

/** Returns the date formats of a language, or plain ones if it has none of its own. */
export function dateFormats(language: string): DateFormats {
  return Object.hasOwn(formats, language) ? formats[language]! : plainFormats
}

/** The time of a signature in the language's format, followed by the zone: `00:02, 1 January 1970 (UTC)`. */
export function zoneLabel(date: ZonedDate): string {
  if (date.zone === 'UTC') return 'UTC'
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: date.zone, timeZoneName: 'short' })
  return format.formatToParts(date.time).find(({ type }) => type === 'timeZoneName')?.value ?? date.zone
}

/** The current time in the wiki's zone. */
export function wikiDate(now: Date, zone: string | undefined): ZonedDate {
  return zonedDate(now.getTime(), zone ?? 'UTC')
}
