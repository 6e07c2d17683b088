/** Times in the reader's own zone: the server writes them in UTC, which is right for everybody and nobody. */

/** Rewrites whole moments; parts of one, which stand below the name of a UTC day, say the local moment on hover. */
export function showLocalTimes(within: ParentNode = document): void {
  const { lang } = document.documentElement
  const format = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' })
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[datetime*="T"]')) {
    const moment = new Date(time.dateTime)
    if (Number.isNaN(moment.getTime())) continue
    if (time.dataset.part === undefined) time.textContent = format.format(moment)
    else time.title = format.format(moment)
  }
}
