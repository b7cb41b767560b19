import { IN_NEW_TAB } from '../../ui/basic/new-tab.tsx'
import { urls } from '../../urls.ts'
import type { Upload } from '../transport/upload.ts'

type Props = { upload: Pick<Upload, 'name' | 'state' | 'hashName'>; isSkipped?: boolean }

/** The name of a file in a pile, which opens it as soon as it has arrived. */
export function PileName({ upload: { name, state, hashName }, isSkipped = false }: Props) {
  const look = `block wrap-anywhere ${isSkipped ? 'text-muted line-through' : ''}`
  if (state !== 'sent' || hashName === null) return <span className={look}>{name}</span>
  return (
    <span className={look}>
      <a
        href={urls.sentFile(hashName)}
        {...IN_NEW_TAB}
        className="inline-block py-0.5 hover:text-accent hover:underline pointer-coarse:py-3"
      >
        {name}
      </a>
    </span>
  )
}
