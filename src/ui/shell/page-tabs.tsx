import { useEffect, useRef } from 'react'
import { tabsFor } from '../../navigation.ts'
import { useFrame } from '../basic/frame.ts'
import { WaitingNumber } from './waiting-number.tsx'

/** The pages of the menu's entry, above each of them. */
export function PageTabs() {
  const { user, path } = useFrame()
  const here = useRef<HTMLAnchorElement>(null)
  // A phone has no room for eight of them, and shows the one that is open.
  useEffect(() => here.current?.scrollIntoView({ block: 'nearest', inline: 'center' }), [])
  const tabs = user ? tabsFor(user, path) : []
  if (tabs.length === 0) return null
  return (
    <nav aria-label="Faner" className="-mt-2 mb-6 overflow-x-auto border-b border-line print:hidden">
      <ul className="flex gap-1">
        {tabs.map(({ text, href, waiting, isHere }) => (
          <li key={href}>
            <a
              ref={isHere ? here : null}
              href={href}
              aria-current={isHere ? 'page' : undefined}
              className="flex min-h-10 items-center gap-2 border-b-2 border-transparent px-3 whitespace-nowrap text-muted hover:text-ink aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-accent pointer-coarse:min-h-11"
            >
              {text}
              <WaitingNumber of={waiting} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
