import { ExternalLink } from 'lucide-react'
import { afterSignIn } from '../../base/signed-out.ts'
import { urls } from '../../urls.ts'
import { useFrame } from '../basic/frame.ts'
import { LinkButton } from '../basic/link-button.tsx'
import { CancelButton, Modal } from './modal.tsx'
import { modals } from './modals.ts'
import { SIGNED_OUT } from './request.ts'

/** Opens over any page when a call finds out that the session has ended, with a link to sign in again. */
export function SignedOutModal() {
  const { user } = useFrame()
  if (!user) return null
  return (
    <Modal<string | undefined> name={SIGNED_OUT} title="Du er blevet logget ud">
      {(press) => (
        <>
          <p>{afterSignIn(press)}</p>
          <div className="mt-6 flex flex-wrap justify-end gap-3">
            <CancelButton>Luk</CancelButton>
            <LinkButton
              href={urls.login}
              target="_blank"
              rel="noopener"
              icon={ExternalLink}
              data-autofocus
              onClick={() => modals.close(SIGNED_OUT)}
            >
              Log ind i en ny fane
            </LinkButton>
          </div>
        </>
      )}
    </Modal>
  )
}
