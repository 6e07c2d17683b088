/**
 * Applies the chosen appearance before the first paint. For that it is a classic script in the head, without imports.
 */

{
  const chosen = (() => {
    try {
      return localStorage.getItem('theme')
    } catch {
      // Without storage the system's appearance applies.
      return null
    }
  })()
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
}
