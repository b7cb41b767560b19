import { TriangleAlert } from 'lucide-react'
import { useMemo, useState } from 'react'
import { countPeople } from '../../releases/release/release.ts'
import { useLeaveWarning } from '../../ui/basic/use-leave-warning.ts'
import { useReach } from '../form/use-reach.ts'
import { askWhoGets, GiveModal } from './give-modal.tsx'
import { lookAtPage, LookModal } from './look-modal.tsx'
import { MissingPages } from './missing-pages.tsx'
import { OriginalChoice, type Original } from './original-choice.tsx'
import { Card, PartGroup } from './part-group.tsx'
import { PageGroup } from './page-group.tsx'
import { PagePictures } from './page-pictures.ts'
import { countPages } from './pdf/page-ranges.ts'
import { PatternField } from './pattern-field.tsx'
import { partName, partNameFault, patternFault, suggestPattern } from './part-names.ts'
import { pagesOf, partsOf, unfinished } from './plan.ts'
import { SplitBar } from './split-bar.tsx'
import type { SplitReading } from './split.ts'
import { usePlan } from './use-plan.ts'
import { useTileActs } from './use-tile-acts.ts'
import { useSplitSaving } from './use-split-saving.ts'

type Props = { hashName: string; reading: SplitReading }

/** Shows whose each page is, takes corrections, and saves a file for each investor. */
export function SplitForm({ hashName, reading }: Props) {
  const { pages } = reading
  const plan = usePlan(reading)
  const saving = useSplitSaving()
  const [pattern, setPattern] = useState(() => suggestPattern(reading.name))
  const [original, setOriginal] = useState<Original>('nowhere')
  const [pictures] = useState(() => (reading.has_pictures ? new PagePictures(hashName, pages.length) : null))
  const parts = useMemo(() => partsOf(plan.plan), [plan.plan])
  const owners = parts.map(({ person }) => plan.owner(person))
  const leftOut = pagesOf(plan.plan, 'out')
  const folder = original === 'nowhere' ? null : original.folder
  const targets = [...owners.map((user) => ({ user })), ...(folder ? [{ folder }] : [])]
  const reach = useReach(
    targets.map((target, index) => ({ key: String(index), target, uploads: [], bytes: 0 })),
    true,
  )
  useLeaveWarning(() => plan.isTouched && !saving.isLeaving.current)

  const wrongPattern =
    patternFault(pattern) ??
    owners.map((owner) => partNameFault(pattern, owner)).find((fault) => fault !== null) ??
    null
  const isOpen = original !== 'nowhere' && original.folder === null
  const why =
    unfinished(plan.plan) ??
    (wrongPattern === null ? null : 'Ret filnavnet.') ??
    (isOpen ? 'Vælg den mappe, som originalen skal ligge i.' : null)
  const content = { hashName, plan: plan.plan, pattern, original }

  const acts = useTileActs(plan)
  const shared = { pages, selected: plan.selected, pictures, acts }

  return (
    <>
      <form
        aria-label="Del og fordel"
        className="grid grid-cols-[minmax(0,1fr)] gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (why === null) saving.save(content)
          else document.querySelector<HTMLElement>('[data-owner=none] input, [aria-invalid=true]')?.focus()
        }}
      >
        <Summary reading={reading} people={parts.length} />
        <div className="grid gap-4 rounded-card border border-line bg-surface px-4 py-4 md:grid-cols-2">
          <PatternField
            pattern={pattern}
            onChange={(next) => {
              setPattern(next)
              saving.clear('pattern')
            }}
            faults={saving.errors.pattern ?? (wrongPattern === null ? [] : [wrongPattern])}
            example={owners[0]}
          />
          <OriginalChoice original={original} onChange={setOriginal} faults={saving.errors.original ?? []} />
        </div>
        <p id="split-keys" className="text-meta text-muted">
          Træk sider til den rette, eller vælg dem. Tastatur: pile flytter, mellemrum vælger, Enter giver, og
          Delete udelader.
        </p>
        <MissingPages plan={plan} {...shared} />
        {parts.length > 0 && (
          <Card title="Investorer">
            {parts.map((part) => (
              <PartGroup
                key={part.person}
                part={part}
                owner={plan.owner(part.person)}
                name={wrongPattern === null ? partName(pattern, plan.owner(part.person)) : null}
                fault={saving.errors[`parts.u${part.person}.user_id`]?.join(' ')}
                onDrop={(dropped) => plan.give(dropped, plan.owner(part.person))}
                onSelect={() => plan.select(part.pages)}
                shared={shared}
              />
            ))}
          </Card>
        )}
        <Card title="Udeladt">
          <PageGroup
            label="Udeladt"
            owner="out"
            numbers={leftOut}
            onDrop={(dropped) => plan.give(dropped, 'out')}
            {...shared}
          >
            <p className="text-muted">
              {leftOut.length === 0
                ? 'Træk sider hertil, som ingen skal have.'
                : `${countPages(leftOut.length)} gemmes ikke.`}
            </p>
          </PageGroup>
        </Card>
        <SplitBar
          plan={plan}
          saving={saving}
          files={parts.length + (original === 'nowhere' ? 0 : 1)}
          why={why}
          reach={reach}
          onGive={() => askWhoGets([...plan.selected])}
          onLook={() => lookAtPage([...plan.selected][0]!)}
          onAgree={() => saving.agree(content)}
        />
        <output className="sr-only">{plan.announcement}</output>
      </form>
      <GiveModal onGive={plan.give} />
      <LookModal hashName={hashName} pages={pages} hasPictures={reading.has_pictures} />
    </>
  )
}

function Summary({ reading, people }: { reading: SplitReading; people: number }) {
  const { name, pages, is_signed: isSigned } = reading
  return (
    <>
      <p className="tabular-nums wrap-anywhere">
        <span className="font-medium">{name}</span> · {countPages(pages.length)} · {countPeople(people)}
      </p>
      {isSigned && (
        <p className="flex items-start gap-2 rounded-control bg-warn-soft px-4 py-3 text-warn">
          <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0" />
          Den digitale underskrift gælder kun den samlede PDF, ikke delene.
        </p>
      )}
    </>
  )
}
