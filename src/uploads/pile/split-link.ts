import { urls } from '../../urls.ts'

export const isPdf = (name: string) => /\.pdf$/i.test(name)

/** The page that divides a PDF which was sent already. */
export const splitSent = (hashName: string) => `${urls.splitUpload}?file=${hashName}`
