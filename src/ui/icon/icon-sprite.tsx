import type { LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { usePieces, type Draw } from '../basic/pieces.ts'

type Icons = Record<string, LucideIcon>

type Props =
  | { icons: Icons; id?: undefined }
  /** Null in the browser on a page that only the server renders: the sprite stays, and no icons are loaded. */
  | { icons: Icons | null; id: string }

/** Draws icons once, so that hundreds of rows can refer to them by name. */
export function IconSprite({ icons, id }: Props) {
  const pieces = usePieces()
  const [drawnHtml] = useState(() => (icons ? '' : (document.getElementById(id!)?.innerHTML ?? '')))
  const look = { id, 'aria-hidden': true, className: 'absolute size-0' }
  if (!icons)
    return <svg {...look} dangerouslySetInnerHTML={{ __html: drawnHtml }} suppressHydrationWarning />
  if (!import.meta.env.SSR || !pieces) return <svg {...look}>{symbolsOf(icons)}</svg>
  return (
    <svg {...look} dangerouslySetInnerHTML={{ __html: pieces.addHtml((draw) => drawOnce(icons, draw)) }} />
  )
}

const symbolsOf = (icons: Icons) =>
  Object.entries(icons).map(([name, Icon]) => (
    <symbol key={name} id={idOf(name)} viewBox="0 0 24 24">
      <Icon size={24} strokeWidth={1.75} />
    </symbol>
  ))

const drawn = new WeakMap<Icons, string>()

/** Cached, since it is the same for every page. */
function drawOnce(icons: Icons, draw: Draw): string {
  const html = drawn.get(icons) ?? draw(symbolsOf(icons))
  drawn.set(icons, html)
  return html
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
