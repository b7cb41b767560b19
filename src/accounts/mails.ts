import { hasOwnFiles } from '../rights.ts'
import type { User } from './user.ts'

type Mail = { to: string; subject: string; text: string; html: string }

export function resetMail(user: User, link: string, hours: number): Mail {
  return letter(user, 'Vælg en ny adgangskode til Ringbind', link, 'Vælg ny adgangskode', {
    before: ['Du har bedt om en ny adgangskode til Ringbind.'],
    after: `Linket virker i ${hours} timer og kan bruges én gang. Har du ikke bedt om det, kan du se bort fra denne mail. Din adgangskode bliver ikke ændret.`,
  })
}

/** Tells the person, so that nobody can change their password unnoticed. */
export function passwordChangedMail(user: User, link: string): Mail {
  return letter(user, 'Din adgangskode er ændret', link, 'Vælg en ny adgangskode', {
    before: [
      'Din adgangskode til Ringbind er blevet ændret, og du er logget ud på alle andre enheder.',
      'Var det ikke dig, så vælg straks en ny adgangskode, og giv kontoret besked.',
    ],
    after: 'Var det dig, skal du ikke gøre noget.',
  })
}

/** Goes to the person's old address, after an administrator changed it. Does not mention the new one. */
export function emailLeftMail(user: User, loginLink: string): Mail {
  return letter(user, 'Din e-mail i Ringbind er ændret', loginLink, 'Gå til Ringbind', {
    before: [
      'Kontoret har ændret den e-mail, du logger ind på Ringbind med. Denne adresse kan ikke længere bruges.',
    ],
    after: 'Er det ikke aftalt med dig, så kontakt straks kontoret.',
  })
}

/** Goes to the person's new address. */
export function emailTakenUpMail(user: User, loginLink: string): Mail {
  return letter(user, 'Din e-mail i Ringbind er ændret', loginLink, 'Log ind', {
    before: [
      `Kontoret har ændret din e-mail i Ringbind. Fra nu af logger du ind med ${user.email} og den adgangskode, du plejer.`,
    ],
    after: 'Er det ikke aftalt med dig, så kontakt kontoret.',
  })
}

/** `inviter` is the name of the person who gave access. */
export function invitationMail(user: User, link: string, hours: number, inviter: string | null): Mail {
  const whatFor = hasOwnFiles(user.role)
    ? 'Her finder du dokumenterne fra dine projekter og kan sende filer til kontoret.'
    : 'Her finder du projekterne og deres dokumenter.'
  const given = inviter ? `${inviter} har givet dig adgang til Ringbind.` : 'Du har fået adgang til Ringbind.'
  return letter(user, 'Du er inviteret til Ringbind', link, 'Kom i gang', {
    before: [`${given} ${whatFor} Det eneste, du skal gøre, er at vælge en adgangskode.`],
    after: `Linket virker i ${hours / 24} dage og kan bruges én gang. Du logger ind med ${user.email}.`,
  })
}

/** Lays out a mail: greeting, what it is about, the link, and what to know about the link. */
function letter(
  { name, email }: User,
  subject: string,
  link: string,
  action: string,
  { before, after }: { before: string[]; after: string },
): Mail {
  const greeting = `Kære ${name}`
  const end = 'Venlig hilsen\nRingbind'
  const paragraph = (text: string) =>
    `<p style="margin:0 0 16px">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`
  return {
    to: email,
    subject,
    text: [greeting, ...before, `${action}:\n${link}`, after, end].join('\n\n'),
    html: `<!doctype html>
<html lang="da"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f6f7f8;color:#15212b;font:16px/24px system-ui,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border:1px solid #dfe4e8;border-radius:12px">
${paragraph(greeting)}
${before.map(paragraph).join('\n')}
<p style="margin:0 0 16px"><a href="${escapeHtml(link)}" style="display:inline-block;padding:10px 20px;background:#0b5a6f;color:#fff;border-radius:6px;text-decoration:none;font-weight:600">${escapeHtml(action)}</a></p>
${paragraph(after)}
<p style="margin:0 0 16px;color:#53616d;font-size:14px;line-height:20px">Virker knappen ikke, så kopier linket ind i din browser:<br><span style="word-break:break-all">${escapeHtml(link)}</span></p>
${paragraph(end)}
</div></body></html>`,
  }
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
