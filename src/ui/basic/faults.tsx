import { CircleAlert } from 'lucide-react'

/** The server's messages about a field, shown under it. */
export function Faults({ id, faults }: { id: string; faults: string[] }) {
  if (faults.length === 0) return null
  return (
    <div id={id} className="grid gap-1 text-danger">
      {faults.map((fault) => (
        <p key={fault} className="flex items-start gap-1.5">
          <CircleAlert size={16} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0" />
          {fault}
        </p>
      ))}
    </div>
  )
}
