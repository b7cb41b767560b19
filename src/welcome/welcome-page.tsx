import { CircleCheck } from 'lucide-react'
import { PageFrame } from '../ui/page-frame.tsx'

export type WelcomePageProps = { version: string }

export function WelcomePage({ version }: WelcomePageProps) {
  return (
    <PageFrame>
      <h1 className="text-title font-semibold">Orden i alle projekters papirer</h1>
      <p className="mt-3 text-muted">
        Ringbind holder styr på dokumenterne i jeres K/S-projekter og viser hver investor præcis det, der er
        deres.
      </p>
      <p className="mt-6 flex items-center gap-2 rounded-control bg-ok-soft px-3 py-2 font-medium text-ok">
        <CircleCheck size={20} strokeWidth={1.75} aria-hidden="true" />
        Ringbind kører
      </p>
      <p className="mt-2 text-meta text-muted">Database og fillager svarer. Version {version}.</p>
    </PageFrame>
  )
}
