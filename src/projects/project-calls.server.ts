import { z } from 'zod'
import { answerSchemas } from '../server/fields.ts'
import { count, moment, pageOf, rowId } from '../server/http/answers.ts'
import type { ProgramCall } from '../server/http/program-call.ts'
import { OWN_FIELDS } from './project/project.fields.ts'
import { PROJECT_COLUMNS, type ProjectWithNews } from './project/project.ts'

const ProjectAnswer = z
  .strictObject({
    id: rowId.meta({ examples: [1] }),
    ...answerSchemas(OWN_FIELDS),
    files_count: count.meta({ description: 'Hvor mange filer læseren ser.' }),
    updated_at: moment,
    lent_by: z
      .array(z.string())
      .exactOptional()
      .meta({ description: 'For en rådgiver: på hvis vegne de ser det.', examples: [[]] }),
    new_count: count.meta({ description: 'Hvor mange filer der er nye for læseren.', examples: [0] }),
  })
  .meta({ id: 'Project', description: 'Et projekt.' }) satisfies z.ZodType<ProjectWithNews>

export const LIST_PROJECTS = {
  scope: 'read',
  id: 'listProjects',
  chapter: 'projects',
  summary: 'List projekter',
  says: 'De projekter, som personen bag nøglen kan se. En rådgiver for flere kan nøjes med én investors: filter=client-12 med investorens id.',
  list: { columns: PROJECT_COLUMNS },
  answer: pageOf(ProjectAnswer),
  example: { query: { q: 'nordhavn' } },
} as const satisfies ProgramCall
