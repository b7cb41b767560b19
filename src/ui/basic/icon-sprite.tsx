import type { LucideIcon } from 'lucide-react'

type Icons = Record<string, LucideIcon>

/** Draws icons once, so that hundreds of rows can refer to them by name. */
export function IconSprite({ icons }: { icons: Icons }) {
  return (
    <svg aria-hidden="true" className="absolute size-0">
      {Object.entries(icons).map(([name, Icon]) => (
        <symbol key={name} id={idOf(name)} viewBox="0 0 24 24">
          <Icon size={24} strokeWidth={1.75} />
        </symbol>
      ))}
    </svg>
  )
}

/** An icon from the page's sprite. */
export function SpriteIcon({ name, className = 'icon' }: { name: string; className?: string }) {
  return (
    <svg aria-hidden="true" className={className}>
      <use href={`#${idOf(name)}`} />
    </svg>
  )
}

const idOf = (name: string) => `icon-${name}`
