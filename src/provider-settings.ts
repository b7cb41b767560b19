import { issuer, lineOf } from './server/process/setting-kinds.ts'

/** The variables of each provider in `OIDC_PROVIDERS`: `OIDC_MITID_ISSUER` has the suffix ISSUER. */
export const providerEntries = {
  name: { suffix: 'NAME', takes: 'the name that people know it by, such as MitID', read: lineOf(40) },
  button: { suffix: 'BUTTON', takes: 'a text of at most 60 letters', read: lineOf(60) },
  issuer: {
    suffix: 'ISSUER',
    takes: 'the https address of the issuer, such as https://netseidbroker.dk/op',
    read: issuer,
  },
  clientId: {
    suffix: 'CLIENT_ID',
    takes: 'the id that the provider has given the office',
    read: lineOf(500),
  },
  clientSecret: {
    suffix: 'CLIENT_SECRET',
    takes: 'the secret that belongs to the id',
    read: lineOf(1000),
  },
  acrValues: {
    suffix: 'ACR_VALUES',
    takes: 'values of the provider, such as urn:grn:authn:dk:mitid:substantial',
    read: lineOf(500),
  },
  acr: {
    suffix: 'ACR',
    takes: 'the values of acr that are strong enough, apart by spaces',
    read: lineOf(500),
  },
}
