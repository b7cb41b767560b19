import { useState } from 'react'

/**
 * Returns the same object while its fields stay the same, so that a context's readers are not drawn again without a reason.
 */
export function useUnchanged<Fields extends object>(fields: Fields): Fields {
  const [kept, setKept] = useState(fields)
  const isSame = (Object.keys(fields) as (keyof Fields)[]).every((key) => Object.is(kept[key], fields[key]))
  if (!isSame) setKept(fields)
  return isSame ? kept : fields
}
