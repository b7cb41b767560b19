import { Search } from 'lucide-react'
import { useId, useRef, useState, type ReactNode } from 'react'
import { useFrame } from '../../ui/basic/frame.ts'
import { SearchBox } from '../../ui/form/search-box.tsx'
import { IconButton } from '../../ui/icon/icon-button.tsx'

type Props = {
  label: string
  text: string
  onType: (text: string) => void
  onSearch: (text: string) => void
  /** Shown beside the search field. */
  children: ReactNode
}

/** The search field of a file list and what is beside it. Where there is no room, a button shows the field. */
export function ListBar({ label, text, onType, onSearch, children }: Props) {
  const { path } = useFrame()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [isOpen, setOpen] = useState(text !== '')

  function toggle(): void {
    form.current!.classList.toggle('is-open', !isOpen) // so that it can take the focus
    setOpen(!isOpen)
    if (!isOpen) form.current!.querySelector('input')!.focus()
  }

  return (
    <div className="flex flex-wrap items-center gap-2">
      <form
        ref={form}
        id={id}
        action={path}
        onSubmit={(event) => event.preventDefault()}
        className={`list-search ${isOpen ? 'is-open' : ''}`}
      >
        <SearchBox label={label} text={text} onType={onType} onSearch={onSearch} />
      </form>
      <span className="list-search-button">
        <IconButton
          label="Vis søgefeltet"
          icon={Search}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={toggle}
        />
      </span>
      {children}
    </div>
  )
}
