import { annualReports } from './annual-reports.ts'
import { articles } from './articles.ts'
import { boardMeetings } from './board-meetings.ts'
import { budgets } from './budgets.ts'
import { between } from './venture/chance.ts'
import { contracts } from './contracts.ts'
import { at, uploadedAt } from './writing/dates.ts'
import type { Draft } from './writing/draft.ts'
import { financing } from './financing.ts'
import { generalMeetings } from './general-meetings.ts'
import { insurance } from './insurance.ts'
import { otherFiles } from './other-files.ts'
import { pdf } from './writing/pdf.ts'
import { prospectus } from './prospectus.ts'
import { quarterlyReports } from './quarterly-reports.ts'
import { sundries } from './sundries.ts'
import { taxLetters } from './tax-letters.ts'
import { valuations } from './valuations.ts'
import { ventureOf, type Venture } from './venture/venture.ts'

export type Paper = { folder: string; name: string; bytes: Buffer; createdAt: Date }

export type PaperProject = { number: string; name: string; folders: string[] }

/** Returns the papers of a project, folder by folder, newest first in each. The same every time. */
export function papersFor(project: PaperProject): Paper[] {
  const venture = ventureOf(project)
  return project.folders.flatMap((folder) => {
    const drafts = (DRAFTS[folder]?.(venture) ?? []).filter(({ date }) => date <= LATEST)
    const files = drafts
      .slice(0, limitOf(project.number, folder))
      .map((draft) => finish(venture, folder, draft))
    if (folder === 'Diverse') files.push(...otherFiles(project.number))
    return files
      .map(({ name, bytes, date }) => ({ folder, name, bytes, createdAt: uploadedAt(date, name) }))
      .sort(newestFirst)
  })
}

// The demo's today is in November 2026, and a paper is put into its folder within a week.
const LATEST = at(2026, 11, 2)

const DRAFTS: Record<string, (venture: Venture) => Draft[]> = {
  Årsrapport: annualReports,
  Kvartalsrapport: quarterlyReports,
  Budget: budgets,
  Generalforsamling: generalMeetings,
  Bestyrelsesmøder: boardMeetings,
  Lejekontrakter: contracts,
  Finansiering: financing,
  Forsikring: insurance,
  Vedtægter: articles,
  Tegningsmateriale: prospectus,
  Vurderinger: valuations,
  Skatteoplysninger: taxLetters,
  Diverse: sundries,
}

const LIMITS_1024: Record<string, number> = {
  Årsrapport: 12,
  Kvartalsrapport: 11,
  Budget: 9,
  Generalforsamling: 12,
  Bestyrelsesmøder: 11,
  Finansiering: 10,
  Forsikring: 9,
  Vurderinger: 0, // the demo's empty folder
  Skatteoplysninger: 12,
}

function limitOf(number: string, folder: string): number {
  if (number === '1024') return LIMITS_1024[folder] ?? Infinity
  return Math.max(folder === 'Årsrapport' ? 3 : 0, between(-2, 6, `limit ${number} ${folder}`))
}

function finish({ number, name: from }: Venture, folder: string, draft: Draft) {
  const { rest, date, title, lines, as = folder } = draft
  const bytes = pdf({ title, from, reference: `Projekt ${number}`, lines: lines() })
  return { name: `${as} (${number}) ${rest}.pdf`, bytes, date }
}

function newestFirst(a: Paper, b: Paper): number {
  return b.createdAt.getTime() - a.createdAt.getTime() || (a.name < b.name ? -1 : 1)
}
