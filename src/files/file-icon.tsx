import { File, FileArchive, FileImage, FileSpreadsheet, FileText, type LucideIcon } from 'lucide-react'

const FAMILIES: [RegExp, LucideIcon][] = [
  [/^image\//, FileImage],
  [/spreadsheet|ms-excel|csv/, FileSpreadsheet],
  [/pdf|^text\/|wordprocessing|msword|opendocument\.text|rtf/, FileText],
  [/zip|compressed|x-7z|x-tar|gzip/, FileArchive],
]

/** What family a file is of; its name says the rest. */
export function FileIcon({ mime }: { mime: string }) {
  const Icon = FAMILIES.find(([pattern]) => pattern.test(mime))?.[1] ?? File
  return <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0 text-muted" />
}
