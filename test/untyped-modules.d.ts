// The package has no types.
declare module 'oidc-provider' {
  export class Provider {
    constructor(issuer: string, configuration: object)
    listen(port: number, host: string, done: () => void): void
  }
}
