import { Button } from '../../ui/basic/button.tsx'
import { ErrorState } from '../../ui/basic/error-state.tsx'

type Props = {
  /** The question before files are shown to more people than before. */
  asking: { message: string } | null
  onAgree: () => void
  onDecline: () => void
  fault: string | null
}

/** Above the save button: why saving waits for an answer, or has failed. */
export function SaveRefused({ asking, onAgree, onDecline, fault }: Props) {
  return (
    <>
      {asking && (
        <div
          role="alert"
          className="flex flex-wrap items-center gap-3 rounded-control bg-warn-soft px-4 py-3 text-warn"
        >
          <p className="min-w-0 flex-1 basis-60">{asking.message}</p>
          <Button type="button" onClick={onAgree}>
            Gem alligevel
          </Button>
          <Button type="button" kind="secondary" className="text-ink" onClick={onDecline}>
            Gem ikke
          </Button>
        </div>
      )}
      {fault && <ErrorState message={fault} />}
    </>
  )
}
