import { CircleCheck, Clock, TriangleAlert } from 'lucide-react'
import { formatCount } from '../../base/danish/counts.ts'
import { Chip } from '../../ui/basic/chip.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { Form } from '../../ui/form/form.tsx'
import { urls } from '../../urls.ts'
import { eventName, TEST_EVENT } from './event.ts'
import { outcomeText, type Delivery, type Hook } from './hook.ts'

/** One message: its events, and the receiver's answer. */
export function DeliveryRow({ hook, delivery }: { hook: Hook; delivery: Delivery }) {
  const { event, items, tries, state, created_at: at, answer, payload, tried_at: tried } = delivery
  const canBeSentAgain = hook.is_on && state !== 'waiting' && event !== TEST_EVENT
  return (
    <li className="px-4 py-3 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <ShortDate at={tried ?? at} withTime className="text-muted tabular-nums" />
        <span className="min-w-0 flex-1 basis-40 font-medium">
          {eventName(event)}
          {items > 1 && <span className="font-normal text-muted"> ({formatCount(items)})</span>}
        </span>
        <DeliveryState delivery={delivery} />
      </div>
      <details className="mt-1">
        <summary className="cursor-pointer text-muted hover:text-ink pointer-coarse:py-3">
          {tries === 1 ? '1 forsøg' : `${formatCount(tries)} forsøg`}, svar og indhold
        </summary>
        <div className="mt-2 grid gap-3">
          <p className="wrap-anywhere">
            {outcomeText(delivery)}{' '}
            {delivery.status !== null && `Det tog ${formatCount(delivery.tookMs)} ms.`}
          </p>
          {answer !== '' && <Quoted title="Svar" text={answer} />}
          <Quoted title="Indhold" text={payload} />
          {canBeSentAgain && (
            <Form
              action={urls.sendHookAgain(hook.id, delivery.id)}
              submit="Send igen"
              loadingText="Sender…"
              doneText="Beskeden bliver sendt igen om et øjeblik."
              kind="secondary"
              beside={null}
            />
          )}
        </div>
      </details>
    </li>
  )
}

function DeliveryState({ delivery: { state, tries, next_at: next } }: { delivery: Delivery }) {
  if (state === 'delivered') return <Chip text="Modtaget" tone="ok" icon={CircleCheck} />
  if (state === 'failed') return <Chip text="Opgivet" tone="warn" icon={TriangleAlert} />
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {tries > 0 && (
        <span className="text-meta text-muted">
          Prøves igen <ShortDate at={next} withTime />
        </span>
      )}
      <Chip text="Venter" icon={Clock} />
    </span>
  )
}

function Quoted({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <p className="text-meta text-muted">{title}</p>
      <pre className="rounded-control bg-sunken p-3 text-meta wrap-anywhere whitespace-pre-wrap">{text}</pre>
    </div>
  )
}
