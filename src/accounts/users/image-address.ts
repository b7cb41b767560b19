import { urls } from '../../urls.ts'

/** Returns the address of the small image for lists, or null if the person has none. */
export function imageAddress(userId: number, key: string | null): string | null {
  return key === null ? null : urls.userImage(userId, key)
}

/** The largest size of the same image. */
export const largeImage = (address: string) => `${address}?size=large`
