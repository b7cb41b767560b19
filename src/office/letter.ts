import { contactLine } from '../base/contact.ts'
import { greetedName } from '../base/person-name.ts'
import { escapeMarkup } from '../base/text.ts'
import { LOGO_IN_MAIL, senderOf, type Office } from './office.ts'

type Letter = {
  /** Without a name for a stranger whose name somebody outside the office has typed. */
  to: { name: string; email: string }
  subject: string
  /** Null for a mail that leads nowhere. */
  link: string | null
  /** The text of the link. */
  action: string
  before: string[]
  after: string
}

type Mail = { to: string; subject: string; text: string; html: string; replyTo?: string; fromName?: string }

/** Lays out a mail from the office: greeting, what it is about, the link, what to know about it, and who sends it. */
export function letter(office: Office, { to, subject, link, action, before, after }: Letter): Mail {
  const greeting = to.name === '' ? 'Hej' : `Kære ${greetedName(to.name)}`
  const end = `Venlig hilsen\n${senderOf(office)}`
  const contact = contactLine(office)
  const paragraph = (text: string, style = '') =>
    `<p style="margin:0 0 16px${style}">${escapeMarkup(text).replaceAll('\n', '<br>')}</p>`
  return {
    to: to.email,
    subject,
    text: [
      greeting,
      ...before,
      link !== null && `${action}:\n${link}`,
      after,
      contact ? `${end}\n${contact}` : end,
    ]
      .filter(Boolean)
      .join('\n\n'),
    html: `<!doctype html>
<html lang="da"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeMarkup(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f6f7f8;color:#15212b;font:16px/24px system-ui,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border:1px solid #dfe4e8;border-radius:12px">
${head(office)}${paragraph(greeting)}
${before.map((text) => paragraph(text)).join('\n')}
${link === null ? '' : button(link, action)}${after && paragraph(after)}
${link === null ? '' : address(link)}${paragraph(end)}${contact && `\n${paragraph(contact, `;color:#53616d;font-size:14px;line-height:20px`)}`}
</div></body></html>`,
    ...(office.name && { fromName: office.name }),
    ...(office.email && { replyTo: office.email }),
  }
}

const button = (link: string, action: string) =>
  `<p style="margin:0 0 16px"><a href="${escapeMarkup(link)}" style="display:inline-block;padding:10px 20px;background:#0b5a6f;color:#fff;border-radius:6px;text-decoration:none;font-weight:600">${escapeMarkup(action)}</a></p>\n`

const address = (link: string) =>
  `<p style="margin:0 0 16px;color:#53616d;font-size:14px;line-height:20px">Virker knappen ikke, så kopier linket ind i din browser:<br><span style="word-break:break-all">${escapeMarkup(link)}</span></p>\n`

/** The size at which a logo is shown. */
const MOST_WIDTH = 200
const MOST_HEIGHT = 56

/** The logo, and the name beside it for mail programs that show no images. Nothing if the office has neither. */
function head({ name, logo }: Office): string {
  if (!logo && !name) return ''
  const scale = logo ? Math.min(1, MOST_WIDTH / logo.width, MOST_HEIGHT / logo.height) : 1
  const size = logo
    ? `width="${Math.round(logo.width * scale)}" height="${Math.round(logo.height * scale)}"`
    : ''
  const image = logo
    ? `<img src="cid:${LOGO_IN_MAIL}" alt="" ${size} style="display:block;margin:0 0 8px;border:0">`
    : ''
  return `<div style="margin:0 0 24px;padding:0 0 16px;border-bottom:1px solid #dfe4e8;font-weight:600">${image}${escapeMarkup(name)}</div>\n`
}
