import { formatBytes } from './bytes.ts'

export const MOST_IMAGE_BYTES = 10 * 1024 * 1024

/** The types that the file chooser offers. The server looks at the bytes. */
export const IMAGE_TYPES = 'image/jpeg,image/png,image/webp,image/gif'

/** Messages about an image that cannot be used, shared by the browser and the server. */
export const IMAGE_FAULTS = {
  none: 'Vælg et billede.',
  several: 'Vælg kun ét billede.',
  empty: 'Filen er tom. Vælg et andet billede.',
  large: `Billedet er for stort. Det må højst fylde ${formatBytes(MOST_IMAGE_BYTES)}.`,
  type: 'Filen er ikke et billede, som Ringbind kan vise. Vælg et billede af typen JPEG, PNG, WebP eller GIF.',
  pixels:
    'Billedet har for mange billedpunkter. Det må højst have 50 millioner, for eksempel 8000 × 6000. Gør det mindre, eller vælg et andet.',
  shape: 'Billedet er for smalt. Den lange side må højst være ti gange så lang som den korte.',
  room: 'Der er ikke plads til billedet på serveren. Giv kontoret besked.',
  late: 'Serveren har for travlt til at gøre billedet klar. Vent et øjeblik, og prøv igen.',
  heavy: 'Billedet er for tungt at gøre klar. Gør det mindre, eller vælg et andet.',
  broken: 'Billedet kan ikke læses. Filen er beskadiget eller ufuldstændig. Vælg et andet billede.',
}
