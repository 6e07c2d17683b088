/** Removes the notice of the last action from the URL of the page. */

/** Removes the parameter from the address bar, so that a reload or a bookmark does not repeat the message. */
export function forgetDone(): void {
  const address = new URL(location.href)
  if (!address.searchParams.has('done')) return
  address.searchParams.delete('done')
  history.replaceState(history.state, '', address)
}
