/** The look of all inputs; red when the input is invalid. */
export const INPUT_LOOK =
  'min-h-9 w-full min-w-0 rounded-control border border-line-strong bg-surface px-3 placeholder:text-muted aria-invalid:border-danger disabled:bg-sunken disabled:text-muted pointer-coarse:min-h-11 pointer-coarse:text-section'
