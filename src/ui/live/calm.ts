const LOOK_MS = 150

let isPressed = false
let isDragging = false
const watched: [name: string, act: () => void][] = [
  ['pointerdown', () => (isPressed = true)],
  ['pointerup', () => (isPressed = false)],
  ['pointercancel', () => (isPressed = false)],
  ['dragstart', () => (isDragging = true)],
  ['dragend', () => (isDragging = isPressed = false)],
  ['drop', () => (isDragging = isPressed = false)],
  ['pointermove', () => (isDragging = false)], // no pointer moves while something is dragged
]
for (const [name, act] of watched) addEventListener(name, act, true)

/** Waits while a menu or a dialog is open, something is dragged, a button is held down or a text is typed in a form. */
export async function whenCalm(): Promise<void> {
  while (isDisturbed()) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}

/** Except the panel beside the list, in which somebody may read for an hour. */
const OPEN = 'dialog[open]:not(.look), [popover=auto]:popover-open'
/** Only in a form that sends something: a list keeps its search text. */
const TYPED = 'main form[method=post] :is(textarea, input:not([type=checkbox], [type=radio]), select)'

function isDisturbed(): boolean {
  const { activeElement } = document
  return (
    isPressed || isDragging || document.querySelector(OPEN) !== null || activeElement?.matches(TYPED) === true
  )
}
