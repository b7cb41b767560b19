// The package has no types of its own.
declare module 'oidc-provider' {
  export class Provider {
    constructor(issuer: string, configuration: object)
    listen(port: number, host: string, done: () => void): void
  }
}
