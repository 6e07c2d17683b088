/**
 * Forms that are saved. "Back" shows such a form with its text, still as an edit of the revision before, and saving that again would
 * restore what others have since removed from it. The entry in the tab's history says that it is saved.
 */

import type { EditForm } from './edit-form.ts'

/** Marks the form on the page as saved. */
export function markSaved(): void {
  history.replaceState({ isSaved: true }, '')
}

/** Opens the current form if it is saved, now or when "back" shows it. Returns true if it is being left. */
export function leaveIfSaved({ data }: EditForm): boolean {
  const leave = (): boolean => {
    if (history.state?.isSaved !== true) return false
    // An entry of the same URL keeps its state when it is replaced.
    history.replaceState(null, '')
    location.replace(data.edit)
    return true
  }
  window.addEventListener('pageshow', ({ persisted }) => persisted && leave())
  return leave()
}
