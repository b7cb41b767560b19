import { urls } from '../../urls.ts'
import { useFrame } from '../basic/frame.ts'

/** Warnings above every page. */
export function FrameWarning() {
  const { warning, factorDue, path } = useFrame()
  return (
    <>
      {warning !== null && (
        <aside aria-label="Bemærk" className="bg-warn-soft px-4 py-2 text-center text-warn print:hidden">
          {warning}
        </aside>
      )}
      {factorDue && path !== urls.factors && (
        <aside
          aria-label="Totrinslogin"
          className="bg-warn-soft px-4 py-2 text-center text-warn print:hidden"
        >
          {dueText(factorDue.days)}{' '}
          <a href={urls.factors} className="font-medium underline underline-offset-2">
            Slå det til nu
          </a>
        </aside>
      )}
    </>
  )
}

function dueText(days: number): string {
  if (days <= 1) return 'Fra i morgen skal du logge ind i to trin.'
  return `Om ${days} dage skal du logge ind i to trin.`
}
