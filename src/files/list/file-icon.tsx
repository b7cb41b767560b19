import { LucideFile, FileArchive, FileImage, FileSpreadsheet, FileText } from 'lucide-react'
import { SpriteIcon } from '../../ui/basic/icon-sprite.tsx'

/** For the page's sprite. */
export const FILE_ICONS = {
  image: FileImage,
  sheet: FileSpreadsheet,
  text: FileText,
  archive: FileArchive,
  file: LucideFile,
}

const FAMILIES: [RegExp, keyof typeof FILE_ICONS][] = [
  [/^image\//, 'image'],
  [/spreadsheet|ms-excel|csv/, 'sheet'],
  [/^application\/pdf|^text\/|wordprocessing|msword|opendocument\.text|rtf/, 'text'],
  [/zip|compressed|x-7z|x-tar|gzip/, 'archive'],
]

/** What family a file is of; its name says the rest. */
export function FileIcon({ mime, name }: { mime: string; name: string }) {
  const type = /\.csv$/i.test(name) ? 'text/csv' : mime // to its bytes it is a text like any other
  return <SpriteIcon name={FAMILIES.find(([pattern]) => pattern.test(type))?.[1] ?? 'file'} />
}
