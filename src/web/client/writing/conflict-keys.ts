/** Keyboard shortcuts for conflicts: 1, 2 and 3 choose a side, j and k go to the next and previous conflict, Ctrl+S saves. */

import { hasKeys } from '../reading/choices.ts'
import type { EditForm } from './edit-form.ts'

const values = ['theirs', 'mine', 'both']

/** Adds the shortcuts and a line that counts open choices. Returns the function that updates the count. */
export function chooseByKeys({ form, say }: EditForm): () => void {
  const places = [...form.querySelectorAll<HTMLFieldSetElement>('.place')]
  const line = document.createElement('p')
  line.className = 'meta chosen-count'
  line.setAttribute('role', 'status')
  const count = (): void => {
    const chosen = places.filter(place => place.querySelector('input:checked') !== null).length
    line.textContent = say('chosenCount', String(chosen), String(places.length))
  }
  const keys = document.createElement('p')
  keys.className = 'meta conflict-keys'
  keys.hidden = !hasKeys()
  keys.textContent = say('conflictKeys')
  form.prepend(keys)
  form.querySelector('.save')?.prepend(line)
  count()

  const current = (): number => places.findIndex(place => place.contains(document.activeElement))
  const goTo = (index: number): void => {
    const place = places[Math.max(0, Math.min(index, places.length - 1))]
    place?.scrollIntoView({ block: 'center' })
    const radio = place?.querySelector<HTMLInputElement>('input:checked') ?? place?.querySelector('input')
    radio?.focus()
  }
  const press = (event: KeyboardEvent): void => {
    const { target, key } = event
    if ((event.ctrlKey || event.metaKey) && !event.altKey && (key === 's' || key === 'Enter')) {
      event.preventDefault()
      form.requestSubmit(form.querySelector<HTMLElement>('button[value="resolve"]'))
      return
    }
    const isWriting =
      target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'radio')
    if (isWriting || event.ctrlKey || event.metaKey || event.altKey || places.length === 0 || !hasKeys()) return
    const value = values[Number(key) - 1]
    if (key === 'j') goTo(current() + 1)
    else if (key === 'k') goTo(current() - 1)
    else if (value !== undefined && /^[1-3]$/.test(key)) {
      const place = places[Math.max(0, current())]
      const radio = place?.querySelector<HTMLInputElement>(`input[value="${value}"]`)
      radio?.click()
      radio?.focus()
    } else return
    event.preventDefault()
  }
  // Captures keys before the shortcuts of every page, of which j leaves the page.
  document.addEventListener('keydown', press, { capture: true })
  return count
}
