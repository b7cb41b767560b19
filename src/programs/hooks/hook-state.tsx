import { CircleCheck, TriangleAlert } from 'lucide-react'
import { Chip } from '../../ui/basic/chip.tsx'
import type { Hook } from './hook.ts'

/** Whether a hook works, in a word. */
export function HookState({ hook }: { hook: Hook }) {
  if (!hook.is_on)
    return hook.stopped_because === null ? (
      <Chip text="Slået fra" />
    ) : (
      <Chip text="Slået fra efter fejl" tone="warn" icon={TriangleAlert} />
    )
  return hook.failing_since === null ? (
    <Chip text="Slået til" tone="ok" icon={CircleCheck} />
  ) : (
    <Chip text="Modtageren fejler" tone="warn" icon={TriangleAlert} />
  )
}
