import { z } from 'zod'
import { formatCount } from '../../base/danish/counts.ts'
import { id } from '../../server/http/validate.ts'
import { MOST_AT_ONCE } from '../file/stored-file.ts'
import { SORT_BY } from '../change/order.ts'

/** A list of ids, checked by hand: a schema is slow for tens of thousands of them. */
function idList(missing: string) {
  return z.unknown().transform((value, context): number[] => {
    const ids = typeof value === 'object' && value !== null ? Object.values(value).map(idOf) : []
    const fault = ids.length === 0 ? missing : ids.includes(null) ? 'Feltet skal være et id.' : null
    if (fault) context.addIssue({ code: 'custom', message: fault })
    return ids.flatMap((each) => each ?? [])
  })
}

/** Its schema in the API's description. */
const shown = { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1 }

function idOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) && Number(number) > 0 ? Number(number) : null
}

export const Order = z.object({
  newOrder: idList('Angiv den nye rækkefølge.').meta({
    shown,
    description: 'Filernes id’er.',
  }),
})

/** Whether the page warned that the move shows files to investors. Without this field, nothing is checked. */
const shares = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: 'Feltet skal være true eller false.' })
  .transform((value) => String(value) === 'true')
  .optional()
  .meta({
    shown: { type: 'boolean' },
    description: 'Om nogen ved, at flytningen viser filer for investorer. Uden feltet spørges der ikke.',
  })

/** Sent by a script, or by a checkbox of a form. */
const rename = z
  .union([z.boolean(), z.enum(['true', 'false', 'on'])], { error: 'Feltet skal være true eller false.' })
  .transform((value) => ['true', 'on'].includes(String(value)))
  .optional()
  .meta({
    shown: { type: 'boolean' },
    description:
      'Om navne, der har det gamle steds nummer i parentes, skal have det nye steds nummer: Årsrapport (1024) 2023.pdf bliver til Årsrapport (1031) 2023.pdf.',
  })

export const Move = z.object({ file_id: id, folder_id: id, shares })
export const MoveToPerson = z.object({ file_id: id, user_id: id })

/** The files of one act, each once. */
const files = idList('Vælg mindst én fil.')
  .refine((ids) => ids.length <= MOST_AT_ONCE, {
    error: `Der kan højst ændres ${formatCount(MOST_AT_ONCE)} filer ad gangen.`,
  })
  .transform((ids) => [...new Set(ids)])
  .meta({
    shown: { ...shown, maxItems: MOST_AT_ONCE },
    description: `Filernes id’er, højst ${formatCount(MOST_AT_ONCE)}.`,
  })

export const Many = z.object({ files })

const target = {
  folder_id: id.optional().meta({ description: 'Mappen, i samme projekt eller et andet.', examples: [12] }),
  user_id: id.optional().meta({ description: 'Eller investoren, som skal have filerne.', examples: [7] }),
}

/** Files, and the folder or the person that they move to. */
const movingTo = (field: keyof typeof target) =>
  z
    .object({ files, ...target, shares, rename })
    .refine(({ folder_id: folder, user_id: user }) => (folder === undefined) !== (user === undefined), {
      error: 'Vælg en mappe eller en person.',
      path: [field],
    })

export const MoveMany = movingTo('folder_id')
export const MoveManyToPerson = movingTo('user_id')
export const PlaceMany = z.object({ files, to: z.enum(['top', 'bottom'], { error: 'Vælg top eller bund.' }) })

export const Sort = z.object({
  by: z.enum(SORT_BY, { error: 'Vælg, hvad mappen skal sorteres efter.' }),
  direction: z.enum(['asc', 'desc'], { error: 'Vælg stigende eller faldende.' }),
})
