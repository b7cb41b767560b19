import { phoneLink } from '../../base/contact.ts'
import { useFrame } from '../basic/frame.ts'

/** Says whom to ask: 'Spørgsmål? Ring til Mette Holm på 33 12 34 56.' Nothing if the office has not said it. */
export function AskOffice() {
  const { name, contactPerson, phone, email } = useFrame().office
  if (phone === '' && email === '') return null
  const [href, text] = phone === '' ? [`mailto:${email}`, email] : [phoneLink(phone), phone]
  return (
    <p className="text-muted">
      Spørgsmål? {phone === '' ? 'Skriv' : 'Ring'} til {contactPerson || name || 'kontoret'} på{' '}
      <a
        href={href}
        className="inline-flex items-center wrap-anywhere text-accent underline underline-offset-2 pointer-coarse:min-h-11"
      >
        {text}
      </a>
      .
    </p>
  )
}
