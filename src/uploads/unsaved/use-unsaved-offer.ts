import { useEffect, useEffectEvent, useState } from 'react'
import { countFiles } from '../../projects/folder.ts'
import { jsonBody, orNull, readJson, send } from '../../ui/overlay/request.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { urls } from '../../urls.ts'
import { focusSoon } from '../pile/focus-after-removal.ts'
import { keyInName } from '../../files/names/file-name.ts'
import type { Meaning } from '../names/placing.ts'
import type { UploadQueue } from '../transport/upload-queue.ts'
import type { FoundFile, FoundPile, UnsavedSummary } from './unsaved-pile.ts'
import type { PileKeeper } from './pile-keeper.ts'
import type { Tell } from '../pile/form-state.ts'
import { leftOf } from './pile-state.ts'

type Options = {
  keeper: PileKeeper
  kept: UnsavedSummary | null
  queue: UploadQueue
  tell: Tell
}

/** Goes on with the pile that was left in a form, or throws it away. */
export function useUnsavedOffer({ keeper, kept, queue, tell }: Options) {
  const [state, setState] = useState<'offered' | 'asking' | 'continuing' | 'discarding' | 'over'>(
    kept?.isAsked ? 'continuing' : 'offered',
  )
  const [fault, setFault] = useState<string | null>(null)

  async function fetchPile(): Promise<FoundPile | null> {
    const asked = kept?.isAsked ? `&pile=${kept.piles[0]}` : ''
    const address = `${urls.unsavedPile}?form=${encodeURIComponent(keeper.form)}${asked}`
    const response = await orNull(send('GET', address))
    return response?.ok ? orNull(readJson<FoundPile>(response)) : null
  }

  function settle(found: FoundPile | null): void {
    if (!found) {
      setState('offered')
      return setFault('Bunken kunne ikke hentes. Prøv igen om lidt.')
    }
    take(found)
    setState('over')
    // Its files are in this page's pile now. A page that is loaded again offers that one.
    if (kept?.isAsked) history.replaceState(history.state, '', keeper.form)
    return focusSoon('[data-act=choose]')
  }

  function take({ files, publishing }: FoundPile): void {
    // Without this page's own files.
    const theirs = files.filter(({ key }) => !key.startsWith(`${keeper.key}.`))
    if (theirs.length === 0) return showToast('Bunken er gemt eller kasseret i et andet vindue.')
    const isAlone = queue.get().uploads.length === 0
    const ids = queue.restore(theirs.map(leftOf))
    const taken = theirs.slice(0, ids.length)
    for (const [number, meaning] of meaningsOf(taken)) tell({ type: 'decided', number, meaning })
    const kinds = new Map(taken.map(({ acknowledged }, index) => [ids[index]!, acknowledged]))
    tell({ type: 'seen-before', kinds })
    if (publishing && isAlone) tell({ type: 'chosen', choice: publishing })
    return keeper.takeOver(taken.map(({ key }) => key))
  }

  const bringAsked = useEffectEvent(() => {
    if (kept?.isAsked) void fetchPile().then(settle)
  })
  useEffect(() => bringAsked(), [])

  function goOn(): void {
    setState('continuing')
    setFault(null)
    void fetchPile().then(settle)
  }

  async function discard(): Promise<void> {
    if (!kept) return
    setState('discarding')
    setFault(null)
    const body = jsonBody({ form: keeper.form, piles: kept.piles })
    const response = await orNull(send('POST', urls.discardPile, body))
    if (!response?.ok) {
      setState('asking')
      return setFault('Bunken kunne ikke kasseres. Prøv igen om lidt.')
    }
    setState('over')
    showToast(`${countFiles(kept.files)} er kasseret.`)
    return focusSoon('[data-act=choose]')
  }

  return {
    kept: state === 'over' ? null : kept,
    state,
    fault,
    goOn,
    ask: () => setState('asking'),
    regret: () => setState('offered'),
    discard: () => void discard(),
  }
}

function meaningsOf(files: readonly FoundFile[]): Map<string, Meaning> {
  return new Map(
    files.flatMap(({ name, meaning }) => {
      const number = keyInName(name)
      return meaning && number !== null ? [[number, meaning] as const] : []
    }),
  )
}

export type Offer = ReturnType<typeof useUnsavedOffer>
