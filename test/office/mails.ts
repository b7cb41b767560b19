import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import type { SendMailOptions } from 'nodemailer'

/** Writes a mail as sent. */
export function writeMail(fields: SendMailOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    new MailComposer({
      from: 'Bo Holm <bo@example.dk>',
      to: 'dokumenter@example.dk',
      subject: 'Papirer',
      date: new Date('2026-11-17T10:00:00Z'),
      ...fields,
    })
      .compile()
      .build((error, mail) => (error ? reject(error) : resolve(mail.toString('latin1'))))
  })
}
