/** The address of a page that says what a form did. */

/** Takes that part out of the address: whoever loads the page again, or keeps it as a bookmark, is not told once more. */
export function forgetDone(): void {
  const address = new URL(location.href)
  if (!address.searchParams.has('done')) return
  address.searchParams.delete('done')
  history.replaceState(history.state, '', address)
}
