/** The folders of a new project template, in order. */
export const FIRST_FOLDERS = [
  'Årsrapport',
  'Kvartalsrapport',
  'Budget',
  'Generalforsamling',
  'Bestyrelsesmøder',
  'Lejekontrakter',
  'Finansiering',
  'Forsikring',
  'Vedtægter',
  'Tegningsmateriale',
  'Vurderinger',
  'Skatteoplysninger',
  'Diverse',
]
