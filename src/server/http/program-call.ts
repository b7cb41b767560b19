import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ListQuery } from '../../base/list-query.ts'
import type { Scope } from '../../rights.ts'
import { listQueryOf } from './list-query.ts'
import { validate } from './validate.ts'

/** The chapters of the description, in its order. */
export const CHAPTERS = {
  key: 'API-nøglen',
  projects: 'Projekter',
  files: 'Filer',
  uploads: 'Upload',
  large: 'Store filer i stykker',
  changes: 'Ændringer',
  people: 'Personer',
  office: 'Kontoret',
} as const
type Chapter = keyof typeof CHAPTERS

/** A header of a call or of its answer. */
export type ProgramHeader = { says: string; isRequired?: boolean; example?: string }

/**
 * A call that programs may make with an API key. The route reads its input by the same object that describes it
 * (`listIn`, `bodyIn`), so that the description cannot say something else. In tests every answer is compared with `answer`.
 */
export type ProgramCall = {
  /** The scope that the key needs; `any` if every key will do. */
  scope: Scope | 'any'
  /** The call's name in generated clients. Never changes. */
  id: string
  chapter: Chapter
  /** A short summary in Danish. */
  summary: string
  /** Further explanation. */
  says?: string
  /** The columns and filters of a list's query, if it is a list. */
  list?: { columns?: readonly string[]; filters?: readonly string[] }
  /** The query of other calls. */
  query?: z.ZodObject
  /** The fields of a JSON body. */
  body?: z.ZodObject
  /** It accepts files: in a multipart form with these fields beside the files, or as raw bytes. */
  files?: z.ZodObject | 'bytes'
  /** The name of the files' field in the form, if it is not `file`. */
  fileField?: string
  headers?: Record<string, ProgramHeader>
  /** The status of its answer; 200 if missing. */
  status?: 201 | 204
  answer: z.ZodType | 'bytes' | 'nothing'
  answerHeaders?: Record<string, ProgramHeader>
  /** An example: the values of the query, the fields of the body or the form. '{file}' stands for the id of a file. */
  example?: {
    query?: Record<string, string>
    body?: Record<string, unknown>
    fields?: Record<string, string>
  }
}

/** Reads the list query of a call. */
export function listIn(
  request: FastifyRequest,
  { list }: { list: NonNullable<ProgramCall['list']> },
): ListQuery {
  return listQueryOf(request, list.columns ?? [], list.filters ?? [])
}

/** Reads the fields of a call's body; throws all faults at once. */
export function bodyIn<Body extends z.ZodObject>(
  request: FastifyRequest,
  { body }: { body: Body },
): z.infer<Body> {
  return validate(body, request.body)
}
