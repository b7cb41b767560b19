import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bracketed, configTable, readConfig } from './config.ts'
import { entries } from './settings.ts'

const faultOf = (env: Record<string, string>) => {
  try {
    readConfig(env)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

describe('IMAP_URL', () => {
  it.each([
    ['imaps://bo:x@mail.example.dk', { host: 'mail.example.dk', port: 993, isSecure: true, folder: 'INBOX' }],
    ['imap://bo:x@[::1]:1143/INBOX', { host: '::1', port: 1143, isSecure: false }],
    [
      'imaps://bo%40example.dk:p%3Aass%2F@mail/Ind%20her?move-to=Taget%20ind',
      { user: 'bo@example.dk', password: 'p:ass/', folder: 'Ind her', moveTo: 'Taget ind' },
    ],
  ])('reads IMAP_URL=%s', (text, read) => expect(readConfig({ IMAP_URL: text }).imapUrl).toMatchObject(read))
})

describe('INTAKE_DIR', () => {
  it.each([
    ['/srv/ringbind', '/srv/ringbind'],
    ['/srv', '/srv/ringbind'],
    ['/srv/ringbind/ind', '/srv/ringbind'],
    ['/', '/srv/ringbind'],
  ])('refuses INTAKE_DIR at %s, with our own files in %s', (intake, own) => {
    expect(faultOf({ INTAKE_DIR: intake, DATA_DIR: own })).toContain(
      'INTAKE_DIR takes a directory of its own',
    )
    expect(faultOf({ INTAKE_DIR: intake, BACKUP_DIR: own, DATA_DIR: '/data' })).toContain('BACKUP_DIR is')
    expect(faultOf({ INTAKE_DIR: intake, BACKUP_SECOND: own, DATA_DIR: '/data' })).toContain(
      'BACKUP_SECOND is',
    )
  })

  it('INTAKE_DIR may be beside our own files', () =>
    expect(faultOf({ INTAKE_DIR: '/srv/ringbind-ind', DATA_DIR: '/srv/ringbind' })).toBeNull())
})

const REFUSED: [variable: string, text: string][] = [
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '3000.5'],
  ['PORT', 'abc'],
  ['PORT', '0x10'],
  ['WORKERS', '0'],
  ['WORKERS', '65'],
  ['HOST', 'a b'],
  ['HOST', ':::'],
  ['DATA_DIR', 'a\0b'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['DATABASE_URL', 'localhost'],
  ['DATABASE_OWNER_URL', 'mysql://localhost/x'],
  ['S3_BUCKET', 'papers/2026'],
  ['S3_BUCKET', 'ab'],
  ['S3_ENDPOINT', 'localhost:9000'],
  ['S3_ENDPOINT', 'http://localhost:9000/papers'],
  ['S3_REGION', 'eu north'],
  ['STORAGE', 'tape'],
  ['DIRECT_UPLOAD', 'yes'],
  ['DIRECT_DOWNLOAD', '1'],
  ['THUMBNAILS', 'nej'],
  ['READ_DOCUMENTS', 'nej'],
  ['READ_SCANS', 'nej'],
  ['APP_URL', 'https://example.dk/ringbind'],
  ['APP_URL', 'ftp://example.dk'],
  ['NGINX_SENDS_FILES', 'nginx'],
  ['HOOK_NETWORKS', 'true'],
  ['HOOK_NETWORKS', '10.0.0.0/33'],
  ['TRUST_PROXY', 'yes'],
  ['TRUST_PROXY', '10.0.0.1,'],
  ['TRUST_PROXY', '999.1.1.1'],
  ['TRUST_PROXY', '10.0.0.0/99'],
  ['TRUST_PROXY', '10.0.0.0/8/8'],
  ['RELEASE_REGRET_MINUTES', '61'],
  ['SMTP_URL', 'mail.example.dk'],
  ['SMTP_URL', 'smtp:'],
  ['INTAKE_DIR', 'a\0b'],
  ['IMAP_URL', 'mail.example.dk'],
  ['IMAP_URL', 'imaps://mail.example.dk/INBOX'],
  ['IMAP_URL', 'imaps://bo@mail.example.dk/INBOX'],
  ['IMAP_URL', 'smtps://bo:x@mail.example.dk'],
  ['IMAP_URL', 'imaps://bo:x@mail.example.dk/INBOX?folder=Arkiv'],
  ['IMAP_URL', 'imaps://bo:x@mail.example.dk/INBOX?move-to=INBOX'],
  ['IMAP_URL', 'imaps://bo:%zz@mail.example.dk/INBOX'],
  ['MAIL_FROM', 'nobody'],
  ['BACKUP_KEY', 'hemmelig'],
  ['SECRETS_KEY', 'hemmelig'],
  ['BACKUP_SECOND', 's3://'],
  ['LOG_HEAD_TO', 'a@b.dk, c@d.dk'],
  ['CLAMD', 'clamd.ctl'],
  ['CLAMD', 'tcp://127.0.0.1:0'],
  ['SYSLOG_URL', 'udp://logs.example.dk'],
  ['SYSLOG_URL', 'tls://'],
  ['SYSLOG_URL', 'tcp://logs.example.dk/ringbind'],
  ['MAIL_FROM', 'a@b.dk\r\nBcc: c@d.dk'],
  ['TIME_ZONE', 'Europe/Kobenhavn'],
  ['MAX_FILE_BYTES', '0'],
  ['MAX_FILES_PER_SUBMIT', '10001'],
  ['MAX_SPLIT_PAGES', '5001'],
  ['TEMPORARY_BYTES_PER_USER', '1e9'],
  ['REQUESTS_PER_MINUTE', '0'],
  ['SHUTDOWN_SECONDS', '601'],
  ['DRAIN_SECONDS', '-1'],
  ['SESSION_IDLE_HOURS', '0'],
  ['SESSION_MAX_DAYS', '366'],
  ['SESSION_OFFICE_IDLE_HOURS', '0'],
  ['SESSION_OFFICE_MAX_DAYS', '366'],
  ['OIDC_PROVIDERS', 'MitID'],
  ['OIDC_PROVIDERS', 'mitid,'],
  ['OIDC_PROVIDERS', 'mitid,mitid'],
  ['OIDC_PROVIDERS', 'a,b,c,d,e,f,g,h,i'],
  ['LOG_ADDRESS_MONTHS', '0'],
  ['LOG_LEVEL', 'loud'],
  ['BACKUP_DIR', 'a\0b'],
  ['BACKUP_AT', '24:00'],
  ['BACKUP_AT', '3'],
  ['BACKUP_AT', '60 3 * * *'],
  ['BACKUP_AT', '0 5-3 * * *'],
  ['BACKUP_AT', '*/0 3 * * *'],
  ['BACKUP_AT', '0 3 * *'],
  ['BACKUP_AT', '0 0 3 * * *'],
  ['BACKUP_KEEP', '0'],
  ['INVESTOR_BYTES', '0'],
  ['DISK_RESERVE_BYTES', '-1'],
  ['METRICS_TOKEN', 'kort'],
  ['METRICS_TOKEN', 'en hemmelighed med mellemrum'],
  ['NIGHTLY_CHECK_BYTES', '1000000000001'],
]

describe('readConfig', () => {
  it('the configuration is complete without any variable', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: null,
      smtpUrl: null,
      intakeDir: null,
      imapUrl: null,
      appUrl: 'http://127.0.0.1:3000',
      timeZone: 'Europe/Copenhagen',
      trustProxy: false,
      maxFileBytes: 268_435_456,
      maxFilesPerSubmit: 2000,
    })
  })

  it('an empty variable counts as not set', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 3000, databaseUrl: null })
  })

  it.each([
    ['PORT', '0', 'port', 0],
    ['PORT', '65535', 'port', 65_535],
    ['HOST', '::1', 'host', '::1'],
    ['APP_URL', 'https://ringbind.example.dk/', 'appUrl', 'https://ringbind.example.dk'],
    ['TRUST_PROXY', 'true', 'trustProxy', true],
    ['TRUST_PROXY', '10.0.0.1, fd00::/8', 'trustProxy', ['10.0.0.1', 'fd00::/8']],
    ['DATABASE_URL', 'postgresql://u:p@h/d', 'databaseUrl', 'postgresql://u:p@h/d'],
    ['TIME_ZONE', 'America/Nuuk', 'timeZone', 'America/Nuuk'],
    ['MAIL_FROM', 'Kontoret <post@example.dk>', 'mailFrom', 'Kontoret <post@example.dk>'],
    ['LOG_LEVEL', 'silent', 'logLevel', 'silent'],
    ['BACKUP_DIR', '/mnt/kopier/', 'backupDir', '/mnt/kopier'],
    ['BACKUP_AT', '23:05', 'backupAt', '5 23 * * *'],
    ['BACKUP_AT', '7:30', 'backupAt', '30 7 * * *'],
    ['BACKUP_AT', '*/15  8-17,20 1 * 1-5', 'backupAt', '*/15 8-17,20 1 * 1-5'],
  ])('%s=%s', (variable, text, name, value) => {
    expect(readConfig({ [variable]: text })).toHaveProperty(name, value)
  })

  it.each<[Record<string, string>, number, number]>([
    [{}, 12, 7],
    [{ SESSION_IDLE_HOURS: '2', SESSION_MAX_DAYS: '3' }, 2, 3],
    [{ SESSION_IDLE_HOURS: '48', SESSION_MAX_DAYS: '60' }, 12, 7],
    [{ SESSION_IDLE_HOURS: '2', SESSION_OFFICE_IDLE_HOURS: '20', SESSION_OFFICE_MAX_DAYS: '30' }, 20, 30],
  ])('%j makes sessions of the office last %i idle hours and %i days', (env, hours, days) => {
    expect(readConfig(env)).toMatchObject({ sessionOfficeIdleHours: hours, sessionOfficeMaxDays: days })
  })

  it('APP_URL defaults to an existing host', () => {
    expect(readConfig({ HOST: '0.0.0.0', PORT: '80' }).appUrl).toBe('http://localhost:80')
  })

  it('counts proxies from the nearest', () => {
    const trust = readConfig({ TRUST_PROXY: '2' }).trustProxy as (address: string, hop: number) => boolean
    expect([0, 1, 2].map((hop) => trust('10.0.0.1', hop))).toEqual([true, true, false])
  })

  it.each(REFUSED)('refuses %s=%s in one line that says what is valid', (variable, text) => {
    const { takes } = Object.values(entries).find((each) => each.variable === variable)!
    const fault = faultOf({ [variable]: text })
    expect(fault).toMatch(new RegExp(`^${variable} takes `))
    expect(fault).toContain(takes)
    expect(fault!.split('\n').filter((line) => line.includes(' takes '))).toHaveLength(1)
  })

  it('names every wrong variable at once', () => {
    expect(faultOf({ PORT: 'x', LOG_LEVEL: 'x' })!.split('\n')).toHaveLength(2)
  })

  it.each<[Record<string, string>, object]>([
    [{}, { storage: 'disk', s3Bucket: null, directUpload: false, directDownload: false }],
    [
      { S3_BUCKET: 'papers', S3_REGION: 'eu-north-1' },
      { storage: 's3', s3Region: 'eu-north-1' },
    ],
    [
      { S3_BUCKET: 'papers', AWS_REGION: 'eu-north-1' },
      { s3Region: 'eu-north-1', s3Endpoint: null },
    ],
    [
      { S3_BUCKET: 'papers', S3_ENDPOINT: 'http://127.0.0.1:9000/', STORAGE: 'disk' },
      { storage: 'disk', s3Region: 'us-east-1', s3Endpoint: 'http://127.0.0.1:9000' },
    ],
    [
      { S3_BUCKET: 'papers', S3_REGION: 'x', DIRECT_UPLOAD: 'true', DIRECT_DOWNLOAD: 'true' },
      { directUpload: true, directDownload: true },
    ],
  ])('%o', (env, config) => {
    expect(readConfig(env)).toMatchObject(config)
  })

  it.each<[Record<string, string>, string]>([
    [{ S3_ENDPOINT: 'http://127.0.0.1:9000' }, 'S3_ENDPOINT says nothing without S3_BUCKET.'],
    [{ S3_REGION: 'eu-north-1' }, 'S3_REGION says nothing without S3_BUCKET.'],
    [{ STORAGE: 's3' }, 'STORAGE=s3 says nothing without S3_BUCKET.'],
    [{ DIRECT_UPLOAD: 'true' }, 'DIRECT_UPLOAD says nothing without S3_BUCKET.'],
    [{ DIRECT_DOWNLOAD: 'true' }, 'DIRECT_DOWNLOAD says nothing without S3_BUCKET.'],
    ...['', 'true', '1'].map((proxy): [Record<string, string>, string] => [
      { NGINX_SENDS_FILES: 'true', TRUST_PROXY: proxy },
      'NGINX_SENDS_FILES needs the addresses of nginx in TRUST_PROXY.',
    ]),
    [{ S3_BUCKET: 'papers' }, 'S3_REGION takes the name of a region such as eu-north-1; it is not set.'],
    [
      { S3_BUCKET: 'papers', S3_REGION: 'x', MAX_FILE_BYTES: '50000000001' },
      `MAX_FILE_BYTES takes at most 50000000000 with S3_BUCKET; it is '50000000001'.`,
    ],
    [
      { S3_BUCKET: 'papers', S3_REGION: 'x', STORAGE: 'disk', DIRECT_UPLOAD: 'true' },
      'DIRECT_UPLOAD takes true only where new files go to the bucket; STORAGE is disk.',
    ],
  ])('refuses %o', (env, line) => {
    expect(faultOf(env)).toBe(line)
  })

  const MITID = {
    OIDC_PROVIDERS: 'mitid, entra',
    OIDC_MITID_NAME: 'MitID',
    OIDC_MITID_ISSUER: 'https://netseidbroker.dk/op',
    OIDC_MITID_CLIENT_ID: 'kontoret',
    OIDC_MITID_CLIENT_SECRET: 'hemmelig',
    OIDC_ENTRA_NAME: 'Microsoft',
    OIDC_ENTRA_BUTTON: 'Brug din konto på arbejdet',
    OIDC_ENTRA_ISSUER: 'http://localhost:9000',
    OIDC_ENTRA_CLIENT_ID: 'x',
    OIDC_ENTRA_CLIENT_SECRET: 'y',
    OIDC_ENTRA_ACR_VALUES: 'a b',
    OIDC_ENTRA_ACR: 'a  c',
  }

  it('reads the providers, in their order', () => {
    expect(readConfig({}).providers).toEqual([])
    expect(readConfig(MITID).providers).toEqual([
      {
        key: 'mitid',
        name: 'MitID',
        button: 'Log ind med MitID',
        issuer: 'https://netseidbroker.dk/op',
        clientId: 'kontoret',
        clientSecret: 'hemmelig',
        acrValues: null,
        acr: null,
      },
      expect.objectContaining({
        key: 'entra',
        button: 'Brug din konto på arbejdet',
        acrValues: 'a b',
        acr: ['a', 'c'],
      }),
    ])
  })

  it.each([
    ['ISSUER', '', 'is not set'],
    ['ISSUER', 'netseidbroker.dk', 'is something else'],
    ['ISSUER', 'http://netseidbroker.dk/op', 'is something else'],
    ['ISSUER', 'http://127.0.0.1.example.dk', 'is something else'],
    ['ISSUER', 'https://ole:hemmelig@netseidbroker.dk/op', 'is something else'],
    ['ISSUER', 'https://netseidbroker.dk/op?x', 'is something else'],
    ['ISSUER', 'javascript:alert(1)', 'is something else'],
    ['NAME', '', 'is not set'],
    ['NAME', 'M'.repeat(41), 'is something else'],
    ['BUTTON', 'Log ind\nher', 'is something else'],
    ['CLIENT_ID', '', 'is not set'],
    ['CLIENT_SECRET', ' ', 'is not set'],
    ['CLIENT_SECRET', 'hemmelig\0', 'is something else'],
    ['ACR_VALUES', 'x'.repeat(501), 'is something else'],
    ['ACR', 'x'.repeat(501), 'is something else'],
  ])('refuses OIDC_MITID_%s=%j in one line without its value', (name, text, found) => {
    const fault = faultOf({ ...MITID, [`OIDC_MITID_${name}`]: text })
    expect(fault).toMatch(new RegExp(`^OIDC_MITID_${name} takes .*; it ${found}\\.$`))
    expect(fault).not.toContain('hemmelig')
  })

  it('the configuration shows no password', () => {
    expect(faultOf({ DATABASE_URL: 'mysql://ole:hemmelig@h/d' })).not.toContain('hemmelig')
    expect(faultOf({ SMTP_URL: 'ole:hemmelig@mail' })).not.toContain('hemmelig')
    expect(faultOf({ IMAP_URL: 'pop://ole:hemmelig@mail' })).not.toContain('hemmelig')
  })

  it('every entry has a refusal in the table above', () => {
    const refused = new Set(REFUSED.map(([variable]) => variable))
    const all = Object.values(entries).map(({ variable }) => variable)
    expect(all.filter((variable) => !refused.has(variable))).toEqual([])
  })
})

it('the table in docs/settings.md matches the configuration', () => {
  expect(readFileSync(new URL('../docs/settings.md', import.meta.url), 'utf8')).toContain(configTable())
})

it('puts only an IPv6 address in brackets', () => {
  expect([bracketed('::1'), bracketed('127.0.0.1')]).toEqual(['[::1]', '127.0.0.1'])
})
