import { Provider } from 'oidc-provider'

// An OpenID provider in a separate process: `node provider-program.ts PORT REDIRECT_URI…`. Every login is right. It
// sends a CPR number that nobody has asked for, as a careless provider might.

const [port, ...redirectUris] = process.argv.slice(2)

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    { client_id: 'ringbind', client_secret: 'hemmelig-nok-til-en-test', redirect_uris: redirectUris },
  ],
  cookies: { keys: ['test'] },
  claims: { openid: ['sub', 'cpr'] },
  conformIdTokenClaims: false,
  findAccount: (_context: unknown, id: string) => ({
    accountId: id,
    claims: () => ({ sub: id, cpr: '010190-1234' }),
  }),
  // Asks for no consent, as MitID does.
  loadExistingGrant: async ({ oidc }: Context) => {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client.clientId,
      accountId: oidc.session.accountId,
    })
    grant.addOIDCScope('openid')
    await grant.save()
    return grant
  },
})
provider.listen(Number(port), '127.0.0.1', () => console.log('ready'))

type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> }
type Context = {
  oidc: {
    provider: { Grant: new (of: { clientId: string; accountId: string }) => Grant }
    client: { clientId: string }
    session: { accountId: string }
  }
}
