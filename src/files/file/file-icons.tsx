import { LucideFile, FileArchive, FileImage, FileSpreadsheet, FileText } from 'lucide-react'

/** The icons for the page's sprite. */
export const FILE_ICONS = {
  image: FileImage,
  sheet: FileSpreadsheet,
  text: FileText,
  archive: FileArchive,
  file: LucideFile,
}

export type FileFamily = keyof typeof FILE_ICONS
