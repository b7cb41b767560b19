// Packages without types.
declare module 'oidc-provider' {
  export class Provider {
    constructor(issuer: string, configuration: object)
    listen(port: number, host: string, done: () => void): void
  }
}

declare module 'subset-font' {
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: {
      targetFormat: 'woff2'
      variationAxes: Record<string, { min: number; max: number }>
      keepFeatures: string[]
    },
  ): Promise<Uint8Array>
}
