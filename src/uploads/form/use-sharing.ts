import { useState } from 'react'
import type { Target } from '../pile/pile.ts'

/** Knows which folders are shared by now, and holds the question that the user must answer before saving into them. */
export function useSharing() {
  const [asking, setAsking] = useState<{ ids: number[]; message: string } | null>(null)
  const [agreed, setAgreed] = useState<readonly number[]>([])

  return {
    asking,
    agreed,
    isShared: ({ target: { folder } }: { target: Target }) =>
      folder !== undefined &&
      (folder.visible_to_investors ||
        agreed.includes(folder.id) ||
        (asking?.ids.includes(folder.id) ?? false)),
    ask: setAsking,
    decline: () => setAsking(null),
    /** Returns all folders that the user has accepted. */
    agree: (): readonly number[] => {
      const known = [...agreed, ...(asking?.ids ?? [])]
      setAgreed(known)
      setAsking(null)
      return known
    },
  }
}
