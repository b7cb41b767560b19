import { TEMPORARY_HOURS } from './temporary-file.ts'

const PLACE = 'uploads'

type Kept = Record<string, { address: string; at: number }>

/** Where this browser's files were being sent when their page was left. A browser may refuse to keep anything. */
export function keptUploads(): Kept {
  try {
    const all = JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Kept
    const since = Date.now() - TEMPORARY_HOURS * 3_600_000
    return Object.fromEntries(Object.entries(all).filter(([, { at }]) => at > since))
  } catch {
    return {}
  }
}

export function keepUpload(key: string, address: string | null): void {
  const { [key]: _before, ...others } = keptUploads()
  try {
    const kept = address === null ? others : { ...others, [key]: { address, at: Date.now() } }
    localStorage.setItem(PLACE, JSON.stringify(kept))
  } catch {
    // then it begins anew
  }
}
