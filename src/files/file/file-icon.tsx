import { SpriteIcon } from '../../ui/icon/icon-sprite.tsx'
import type { FileFamily } from './file-icons.tsx'

const FAMILIES: [RegExp, FileFamily][] = [
  [/^image\//, 'image'],
  [/spreadsheet|ms-excel|csv/, 'sheet'],
  [/^application\/pdf|^text\/|wordprocessing|msword|opendocument\.text|rtf/, 'text'],
  [/zip|compressed|x-7z|x-tar|gzip/, 'archive'],
]

type Named = { mime: string; name: string }

/** Shows the kind of a file: picture, spreadsheet, text, archive or other. */
export function FileIcon(file: Named) {
  return <SpriteIcon name={familyOf(file)} />
}

export function familyOf({ mime, name }: Named): FileFamily {
  const type = /\.csv$/i.test(name) ? 'text/csv' : mime // the bytes of a CSV file say plain text
  return FAMILIES.find(([pattern]) => pattern.test(type))?.[1] ?? 'file'
}
