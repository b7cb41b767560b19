import { Search } from 'lucide-react'

/** At the left inside a field that searches; the field leaves room for it. */
export const SearchIcon = ({ size = 16 }: { size?: number }) => (
  <Search
    size={size}
    strokeWidth={1.75}
    aria-hidden="true"
    className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted"
  />
)
