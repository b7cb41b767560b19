import { Eye } from 'lucide-react'
import { useEffect, useState } from 'react'
import { minutesUntil } from '../../base/time/dates.ts'
import { urls } from '../../urls.ts'
import { Button } from '../basic/button.tsx'
import { useFrame } from '../basic/frame.ts'

/** Says on every page that an administrator sees Ringbind as somebody else, and lets them stop. */
export function ViewBanner() {
  const { viewing, user, token } = useFrame()
  if (!viewing || !user) return null
  return (
    <aside
      aria-label="Vis som"
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 bg-accent px-4 py-2 text-on-accent print:hidden"
    >
      <p className="flex min-w-0 items-center gap-2">
        <Eye size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
        <span className="min-w-0 wrap-anywhere">
          Du ser Ringbind som <strong className="font-semibold">{user.name}</strong> ({user.roleName}) og kan
          ikke ændre noget. <TimeLeft {...viewing} />
        </span>
      </p>
      <form method="post" action={urls.stopViewing} className="text-ink">
        <input type="hidden" name="_token" value={token} />
        <Button type="submit" kind="secondary">
          Stop visning
        </Button>
      </form>
      {/* The banner scrolls away with the page; this does not. */}
      <div
        aria-hidden="true"
        className="pointer-events-none fixed inset-0 z-50 border-2 border-accent print:hidden"
      />
    </aside>
  )
}

const EVERY_MS = 15_000

function TimeLeft({ id, until, minutesLeft }: { id: number; until: string; minutesLeft: number }) {
  const [left, setLeft] = useState(minutesLeft)
  useEffect(() => {
    const tick = () => setLeft(minutesUntil(until, new Date()))
    tick()
    const timer = setInterval(tick, EVERY_MS)
    return () => clearInterval(timer)
  }, [until])
  useEffect(() => {
    const { dataset } = document.documentElement
    dataset.viewed = String(id)
    return () => {
      delete dataset.viewed
    }
  }, [id])
  if (left === 0) return 'Visningen er slut.'
  return `Slutter om ${left} ${left === 1 ? 'minut' : 'minutter'}.`
}
