import { at } from './writing/dates.ts'
import type { Letter } from './letters.ts'
import { pdf } from './writing/pdf.ts'

type Notice = { folder: string; what: string; createdAt: Date; lines: string[] }

const NOTICES = {
  meeting: {
    folder: 'Generalforsamling',
    what: 'Indkaldelse 2027',
    createdAt: at(2026, 11, 12, 10, 24),
    lines: [
      'Der indkaldes til ordinær generalforsamling torsdag den 22. april 2027 kl. 14.00.',
      'Dagsorden og årsrapport sendes senest 14 dage før.',
    ],
  },
  roof: {
    folder: 'Diverse',
    what: 'Tilbud på nyt tag',
    createdAt: at(2026, 11, 13, 15, 2),
    lines: [
      'Bestyrelsen har indhentet tre tilbud på udskiftning af taget.',
      'Tilbuddene sammenlignes på næste bestyrelsesmøde.',
    ],
  },
  lease: {
    folder: 'Lejekontrakter',
    what: 'Udkast til lejekontrakt',
    createdAt: at(2026, 10, 20, 9, 12),
    lines: [
      'Udkast til lejekontrakt for hal 2, 4.200 m², med virkning fra 1. februar 2027.',
      'Udkastet er fortroligt, indtil begge parter har skrevet under.',
    ],
  },
} satisfies Record<string, Notice>

export type NoticeKind = keyof typeof NOTICES

/** Returns a paper that only the office sees, and the folder it belongs to. */
export function noticeOf(
  kind: NoticeKind,
  project: { number: string; name: string },
): Letter & { folder: string } {
  const { folder, what, createdAt, lines } = NOTICES[kind]
  return {
    folder,
    name: `${folder} (${project.number}) ${what}.pdf`,
    createdAt,
    bytes: pdf({
      title: what,
      from: 'Administrationen',
      reference: `${project.number} ${project.name}`,
      lines,
    }),
  }
}
