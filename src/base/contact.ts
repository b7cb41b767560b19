type Contact = { contactPerson: string; phone: string; email: string }

/** Returns 'Kirsten Overgaard · 33 12 34 56 · post@example.dk', without what is empty. */
export function contactLine({ contactPerson, phone, email }: Contact): string {
  return [contactPerson, phone, email].filter((text) => text !== '').join(' · ')
}

/** 6 to 15 digits, and the signs that people write between them: '+45 33 12 34 56'. */
export function isPhone(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length
  return /^\+?[\d ().-]+$/.test(text) && digits >= 6 && digits <= 15
}

/** '+45 (33) 12 34 56' becomes 'tel:+4533123456'. */
export function phoneLink(phone: string): string {
  return `tel:${phone.replaceAll(/[^\d+]/g, '')}`
}
