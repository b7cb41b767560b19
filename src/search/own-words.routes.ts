import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { rawLength } from '../base/text.ts'
import { actorOf } from '../log/actor.routes.ts'
import { MOST_WORD_LETTERS } from '../office/office.ts'
import type { OwnWords } from '../office/office.routes.ts'
import { editIn } from '../server/edits.ts'
import { invalid } from '../server/http/errors.ts'
import { validate } from '../server/http/validate.ts'
import type { Parts } from '../server/parts.ts'
import { findOwnWords, saveOwnWords } from './find/own-words.db.ts'
import { readOwnWords, TOO_LONG } from './find/own-words.ts'

const Form = z.object({
  search_words: z.string('Ordene skal være en tekst.').max(rawLength(MOST_WORD_LETTERS), TOO_LONG),
})

/** The office's own words that mean the same, for its page. */
export function ownWords({ db }: Parts): OwnWords {
  return {
    find: () => findOwnWords(db),
    save: async (request: FastifyRequest) => {
      const { groups, faults } = readOwnWords(validate(Form, request.body).search_words)
      if (faults.length > 0) throw invalid({ search_words: faults })
      await saveOwnWords(db, actorOf(request), groups, editIn(request.body))
    },
  }
}
