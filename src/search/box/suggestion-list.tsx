import {
  ArrowRight,
  Bookmark,
  Building2,
  FileUp,
  Folder,
  LucideFile,
  Plus,
  Search,
  UserRound,
  type LucideIcon,
} from 'lucide-react'
import { useEffect, useId, useImperativeHandle, useState, type KeyboardEvent, type Ref } from 'react'
import { formatCount } from '../../base/danish/counts.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { IN_NEW_TAB } from '../../ui/basic/new-tab.tsx'
import { urls } from '../../urls.ts'
import { MarkedText } from '../answer/marked-text.tsx'
import { NO_QUESTION, writeSearch } from '../answer/search-address.ts'
import { groupsOf, type Entry, type EntryGroup, type EntryIcon } from './entries.ts'
import { useBoxAnswer } from './use-box-answer.ts'

/** Tells screen readers about the list of a field. */
export type ListState = { id: string | null; active: string | null }
const NO_LIST: ListState = { id: null, active: null }

export type SuggestionListHandle = { onKey: (event: KeyboardEvent) => void }

export type SuggestionListProps = {
  ref: Ref<SuggestionListHandle>
  text: string
  isOpen: boolean
  className: string
  onList: (list: ListState) => void
  onClose: () => void
}

const ICONS: Record<EntryIcon, LucideIcon> = {
  upload: FileUp,
  act: Plus,
  page: ArrowRight,
  saved: Bookmark,
  project: Building2,
  folder: Folder,
  person: UserRound,
  file: LucideFile,
}

/** The suggestions under the box. The focus stays in the field; see ARIA's combobox. */
export function SuggestionList({ ref, text, isOpen, className, onList, onClose }: SuggestionListProps) {
  const id = useId()
  const user = useFrame().user!
  const [walked, setWalked] = useState({ text, key: null as string | null })
  const { asked, hasFailed, isBusy } = useBoxAnswer(text, isOpen)
  const groups = asked && (asked.text === '') === (text.trim() === '') ? groupsOf(user, asked) : []
  const rest = text.trim() === '' ? [] : [allOf(text)]
  const entries = [...groups.flatMap((group) => group.entries), ...rest]
  // A new text has a new list, without an active entry.
  const active = walked.text === text ? entries.find(({ key }) => key === walked.key) : undefined
  const isShown = isOpen && entries.length > 0 && (asked !== null || hasFailed)
  const idOf = ({ key }: Entry) => `${id}-${key}`
  const activeId = isShown && active ? idOf(active) : null

  useEffect(() => {
    onList(isShown ? { id, active: activeId } : NO_LIST)
    if (activeId !== null) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [onList, isShown, id, activeId])

  /** Past either end comes the field itself. */
  function walk(step: 1 | -1): void {
    const at = active ? entries.indexOf(active) : step > 0 ? -1 : entries.length
    setWalked({ text, key: entries[at + step]?.key ?? null })
  }

  function onKey(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey } = event
    if (!isShown || event.nativeEvent.isComposing || event.altKey) return
    const isNewTab = ctrlKey || metaKey
    if (key === 'ArrowDown' || key === 'ArrowUp') walk(key === 'ArrowDown' ? 1 : -1)
    else if (key === 'Enter' && isNewTab) window.open((active ?? allOf(text)).href, '_blank', 'noopener')
    else if (key === 'Enter' && active) document.getElementById(idOf(active))?.click()
    else return
    event.preventDefault()
  }
  useImperativeHandle(ref, () => ({ onKey }))

  const count = groups.reduce((sum, group) => sum + group.entries.length, 0)
  return (
    <>
      <output className="sr-only">{isShown && !isBusy && sayCount(count, hasFailed)}</output>
      {isShown && (
        <div className={className}>
          {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a datalist has no groups and no links */}
          <div id={id} role="listbox" aria-label="Forslag" className="grid gap-2 p-2">
            {asked?.answer.corrected && count > 0 && (
              <p role="presentation" className="px-3 pt-1 text-meta text-muted">
                Rettet til: {asked.answer.corrected}
              </p>
            )}
            {groups.map((group) => (
              <Group key={group.name} group={group} active={active} idOf={idOf} onFollow={onClose} />
            ))}
            {count === 0 && (
              <p role="presentation" className="px-3 py-2 text-muted">
                {hasFailed ? FAILED : `Ingen forslag til ”${text.trim()}”`}
              </p>
            )}
            {rest.map((entry) => (
              <EntryLink
                key={entry.key}
                id={idOf(entry)}
                entry={entry}
                icon={Search}
                isActive={active?.key === entry.key}
                onFollow={onClose}
              />
            ))}
          </div>
        </div>
      )}
    </>
  )
}

const FAILED = 'Forslagene kunne ikke hentes. Tryk Enter for at søge.'

function sayCount(count: number, hasFailed: boolean): string {
  if (hasFailed) return FAILED
  return count === 1 ? '1 resultat' : `${count === 0 ? 'Ingen' : formatCount(count)} resultater`
}

/** The last entry: the page with everything that is found. */
const allOf = (text: string): Entry => ({
  key: 'all',
  icon: 'page',
  title: [{ text: 'Vis alle resultater', isHit: false }],
  hint: '',
  context: null,
  href: urls.search + writeSearch({ ...NO_QUESTION, q: text.trim() }),
  isNewTab: false,
})

type GroupProps = {
  group: EntryGroup
  active: Entry | undefined
  idOf: (entry: Entry) => string
  onFollow: () => void
}

function Group({ group: { name, entries }, active, idOf, onFollow }: GroupProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is no part of a listbox
    <div role="group" aria-label={name}>
      <p aria-hidden="true" className="px-3 py-1 text-meta font-medium text-muted">
        {name}
      </p>
      {entries.map((entry) => (
        <EntryLink
          key={entry.key}
          id={idOf(entry)}
          entry={entry}
          icon={ICONS[entry.icon]}
          isActive={entry.key === active?.key}
          onFollow={onFollow}
        />
      ))}
    </div>
  )
}

type EntryLinkProps = { id: string; entry: Entry; icon: LucideIcon; isActive: boolean; onFollow: () => void }

function EntryLink({ id, entry, icon: Icon, isActive, onFollow }: EntryLinkProps) {
  const { title, hint, context, href, isNewTab } = entry
  return (
    <a
      id={id}
      href={href}
      {...(isNewTab && IN_NEW_TAB)}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option stands in a select alone
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      // The field keeps the focus while an entry is pressed.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => event.ctrlKey || event.metaKey || onFollow()}
      className="flex min-h-9 gap-3 rounded-control px-3 py-2 hover:bg-hover aria-selected:bg-accent-soft aria-selected:outline-2 aria-selected:-outline-offset-2 aria-selected:outline-accent pointer-coarse:min-h-11"
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0 text-muted" />
      <span className="grid min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className="min-w-0 wrap-anywhere">
            <MarkedText pieces={title} />
          </span>
          {hint !== '' && <span className="min-w-0 text-meta text-muted wrap-anywhere">{hint}</span>}
        </span>
        {context && (
          <span className="line-clamp-2 text-meta text-muted wrap-anywhere">
            {context.page !== null && <span className="font-medium">Side {context.page}: </span>}
            <MarkedText pieces={context.pieces} />
          </span>
        )}
      </span>
    </a>
  )
}
