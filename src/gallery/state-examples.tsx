import { CircleCheck, Clock, EyeOff, TriangleAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import { Avatar } from '../ui/basic/avatar.tsx'
import { Button } from '../ui/basic/button.tsx'
import { Chip } from '../ui/basic/chip.tsx'
import { Chips } from '../ui/basic/chips.tsx'
import { Dropzone } from '../ui/drag/dropzone.tsx'
import { EmptyState } from '../ui/basic/empty-state.tsx'
import { ErrorState } from '../ui/basic/error-state.tsx'
import { List } from '../ui/list/list.tsx'
import { ProgressBar } from '../ui/basic/progress-bar.tsx'
import { MonthColumns } from '../ui/basic/month-columns.tsx'
import { ShareBar } from '../ui/basic/share-bar.tsx'
import { showToast } from '../ui/overlay/toasts.ts'
import { Example } from './example.tsx'

const PEOPLE = ['Kirsten Overgaard', 'Søren Ravn', 'Ø']
const PICTURE =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Crect width="8" height="8" fill="%230b5a6f"/%3E%3Ccircle cx="4" cy="3" r="1.5" fill="%23fff"/%3E%3Cellipse cx="4" cy="7" rx="2.5" ry="2" fill="%23fff"/%3E%3C/svg%3E'
const TAGS = ['Årsrapport 2020', 'Årsrapport KS', 'Regnskab']

/** Fails when it is pressed: while it is drawn, or in a promise that nobody awaits. */
function Breaking() {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) throw new Error('The gallery broke for prøve@example.dk.')
  return (
    <>
      <Button kind="secondary" onClick={() => setBroken(true)}>
        Ødelæg siden
      </Button>
      <Button kind="secondary" onClick={() => void Promise.reject(new Error('The gallery lost a promise.'))}>
        Glem et løfte
      </Button>
    </>
  )
}

export function StateExamples() {
  return (
    <>
      <Example title="Når noget går i stykker">
        <Breaking />
      </Example>
      <Example title="Personer">
        {([24, 36, 64] as const).map((size) => (
          <span key={size} className="flex items-center gap-2">
            {PEOPLE.map((name) => (
              <Avatar key={name} name={name} size={size} />
            ))}
            <Avatar name="Inger Holm" image={PICTURE} size={size} />
          </span>
        ))}
      </Example>
      <Example title="Mærker">
        <Chip text="Kladde" />
        <Chip text="Delt" tone="accent" />
        <Chip text="Godkendt" tone="ok" icon={CircleCheck} />
        <Chip text="Ignoreret" tone="warn" icon={TriangleAlert} />
        <Chip text="Skjult for investorer" icon={EyeOff} />
        <Chip text="Afventer" icon={Clock} />
      </Example>
      <Example title="Mærker, der kan fjernes">
        <RemovableChips />
      </Example>
      <Example title="Fremdrift">
        <div className="grid w-full max-w-[360px] gap-4">
          <ProgressBar label="Årsrapport (1042) 2024.pdf" value={0.427} />
          <ProgressBar label="Budget (1042) 2025.pdf" value={1} />
          <ProgressBar label="Behandler filer" />
        </div>
      </Example>
      <Example title="Tal som billeder">
        <div className="grid w-full max-w-[360px] gap-4">
          <p>
            8 af 12 har åbnet
            <ShareBar part={8} of={12} />
          </p>
          <p>
            1 af 500 er forsinket
            <ShareBar part={1} of={500} tone="danger" />
          </p>
          <MonthColumns
            label="Papirer måned for måned"
            columns={[
              { key: '10', count: 2, label: 'okt', title: 'oktober: 2', tone: 'danger' },
              { key: '11', count: 0, label: 'nov', title: 'november: 0', tone: 'accent' },
              { key: '12', count: 117, label: 'dec', title: 'december: 117', tone: 'accent' },
            ]}
          />
        </div>
      </Example>
      <Example title="Slip filer">
        <div className="grid w-full gap-4">
          <Dropzone onFiles={(files) => showToast(files.map(({ name }) => name).join(', '))} />
          <Dropzone onFiles={() => undefined} message="Træk filer her." hint="Kun PDF-filer." isCompact />
        </div>
      </Example>
      <Example title="Tomt og fejl">
        <div className="grid w-full gap-4">
          <EmptyState text="Ingen filer">
            <Button kind="quiet">Upload filer</Button>
          </EmptyState>
          <ErrorState message="Projekterne kunne ikke hentes." onRetry={() => showToast('Prøver igen.')} />
          <ErrorState message="Projekterne kunne ikke hentes." onRetry={() => undefined} busy />
        </div>
      </Example>
      <Example title="Lister">
        <div className="grid w-full gap-4 md:grid-cols-2">
          <List label="Mapper" items={TAGS} total={12} keyOf={String} render={String} />
          <List label="Mapper, der hentes igen" items={TAGS} busy keyOf={String} render={String} />
          <List items={[]} keyOf={String} render={String} />
          <List items={null} keyOf={String} render={String} />
        </div>
      </Example>
    </>
  )
}

function RemovableChips() {
  const [tags, setTags] = useState(TAGS)
  const fallback = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Chips
        label="Mærker"
        chips={tags.map((tag) => ({ value: tag, text: tag }))}
        onRemove={(value) => setTags(tags.filter((tag) => tag !== value))}
        fallback={fallback}
      />
      <Button ref={fallback} kind="quiet" onClick={() => setTags(TAGS)}>
        Sæt alle tilbage
      </Button>
    </>
  )
}
