/** Files that an investor sent and does not see: they wait to be scanned for viruses, or one was found. */
export type Unshown = { scanning: number; found: number }

/** Says what became of them, so that nobody sends them again. */
export function unshownTexts({ scanning, found }: Unshown): string[] {
  return [
    ...(scanning === 0
      ? []
      : [
          scanning === 1
            ? '1 fil scannes for virus. Kontoret har den, og den står her bagefter.'
            : `${scanning} filer scannes for virus. Kontoret har dem, og de står her bagefter.`,
        ]),
    ...(found === 0
      ? []
      : [
          `Virusscanneren fandt noget i ${found === 1 ? 'én fil' : `${found} filer`}. Kontoret ved det. Scan din computer, før du sender ${found === 1 ? 'den' : 'dem'} igen.`,
        ]),
  ]
}
