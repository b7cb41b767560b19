import { urls } from '../../urls.ts'

/** Where a person's image is, small as lists show it; null: they have none. */
export function imageAddress(userId: number, key: string | null): string | null {
  return key === null ? null : urls.userImage(userId, key)
}

/** The same image, as large as there is. */
export const largeImage = (address: string) => `${address}?size=large`
