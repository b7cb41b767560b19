import { PROVE_TITLE } from '../../base/prove.ts'
import { Button } from '../../ui/basic/button.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { Form } from '../../ui/form/form.tsx'
import { CancelButton, Modal } from '../../ui/overlay/modal.tsx'
import { endProof, PROVE } from '../../ui/overlay/ask-for-proof.ts'
import { urls } from '../../urls.ts'
import { ProveByPasskey } from '../factor/passkey-button.tsx'
import { ProveFields, ProveText } from './prove-fields.tsx'

/** Opens over any page when a call needs a fresh proof, and then the call is sent again. */
export function ProveModal() {
  const { user } = useFrame()
  return (
    <Modal name={PROVE} title={PROVE_TITLE}>
      {Array.isArray(user?.provesWith) ? (
        <ProveElsewhere />
      ) : (
        <ProveHere hasFactor={user?.provesWith === 'factor'} />
      )}
    </Modal>
  )
}

function ProveHere({ hasFactor }: { hasFactor: boolean }) {
  return (
    <Form
      action={urls.prove}
      submit="Bekræft"
      loadingText="Bekræfter…"
      beside={<CancelButton />}
      onDone={endProof}
    >
      <ProveText />
      {hasFactor && <ProveByPasskey onDone={endProof} />}
      <ProveFields />
    </Form>
  )
}

/** In a tab of its own, so that this page keeps what was typed. */
function ProveElsewhere() {
  return (
    <div className="grid gap-4">
      <ProveText />
      <p className="text-muted">
        Det sker i en ny fane. Kom tilbage hertil bagefter, og tryk på Fortsæt. Det, du har skrevet, bliver
        her.
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <CancelButton />
        <LinkButton kind="secondary" href={urls.prove} target="_blank">
          Bekræft i en ny fane
        </LinkButton>
        <Button type="button" onClick={endProof}>
          Fortsæt
        </Button>
      </div>
    </div>
  )
}
