import type { Trx } from '../server/database/database.ts'
import { invalid } from '../server/http/errors.ts'
import { folderKey, projectOf, type FolderFields, type FolderSet } from './folder.ts'

/** Reserves a folder's name and sub names. Refuses at the right field if another folder has one of them. */
export async function takeNames(trx: Trx, set: FolderSet, id: number, fields: FolderFields): Promise<void> {
  const wanted = [
    { field: 'name', name: fields.name },
    ...fields.sub_names.map((name, index) => ({ field: `sub_names.${index}`, name })),
  ].map((each) => ({ ...each, key: folderKey(each.name) }))
  const faults: Record<string, string[]> = {}
  const ours = new Map<string, string>()
  for (const { field, name, key } of wanted) {
    if (ours.has(key)) faults[field] = [`Du har skrevet ${name} to gange.`]
    else ours.set(key, field)
  }
  const taken = await takeKeys(trx, set, id, [...ours.keys()])
  for (const { field, name, key } of wanted) {
    const owner = taken.get(key)
    if (owner === undefined) continue
    faults[field] = [
      field === 'name' && owner === name
        ? `Der er allerede en mappe, der hedder ${name}.`
        : `Mappen ${owner} bruger allerede navnet ${name}.`,
    ]
  }
  if (Object.keys(faults).length > 0) throw invalid(faults)
}

/** Reserves keys for a folder. Returns those that other folders have, with the other folder's name. */
async function takeKeys(
  trx: Trx,
  set: FolderSet,
  folderId: number,
  keys: string[],
): Promise<Map<string, string>> {
  await trx
    .insertInto('folder_names')
    .values(keys.map((key) => ({ project_id: projectOf(set), key, folder_id: folderId })))
    .onConflict((conflicting) => conflicting.constraint('folder_names_key').doNothing())
    .execute()
  const names = trx
    .selectFrom('folder_names')
    .innerJoin('folders', 'folders.id', 'folder_names.folder_id')
    .select(['folder_names.key', 'folders.name'])
    .where('folder_names.key', 'in', keys)
    .where('folder_names.folder_id', '<>', folderId)
  const scoped =
    set === 'template'
      ? names.where('folder_names.project_id', 'is', null)
      : names.where('folder_names.project_id', '=', set)
  return new Map((await scoped.execute()).map(({ key, name }) => [key, name]))
}
