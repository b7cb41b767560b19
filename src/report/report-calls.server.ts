import { z } from 'zod'
import { rowId } from '../server/http/answers.ts'
import type { ProgramCall } from '../server/http/program-call.ts'
import { COLUMNS, type CompanyReport } from './company/company.ts'

const amount = z
  .number()
  .nullable()
  .meta({ description: 'I hele kroner.', examples: [500_000] })

const ReportAnswer = z
  .strictObject({
    version: z.int().nonnegative().meta({ description: 'Hvor mange gange rapporten er gemt.' }),
    companies: z.array(
      z.strictObject({
        id: rowId,
        name: z.string().meta({ examples: ['K/S Havnefronten'] }),
        cvr: z
          .string()
          .nullable()
          .meta({ examples: ['38291041'] }),
        share: z
          .number()
          .nullable()
          .meta({ description: 'I procent.', examples: [12.5] }),
        year: z
          .int()
          .nullable()
          .meta({ examples: [2025] }),
        contribution: amount,
        liability: amount,
        equity: amount,
        debt: amount,
        result: amount,
        locked: z.boolean().meta({ description: 'Om kontoret har låst rækken.' }),
        editable: z.array(z.enum(COLUMNS.map(({ name }) => name))),
        deletable: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'Report', description: 'En investors andre selskaber.' }) satisfies z.ZodType<CompanyReport>

export const READ_REPORT = {
  scope: 'read',
  id: 'readUserReport',
  chapter: 'people',
  summary: 'Læs en investors rapport',
  answer: ReportAnswer,
} as const satisfies ProgramCall
