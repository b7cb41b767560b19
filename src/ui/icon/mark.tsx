/** The product's mark, a ring binder. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" className="shrink-0">
      <rect x="5" y="2" width="22" height="28" rx="4" className="fill-accent" />
      <rect x="15" y="8" width="8" height="6" rx="1.5" className="fill-on-accent" />
      <path
        d="M2.5 10h6M2.5 16h6M2.5 22h6"
        className="stroke-line-strong"
        strokeWidth="1.75"
        strokeLinecap="round"
      />
    </svg>
  )
}
