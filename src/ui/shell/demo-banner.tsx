import { useFrame } from '../basic/frame.ts'

export function DemoBanner() {
  const { demo } = useFrame()
  if (!demo) return null
  return (
    <aside aria-label="Demo" className="print:hidden bg-warn-soft px-4 py-2 text-center text-warn">
      Dette er en demo. Dine ændringer forsvinder, når den lukkes.
    </aside>
  )
}
