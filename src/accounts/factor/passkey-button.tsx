import { Button } from '../../ui/basic/button.tsx'
import { Faults } from '../../ui/basic/faults.tsx'
import { usePasskey } from './use-passkey.ts'

/** Signs in with a passkey. Hidden without JavaScript. */
export function PasskeyButton({ next, kind }: { next: string; kind: 'primary' | 'secondary' }) {
  const { isBusy, fault, signIn } = usePasskey()
  return (
    <Ask
      text="Log ind med fingeraftryk eller kode"
      kind={kind}
      isBusy={isBusy}
      fault={fault}
      onPress={() => void signIn(next)}
    />
  )
}

/** Proves who one is with a passkey. Hidden where the browser has no passkeys. */
export function ProveByPasskey({ onDone }: { onDone: () => void }) {
  const { isBusy, fault, prove } = usePasskey()
  if (!isSecureContext) return null
  return (
    <Ask
      text="Bekræft med fingeraftryk eller kode"
      kind="secondary"
      isBusy={isBusy}
      fault={fault}
      onPress={() => void prove().then((isProved) => isProved && onDone())}
    />
  )
}

type Props = {
  text: string
  kind: 'primary' | 'secondary'
  isBusy: boolean
  fault: string
  onPress: () => void
}

function Ask({ text, kind, isBusy, fault, onPress }: Props) {
  return (
    <div className="grid gap-1 noscript:hidden">
      <Button
        type="button"
        kind={kind}
        loading={isBusy}
        loadingText="Venter på din enhed…"
        className="w-full"
        onClick={onPress}
      >
        {text}
      </Button>
      {fault !== '' && (
        <div role="alert">
          <Faults id="passkey-fault" faults={[fault]} />
        </div>
      )}
    </div>
  )
}
