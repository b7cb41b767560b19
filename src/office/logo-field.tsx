import { Building2 } from 'lucide-react'
import { useState } from 'react'
import { ImageField } from '../ui/form/image-field.tsx'
import { changeLogo, useOffice } from '../ui/shell/use-office.ts'
import { urls } from '../urls.ts'
import type { Office } from './office.ts'

const WORDS = {
  choose: 'Vælg logo',
  save: 'Gem logo',
  remove: 'Fjern logo',
  saved: 'Logoet er gemt.',
  removed: 'Logoet er fjernet.',
  help: 'Logoet vises på hvid bund.',
}

/** The office's logo, whole, on white. */
export function LogoField({ faults: atFirst }: { faults: string[] }) {
  const { logo } = useOffice()
  const [preview, setPreview] = useState<string | null>(null)
  const [faults, setFaults] = useState(atFirst)
  const shown = preview ?? logo?.address
  return (
    <ImageField<NonNullable<Office['logo']>>
      action={urls.officeLogo}
      words={WORDS}
      hasImage={logo !== null}
      shape="rounded-control"
      fields={{ was: logo?.address ?? '' }}
      onPreview={setPreview}
      faults={faults}
      onFaults={setFaults}
      onSaved={changeLogo}
      addressOf={({ address }) => address}
    >
      <span className="grid h-24 w-44 place-items-center rounded-control border border-line bg-surface text-muted">
        {shown ? (
          <img src={shown} alt="Kontorets logo" className="office-logo max-h-18 max-w-38" />
        ) : (
          <Building2 size={32} strokeWidth={1.75} aria-hidden="true" />
        )}
      </span>
    </ImageField>
  )
}
