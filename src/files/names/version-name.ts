/** 'Budget.pdf' becomes 'Budget (version 2).pdf', so that two versions can lie in one folder. */
export function versionName(name: string, number: number | null): string {
  const [, stem = name, ending = ''] = /^(.+)(\.[^.]{1,10})$/.exec(name) ?? []
  return `${stem} (${number === null ? 'ny version' : `version ${number}`})${ending}`
}

/** Returns the ending of a name, in lower case: 'Budget.PDF' has '.pdf'. */
export const endingOf = (name: string) => /\.[^.]{1,10}$/.exec(name)?.[0].toLowerCase() ?? ''
