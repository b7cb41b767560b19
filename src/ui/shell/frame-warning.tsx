import { useFrame } from '../basic/frame.ts'

/** A warning above every page. */
export function FrameWarning() {
  const { warning } = useFrame()
  if (warning === null) return null
  return (
    <aside aria-label="Bemærk" className="bg-warn-soft px-4 py-2 text-center text-warn print:hidden">
      {warning}
    </aside>
  )
}
