const ID = 'opens-new-tab'

/** Attributes of a link that opens a new tab: a screen reader says so after the link's name. */
export const IN_NEW_TAB = { target: '_blank', rel: 'noopener', 'aria-describedby': ID } as const

/** The text that such links refer to, once on each page. */
export function NewTabNote() {
  return (
    <span id={ID} hidden>
      åbner i en ny fane
    </span>
  )
}
