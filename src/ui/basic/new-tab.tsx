const ID = 'opens-new-tab'

/** For a link that opens a new tab: a screen reader says so after the link's name, which stays what it is. */
export const IN_NEW_TAB = { target: '_blank', rel: 'noopener', 'aria-describedby': ID } as const

/** Once on each page: what such links refer to. */
export function NewTabNote() {
  return (
    <span id={ID} hidden>
      åbner i en ny fane
    </span>
  )
}
