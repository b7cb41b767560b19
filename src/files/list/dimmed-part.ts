/**
 * Returns the part of a file's name that its folder and project already say: 'Årsrapport (1024)' of 'Årsrapport (1024)
 * 2024.pdf' in the folder Årsrapport of project 1024. Empty if the name says something else, or nothing more: what differs
 * from its neighbours is never dimmed.
 */
export function dimmedPart(name: string, folder: string, number: string): string {
  const said = `${folder} (${number})`
  const rest = name.startsWith(said) ? name.slice(said.length) : ''
  return number !== '' && /^[^.]*[\p{L}\d]/u.test(rest) ? said : ''
}
