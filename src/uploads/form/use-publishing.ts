import { useState } from 'react'
import { AT_ONCE, type Choice } from '../../releases/publishing-choice.tsx'

type Errors = Readonly<Record<string, string[]>>

/** Holds how the files are published, and what the server has against it. */
export function usePublishing() {
  const [choice, setChoice] = useState(AT_ONCE)
  const [faults, setFaults] = useState<Errors>({})

  return {
    choice,
    faults,
    choose: (next: Choice): void => {
      setChoice(next)
      setFaults({})
    },
    /** Takes the faults of a refused form. Returns whether they are about nothing else. */
    refuse: (errors: Errors): boolean => {
      setFaults(errors)
      const names = Object.keys(errors)
      return names.length > 0 && names.every((name) => name.startsWith('publish_'))
    },
  }
}
