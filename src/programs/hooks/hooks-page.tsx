import { Plus } from 'lucide-react'
import { formatCount } from '../../base/counts.ts'
import { EmptyState } from '../../ui/basic/empty-state.tsx'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import { eventName } from './event.ts'
import { hostOf, type Hook } from './hook.ts'
import { HookState } from './hook-state.tsx'

type HooksPageProps = { hooks: Hook[] }

/** Lists the webhooks. */
export function HooksPage({ hooks }: HooksPageProps) {
  return (
    <Shell
      title="Webhooks"
      crumbs={[{ text: 'Kontoret', href: urls.office }]}
      actions={
        <LinkButton href={urls.newHook} icon={Plus}>
          Ny webhook
        </LinkButton>
      }
    >
      <p className="-mt-4 mb-6 max-w-[720px] text-muted">
        En webhook er en besked til et andet program, når der sker noget i Ringbind, for eksempel når en fil
        bliver tilføjet. Så behøver programmet ikke spørge hele tiden.
      </p>
      <div className="rounded-card border border-line bg-surface">
        {hooks.length === 0 ? (
          <EmptyState text="Ingen webhooks endnu" />
        ) : (
          <ul className="divide-y divide-line">
            {hooks.map((hook) => (
              <Row key={hook.id} hook={hook} />
            ))}
          </ul>
        )}
      </div>
    </Shell>
  )
}

function Row({ hook }: { hook: Hook }) {
  const { id, name, url, events, waiting } = hook
  return (
    <li className="grid gap-x-6 gap-y-1 px-4 py-3 md:grid-cols-[minmax(0,3fr)_minmax(0,3fr)_11rem]">
      <div className="min-w-0">
        <a
          href={urls.hook(id)}
          className="inline-flex items-center font-medium wrap-anywhere hover:text-accent hover:underline pointer-coarse:min-h-11"
        >
          {name}
        </a>
        <p className="text-meta text-muted wrap-anywhere">{hostOf(url)}</p>
      </div>
      <p className="min-w-0 text-muted">{events.map(eventName).join(', ')}</p>
      <div className="md:text-right">
        <HookState hook={hook} />
        {waiting > 0 && (
          <p className="mt-1 text-meta text-muted tabular-nums">{formatCount(waiting)} venter</p>
        )}
      </div>
    </li>
  )
}
