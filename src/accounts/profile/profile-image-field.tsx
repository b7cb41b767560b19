import { useState } from 'react'
import { Avatar } from '../../ui/basic/avatar.tsx'
import { ImageField } from '../../ui/form/image-field.tsx'
import { changeOwnUser, useOwnUser } from '../../ui/shell/use-own-user.ts'
import { urls } from '../../urls.ts'
import { largeImage } from '../users/image-address.ts'

type Props = { faults: string[]; onFaults: (faults: string[]) => void }

const WORDS = {
  choose: 'Vælg billede',
  save: 'Gem billede',
  remove: 'Fjern billede',
  saved: 'Dit profilbillede er gemt.',
  removed: 'Dit profilbillede er fjernet.',
  help: 'Kun du selv og kontoret kan se det.',
}

/** A person's own image. */
export function ProfileImageField({ faults, onFaults }: Props) {
  const user = useOwnUser()
  const [preview, setPreview] = useState<string | null>(null)
  if (!user) return null
  const image = user.image && largeImage(user.image)
  return (
    <ImageField<string>
      action={urls.profileImage}
      words={WORDS}
      hasImage={user.image !== null}
      shape="rounded-full"
      onPreview={setPreview}
      faults={faults}
      onFaults={onFaults}
      onSaved={(saved) => changeOwnUser({ image: saved })}
      addressOf={largeImage}
    >
      <Avatar name={user.name} image={preview ?? image} size={96} />
    </ImageField>
  )
}
