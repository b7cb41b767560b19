import { FileUp } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { may, type Role } from '../../rights.ts'
import { catchDrops, noPlace, onPlaceOver, placeOver } from './file-drops.ts'
import { useFrame } from '../basic/frame.ts'

/** Catches files dropped outside a dropzone, and shows during the drag where they would land. */
export function DropHint() {
  const { user } = useFrame()
  const role = user?.role ?? null
  const place = useSyncExternalStore(onPlaceOver, placeOver, noPlace)
  useEffect(() => catchDrops(whyNot(role)), [role])
  if (!place) return null
  return (
    <p
      aria-hidden="true"
      className="pointer-events-none fixed bottom-6 left-1/2 z-50 flex max-w-[calc(100vw-32px)] -translate-x-1/2 items-center gap-2 rounded-card bg-accent px-4 py-3 font-medium text-on-accent shadow-lg"
    >
      <FileUp size={20} strokeWidth={1.75} className="shrink-0" />
      <span className="wrap-anywhere">Slip Filer her: {place.name}</span>
    </p>
  )
}

function whyNot(role: Role | null): string {
  if (may(role, 'changeFiles')) return 'Filer kan ikke slippes her. Brug Upload i menuen.'
  if (may(role, 'haveOwnFiles'))
    return 'Filer kan ikke slippes her. Brug ”Send filer til kontoret” under Papirer.'
  return 'Du har ikke adgang til at uploade filer.'
}
