import { initialsOf } from '../../base/text.ts'

const SIZES = {
  24: 'size-6 text-[10px]/none',
  36: 'size-9 text-body',
  64: 'size-16 text-title',
  96: 'size-24 text-[32px]/none',
}

type Props = { name: string; image?: string | null | undefined; size?: keyof typeof SIZES }

/** A person's image or initials. Hidden from screen readers, because the name stands beside it. */
export function Avatar({ name, image, size = 36 }: Props) {
  const look = `${SIZES[size]} shrink-0 rounded-full`
  if (image) return <img src={image} alt="" width={size} height={size} className={`${look} object-cover`} />
  return (
    <span
      aria-hidden="true"
      className={`${look} grid place-items-center bg-accent-soft font-medium text-accent select-none`}
    >
      {initialsOf(name)}
    </span>
  )
}
