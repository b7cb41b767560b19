import { Laptop, Smartphone } from 'lucide-react'
import { useRef, useState, type FormEvent } from 'react'
import { shortDateTime } from '../../base/time/dates.ts'
import { Button } from '../../ui/basic/button.tsx'
import { Chip } from '../../ui/basic/chip.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { OFFLINE, orNull, readJson, send } from '../../ui/overlay/request.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { urls } from '../../urls.ts'
import type { Session } from '../session/session.ts'

type Props = { sessions: Session[]; onSessions: (sessions: Session[]) => void }

/** Lists the devices where the user is signed in, with a button to sign out each of the others. */
export function SessionList({ sessions, onSessions }: Props) {
  const { timeZone } = useFrame()
  const [busy, setBusy] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const others = sessions.filter((session) => !session.is_present)

  async function end(action: string, said: string): Promise<void> {
    if (busy) return
    setBusy(action)
    const answer = await orNull(send('POST', action, new FormData()))
    const body =
      answer && (await orNull(readJson<Partial<{ sessions: Session[]; message: string }> | null>(answer)))
    setBusy(null)
    if (!answer?.ok || !body?.sessions)
      return showToast(body?.message ?? OFFLINE, {
        kind: 'fault',
      })
    onSessions(body.sessions)
    showToast(said)
    return list.current?.focus() // the pressed button is gone
  }

  return (
    <div className="grid gap-4">
      <ul ref={list} tabIndex={-1} aria-label="Enheder" className="divide-y divide-line outline-none">
        {sessions.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 sm:gap-x-4 first:pt-0 last:pb-0"
          >
            <DeviceIcon device={session.device} />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-x-2 font-medium">
                {session.device}
                {session.is_present && <Chip tone="accent" text="Denne enhed" />}
              </p>
              <p className="text-meta text-muted tabular-nums">
                <span className="inline-block max-sm:block sm:mr-3">
                  Logget ind <ShortDate at={session.created_at} withTime />
                </span>
                <span className="inline-block">
                  Sidst brugt <ShortDate at={session.used_at} withTime />
                </span>
              </p>
            </div>
            {!session.is_present && (
              <EndForm
                action={urls.endSession(session.id)}
                text="Log ud"
                about={` på ${session.device}, logget ind ${shortDateTime(session.created_at, timeZone)}`}
                busy={busy}
                onEnd={(action) => void end(action, `${session.device} er logget ud.`)}
              />
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <EndForm
          action={urls.endOtherSessions}
          text="Log ud på alle andre enheder"
          busy={busy}
          onEnd={(action) => void end(action, 'Du er logget ud på alle andre enheder.')}
        />
      )}
    </div>
  )
}

type EndProps = {
  action: string
  text: string
  about?: string
  busy: string | null
  onEnd: (action: string) => void
}

function EndForm({ action, text, about, busy, onEnd }: EndProps) {
  const { token } = useFrame()
  return (
    <form
      method="post"
      action={action}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        onEnd(action)
      }}
    >
      <input type="hidden" name="_token" value={token} />
      <Button type="submit" kind="secondary" loading={busy === action} loadingText="Vent…">
        {text}
        {about && <span className="sr-only">{about}</span>}
      </Button>
    </form>
  )
}

function DeviceIcon({ device }: { device: string }) {
  const Icon = /iPhone|iPad|Android/.test(device) ? Smartphone : Laptop
  return (
    <Icon size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-muted max-sm:hidden" />
  )
}
