import { expect, it } from 'vitest'
import { NO_OFFICE } from '../../office/office.ts'
import { RECALL_MESSAGE, recallMail } from './recall-mail.ts'

const to = { name: 'Åse Nørregaard', email: 'aase@example.dk' }

it('a recall mail names the opened files and the office’s message, in text and HTML, without a link', () => {
  const { subject, text, html } = recallMail(
    NO_OFFICE,
    to,
    { names: ['Løn <2025>.pdf'], total: 1 },
    RECALL_MESSAGE,
  )
  expect(subject).toBe('En fil, du har åbnet, er trukket tilbage')
  expect(text).toBe(
    `Kære Åse\n\nVi har trukket denne fil tilbage. Du har åbnet eller hentet den i Ringbind:\n\n– Løn <2025>.pdf\n\n${RECALL_MESSAGE}\n\nVenlig hilsen\nRingbind`,
  )
  expect(html).toContain('– Løn &lt;2025&gt;.pdf')
  expect(html).not.toMatch(/href|knappen/)
})

it('a recall mail says how many files it does not name, and that it can be answered', () => {
  const { text, subject, replyTo } = recallMail(
    { ...NO_OFFICE, email: 'post@nordhavn.example' },
    to,
    { names: ['A.pdf', 'B.pdf'], total: 14 },
    'Slet dem.',
  )
  expect(subject).toBe('Filer, du har åbnet, er trukket tilbage')
  expect(text).toContain('– A.pdf\n– B.pdf\n\n… og 12 filer mere.\n\nSlet dem.\n\nHar du spørgsmål')
  expect(replyTo).toBe('post@nordhavn.example')
})
