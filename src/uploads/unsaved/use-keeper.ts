import { useEffect, useState } from 'react'
import { randomHex } from '../../base/random-hex.ts'
import { jsonBody, orNull, send, tell } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import { addressOf, type UploadForm } from '../pile/pile.ts'
import { isPileStored } from './unsaved-pile.ts'
import { PileKeeper, type WriteChange } from './pile-keeper.ts'

/** Makes what keeps the page's pile; null for a form whose piles are not kept. */
export function useKeeper(form: UploadForm): PileKeeper | null {
  const [keeper] = useState(() => {
    const address = addressOf(form)
    return isPileStored(address) ? new PileKeeper(address, randomHex(8), write) : null
  })
  useEffect(() => {
    const leave = () => keeper?.leave()
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      keeper?.stop()
    }
  }, [keeper])
  return keeper
}

const write: WriteChange = async (change, isLeaving) => {
  if (isLeaving) {
    tell(urls.unsavedPile, change)
    return false
  }
  const response = await orNull(send('POST', urls.unsavedPile, jsonBody(change)))
  return response?.ok ?? false
}
