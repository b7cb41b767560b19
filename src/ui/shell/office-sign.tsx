import { contactLine, phoneLink } from '../../base/contact.ts'
import type { FrameOffice } from '../basic/frame.ts'
import { Mark } from '../icon/mark.tsx'
import { useOffice } from './use-office.ts'

type Logo = NonNullable<FrameOffice['logo']>

/** A logo this much wider than high has the name below it, not beside it. */
const WIDE = 2.5

type Props = {
  /** Leaves room for the menu: a long name is cut. */
  isInMenu?: boolean
  /** Shows the logo alone, in a narrow column of wide screens. */
  isNarrow?: boolean
  /** The height of a logo in pixels. */
  logoHeight?: number
}

/** Shows the office's logo and name, or the product's mark and name if they are not set. */
export function OfficeSign({ isInMenu = false, isNarrow = false, logoHeight = 32 }: Props) {
  const { name, logo } = useOffice()
  const shown = name || 'Ringbind'
  const isWide = logo !== null && logo.width > WIDE * logo.height
  return (
    <span className={`flex min-w-0 ${isWide ? 'flex-col items-start gap-2' : 'items-center gap-2'}`}>
      {logo ? <OfficeLogo logo={logo} height={logoHeight} isNarrow={isNarrow} /> : <Mark />}
      <span
        className={`max-w-full wrap-anywhere ${isInMenu ? 'line-clamp-3' : ''} ${isWide ? 'text-meta text-muted' : shown.length > 20 ? 'font-semibold' : 'text-section font-semibold'} ${isNarrow ? 'lg:sr-only' : ''}`}
      >
        {shown}
      </span>
    </span>
  )
}

/** The widest that a logo is shown, in its heights. */
const WIDEST = 5

/** Hidden from screen readers, because the name stands beside it. */
function OfficeLogo({ logo, height, isNarrow }: { logo: Logo; height: number; isNarrow: boolean }) {
  const scale = Math.min(height / logo.height, (WIDEST * height) / logo.width)
  return (
    <img
      src={logo.address}
      alt=""
      width={Math.round(logo.width * scale)}
      height={Math.round(logo.height * scale)}
      className={`office-logo ${isNarrow ? 'lg:size-8 lg:object-cover lg:object-left' : ''}`}
    />
  )
}

/** Lists the office's contact person, telephone and e-mail. Shows nothing if none is set. */
export function OfficeContact() {
  const { contactPerson, phone, email } = useOffice()
  if (contactPerson === '' && phone === '' && email === '') return null
  const look =
    'inline-flex min-h-6 items-center wrap-anywhere text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11'
  return (
    <section aria-label="Kontakt" className="grid justify-items-start text-meta text-muted">
      <p className="font-medium text-ink">Kontakt</p>
      {contactPerson !== '' && <p className="wrap-anywhere">{contactPerson}</p>}
      {phone !== '' && (
        <a href={phoneLink(phone)} className={look}>
          {phone}
        </a>
      )}
      {email !== '' && (
        <a href={`mailto:${email}`} className={look}>
          {email}
        </a>
      )}
    </section>
  )
}

/** The head of a printed page. Nothing if the office has not said who it is. */
export function PrintHead() {
  const office = useOffice()
  const { name, logo } = office
  const contact = contactLine(office)
  if (name === '' && logo === null && contact === '') return null
  return (
    <div className="mb-4 hidden items-end justify-between gap-6 border-b border-line pb-2 print:flex">
      {logo ? <OfficeSign /> : <span className="text-section font-semibold">{name}</span>}
      <span className="text-right text-meta text-muted">{contact}</span>
    </div>
  )
}
