import type { ComponentProps } from 'react'
import { countFiles } from '../../projects/folder.ts'
import { PileGroups } from '../groups/pile-groups.tsx'
import type { Attention } from '../pile/attention.ts'
import { isAtOnePlace, type UploadForm } from '../pile/pile.ts'
import { IgnoredFiles } from '../repair/ignored-files.tsx'
import { ChoiceActs } from '../repair/look-acts.tsx'
import { LookGroups } from '../repair/look-groups.tsx'
import { SureFiles } from '../repair/sure-files.tsx'
import type { Upload } from '../transport/upload.ts'
import { Button } from '../../ui/basic/button.tsx'
import { openKeys } from '../pile/judgements.ts'
import { focusSoon } from '../pile/focus-after-removal.ts'
import { findingsText } from '../pile/duplicate.ts'

type Props = Omit<ComponentProps<typeof LookGroups>, 'looks'> & {
  form: UploadForm
  attention: Attention
  /** The files to save. */
  wanted: readonly Upload[]
  /** How many files wait for an answer where they belong. */
  unsure: number
}

/** A pile in its groups: what needs a person first, then what is ready. */
export function PileSections({ attention, wanted, unsure, ...common }: Props) {
  const { form, papers, findings, repairs, onChoose, onRetry, onRemove } = common
  const failed = wanted.filter(({ state }) => state === 'failed')
  const toSave = new Set(wanted.flatMap(({ id, state }) => (state === 'failed' ? [] : id)))
  return (
    <>
      <SureFiles sure={attention.sure} repairs={repairs} onRemove={onRemove} />
      <LookGroups looks={attention.looks} {...common} />
      <IgnoredFiles form={form} ignored={attention.nowhere} repairs={repairs} onRemove={onRemove} />
      {isAtOnePlace(form) && (
        <>
          <FailedStrip failed={failed} onRetry={onRetry} />
          <DuplicatesStrip findings={findings} onChoose={onChoose} />
        </>
      )}
      <UnreadableStrip ids={papers.unreadable.filter((id) => toSave.has(id))} papers={papers} />
      {unsure > 0 && <p className="text-muted">Finder ud af, hvor {countFiles(unsure)} hører til…</p>}
      <PileGroups groups={attention.ready} {...common} onKeepAll={(ids) => onChoose(ids, 'keep')} />
    </>
  )
}

/** The files that could not be sent. */
function FailedStrip({ failed, onRetry }: Pick<Props, 'onRetry'> & { failed: readonly Upload[] }) {
  if (failed.length === 0) return null
  const mayRetry = failed.filter((upload) => upload.mayRetry).map(({ id }) => id)
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-danger">
      {countFiles(failed.length)} kunne ikke sendes og gemmes ikke.
      {mayRetry.length > 1 && (
        <Button type="button" kind="secondary" onClick={() => onRetry(mayRetry)}>
          Prøv alle igen
        </Button>
      )}
    </p>
  )
}

/** Says what becomes of files that cannot be read, and takes one yes for all of them. */
function UnreadableStrip({ ids, papers }: Pick<Props, 'papers'> & { ids: readonly string[] }) {
  if (ids.length === 0) return null
  const it = ids.length === 1 ? 'den' : 'dem'
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-warn">
      {countFiles(ids.length)} kan ikke læses. Kun kontoret ser {it}, før en af jer siger ja.
      <Button
        type="button"
        kind="secondary"
        onClick={() => {
          papers.seeAll(openKeys(papers.judgements, papers.seen, 'unreadable', ids), true)
          focusSoon('[data-open] button', '[data-act=save]')
        }}
      >
        Udgiv {it} alligevel
      </Button>
    </p>
  )
}

/** Chooses for all files that are there already at once, in a form where all files go to one place. */
function DuplicatesStrip({ findings, onChoose }: Pick<Props, 'findings' | 'onChoose'>) {
  if (findings.size < 2) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-surface px-4 py-3">
      <p className="min-w-0 flex-1 basis-60">{findingsText(findings)}</p>
      <ChoiceActs ids={[...findings.keys()]} {...{ findings, onChoose }} />
    </div>
  )
}
