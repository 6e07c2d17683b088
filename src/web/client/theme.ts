/** Sets the chosen appearance before anything is painted, so it is a classic script in the head. It imports nothing. */

{
  const chosen = (() => {
    try {
      return localStorage.getItem('theme')
    } catch {
      // A browser that keeps nothing for this site has the system's appearance.
      return null
    }
  })()
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
}
