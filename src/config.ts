import { providerEntries } from './provider-settings.ts'
import { entries } from './settings.ts'

type Entries = typeof entries
export type Config = {
  [K in keyof Entries]: K extends Optional ? Value<K> | null : Value<K>
} & { providers: Provider[] }
type Optional =
  | 'logHeadTo'
  | 'backupDir'
  | 'backupKey'
  | 'secretsKey'
  | 'backupSecond'
  | 'clamd'
  | 'databaseOwnerUrl'
  | 'databaseUrl'
  | 'diskReserveBytes'
  | 'hookNetworks'
  | 'metricsToken'
  | 'imapUrl'
  | 'intakeDir'
  | 'oidcProviders'
  | 's3Bucket'
  | 's3Endpoint'
  | 's3Region'
  | 'smtpUrl'
  | 'syslogUrl'
/** The environment's variables. */
type Env = Record<string, string | undefined>
type Value<K extends keyof Entries> = NonNullable<ReturnType<Entries[K]['read']>>

/** Another place where people may sign in, by OpenID Connect. */
export type Provider = {
  /** Part of its addresses and of the log: 'mitid'. */
  key: string
  /** 'MitID' */
  name: string
  /** 'Log ind med MitID' */
  button: string
  issuer: string
  clientId: string
  clientSecret: string
  acrValues: string | null
  /** The answer's `acr` must be one of these. Null if it is not looked at. */
  acr: string[] | null
}

/** Reads the whole configuration. If any value is wrong, throws an error with a line for each. */
export function readConfig(env: Env): Config {
  const faults: string[] = []
  const config = readEntries(env, faults)
  if (config.dataDir === null)
    faults.push('DATA_DIR takes a directory; it is not set, and there is no home directory to put it in.')
  if (faults.length === 0) faults.push(...settleStorage(config as Config, env))
  config.providers = readProviders((config.oidcProviders as string[] | null | undefined) ?? [], env, faults)
  if (faults.length === 0) faults.push(...meetingsOf(config as Config))
  if (config.databaseOwnerUrl && !config.databaseUrl)
    faults.push('DATABASE_OWNER_URL says nothing without DATABASE_URL.')
  if (config.nginxSendsFiles && !Array.isArray(config.trustProxy))
    faults.push('NGINX_SENDS_FILES needs the addresses of nginx in TRUST_PROXY.')
  if (faults.length > 0) throw new Error(faults.join('\n'))
  settleSessions(config as Config, env)
  const host = ['0.0.0.0', '::'].includes(String(config.host)) ? 'localhost' : bracketed(String(config.host))
  config.appUrl ??= `http://${host}:${String(config.port)}`
  return config as Config
}

/** Reads each setting by itself. Adds a line to the faults for each wrong one. */
function readEntries(env: Env, faults: string[]): Record<string, unknown> {
  const config: Record<string, unknown> = {}
  for (const [name, { variable, byDefault, read, takes, isSecret }] of Object.entries(entries)) {
    const text = env[variable]?.trim() || byDefault
    config[name] = text === '' ? null : read(text)
    if (config[name] === undefined)
      faults.push(
        `${variable} takes ${takes}; it is ${isSecret ? 'something else' : `'${withoutPassword(variable, text)}'`}.`,
      )
  }
  return config
}

/** Refuses an intake directory that holds files of ours: the intake moves everything out of it. */
function meetingsOf({ intakeDir, dataDir, backupDir, backupSecond }: Config): string[] {
  const own = [
    ['DATA_DIR', dataDir],
    ['BACKUP_DIR', backupDir],
    ['BACKUP_SECOND', backupSecond],
  ] as const
  return own.flatMap(([variable, path]) =>
    intakeDir !== null && path !== null && (isWithin(path, intakeDir) || isWithin(intakeDir, path))
      ? [`INTAKE_DIR takes a directory of its own; it is '${intakeDir}', and ${variable} is '${path}'.`]
      : [],
  )
}

const isWithin = (path: string, directory: string) =>
  `${path}/`.startsWith(directory === '/' ? '/' : `${directory}/`)

/** If only the length of all sessions is set, and is short, the office's are not longer. */
function settleSessions(config: Config, env: Env): void {
  if (!env.SESSION_OFFICE_IDLE_HOURS?.trim())
    config.sessionOfficeIdleHours = Math.min(config.sessionOfficeIdleHours, config.sessionIdleHours)
  if (!env.SESSION_OFFICE_MAX_DAYS?.trim())
    config.sessionOfficeMaxDays = Math.min(config.sessionOfficeMaxDays, config.sessionMaxDays)
}

/** Reads the variables of each provider: `OIDC_MITID_ISSUER` and so on. Adds a line to the faults for each wrong one. */
function readProviders(keys: string[], env: Env, faults: string[]): Provider[] {
  return keys.map((key) => {
    const read = (name: keyof typeof providerEntries, or = '') => {
      const { suffix, takes, read: check } = providerEntries[name]
      const variable = `OIDC_${key.toUpperCase()}_${suffix}`
      const text = env[variable]?.trim() || or
      const value = text === '' ? undefined : check(text)
      // Says nothing of the value: it may be a secret in the wrong place.
      if (value === undefined)
        faults.push(`${variable} takes ${takes}; it ${text === '' ? 'is not set' : 'is something else'}.`)
      return value ?? ''
    }
    const name = read('name')
    return {
      key,
      name,
      button: read('button', `Log ind med ${name}`),
      issuer: read('issuer'),
      clientId: read('clientId'),
      clientSecret: read('clientSecret'),
      acrValues: env[`OIDC_${key.toUpperCase()}_ACR_VALUES`]?.trim() ? read('acrValues') : null,
      acr: env[`OIDC_${key.toUpperCase()}_ACR`]?.trim() ? read('acr').split(/\s+/) : null,
    }
  })
}

/** Fills in the S3 settings that depend on others. Returns a line for each that makes no sense. */
function settleStorage(config: Config, env: Env): string[] {
  const { s3Bucket, backupSecond } = config
  config.storage ??= s3Bucket ? 's3' : 'disk'
  if (!s3Bucket) {
    const isSecondBucket = backupSecond?.startsWith('s3://') ?? false
    const idle = idleWithoutBucket(config, isSecondBucket)
    if (idle.length > 0 || !isSecondBucket) return idle
  }
  config.s3Region ??= regionOf(env) ?? (config.s3Endpoint && 'us-east-1')
  if (!config.s3Region) return ['S3_REGION takes the name of a region such as eu-north-1; it is not set.']
  if (config.directUpload && config.storage === 'disk')
    return ['DIRECT_UPLOAD takes true only where new files go to the bucket; STORAGE is disk.']
  if (config.maxFileBytes > S3_MOST_BYTES)
    return [`MAX_FILE_BYTES takes at most ${S3_MOST_BYTES} with S3_BUCKET; it is '${config.maxFileBytes}'.`]
  return []
}

/** Returns a line for each setting that is of no use without a bucket for files. */
function idleWithoutBucket(config: Config, isSecondBucket: boolean): string[] {
  const set = {
    S3_ENDPOINT: config.s3Endpoint && !isSecondBucket,
    S3_REGION: config.s3Region && !isSecondBucket,
    'STORAGE=s3': config.storage === 's3',
    DIRECT_UPLOAD: config.directUpload,
    DIRECT_DOWNLOAD: config.directDownload,
  }
  return Object.entries(set).flatMap(([name, isSet]) =>
    isSet ? [`${name} says nothing without S3_BUCKET.`] : [],
  )
}

/** Finds the region as Amazon's own programs do. */
const regionOf = (env: Env) => env.AWS_REGION?.trim() || env.AWS_DEFAULT_REGION?.trim() || null

/** 10,000 parts of 5 MiB, rounded down. */
const S3_MOST_BYTES = 50_000_000_000

/** Returns the table of docs/settings.md; a test keeps the document equal to it. */
export function configTable(): string {
  const rows = Object.values(entries).map(
    ({ variable, says, byDefault, shown = byDefault && `\`${byDefault}\`` }) =>
      `| \`${variable}\` | ${says} | ${shown} |`,
  )
  return ['| variable | meaning | default |', '|---|---|---|', ...rows].join('\n')
}

/**
 * Lists the settings that differ from their default, as `PORT=8080`. Shows no secrets: addresses are shown without
 * user, password and query, and secrets only as set.
 */
export function shownSettings(env: Env): string[] {
  const own = Object.values(entries).flatMap(({ variable, byDefault, isSecret }) => {
    const text = env[variable]?.trim() ?? ''
    if (text === '' || text === byDefault) return []
    return isSecret ? [`${variable} is set`] : [`${variable}=${withoutSecrets(text)}`]
  })
  const providers = (env.OIDC_PROVIDERS?.split(',') ?? []).map((key) => key.trim().toUpperCase())
  const issuers = providers.flatMap((key) => {
    const variable = `OIDC_${key}_ISSUER`
    const text = env[variable]?.trim()
    return text ? [`${variable}=${withoutSecrets(text)}`] : []
  })
  return [...own, ...issuers]
}

/** Leaves of an address what says where it is. */
function withoutSecrets(text: string): string {
  if (!text.includes('://')) return text
  if (!URL.canParse(text)) return '…'
  const { protocol, host, pathname } = new URL(text)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}

/** Puts an IPv6 address in brackets, as a URL needs it. */
export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

// The part of a URL before the @ may hold a password, which must not reach a log.
function withoutPassword(variable: string, text: string): string {
  if (/_(KEY|SECRET|TOKEN)$/.test(variable)) return '…'
  return variable.endsWith('_URL') ? text.replace(/^.*@/, '…@') : text
}
