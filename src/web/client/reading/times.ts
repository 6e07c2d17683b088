/** Shows times in the reader's time zone. The server writes them in UTC. */

/** Rewrites full timestamps. Times of day under a UTC date show the local time on hover instead. */
export function showLocalTimes(within: ParentNode = document): void {
  const { lang } = document.documentElement
  const format = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' })
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[data-ui-time]')) {
    const moment = new Date(time.dateTime)
    if (Number.isNaN(moment.getTime())) continue
    if (time.dataset.uiTime === '') time.textContent = format.format(moment)
    else time.title = format.format(moment)
  }
}
