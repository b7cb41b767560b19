/** What each job is called on the status page. Those of `mail` are mails that wait or fail. */
const JOB_NAMES: Record<string, { text: string; is?: 'mail' }> = {
  'send-mail': { text: 'Mails', is: 'mail' },
  'send-link': { text: 'Mails med link', is: 'mail' },
  'tell-person': { text: 'Mails om nye filer', is: 'mail' },
  'tell-opener': { text: 'Mails om tilbagekaldte filer', is: 'mail' },
  'tell-colleague': { text: 'Mails om indbakken', is: 'mail' },
  'ask-colleague': { text: 'Mails om godkendelse', is: 'mail' },
  'tell-responsible': { text: 'Mails om frister', is: 'mail' },
  'tell-trouble': { text: 'Mails om status', is: 'mail' },
  backup: { text: 'Sikkerhedskopi' },
  'copy-on': { text: 'Sikkerhedskopi til det andet sted' },
  'house-keeping': { text: 'Oprydning' },
  'seal-log': { text: 'Loggens kæde' },
  'send-log': { text: 'Loggen til et andet system' },
  'read-by-night': { text: 'Kontrol af filer om natten' },
  'learn-words': { text: 'Læring af, hvor papirer hører til' },
  'forget-words': { text: 'Oprydning i søgningen' },
  'expected-papers': { text: 'Forventede papirer' },
  'refresh-duties': { text: 'Beregning af frister' },
  'remind-of-duties': { text: 'Påmindelser om frister' },
  'find-crc': { text: 'Kontrolsummer til ZIP-filer' },
  'find-old-crcs': { text: 'Kontrolsummer til ældre filer' },
  'read-direct': { text: 'Modtagelse af store filer' },
  'clear-direct': { text: 'Oprydning efter store filer' },
}

/** 'house-keeping' becomes 'Oprydning'. */
export const jobText = (name: string) => JOB_NAMES[name]?.text ?? name

export const isMailJob = (name: string) => JOB_NAMES[name]?.is === 'mail'
