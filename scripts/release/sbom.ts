export const SBOM_FILE = 'sbom.cdx.json'

type Locked = {
  name?: string
  version: string
  license?: string
  integrity?: string
  dev?: true
  link?: true
  optional?: true
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}
type Lock = { name: string; version: string; packages: Record<string, Locked> }

const MODULES = 'node_modules/'

/**
 * Lists what Ringbind runs with, for all platforms, from the lock file: name, version, licence, sum, and what needs what (CycloneDX
 * 1.6). `npm sbom --omit dev` leaves out what a development package needs as well: the S3 client, 63 packages in all.
 */
export function makeSbom(lockFile: string, at: Date): string {
  const lock = JSON.parse(lockFile) as Lock
  const shipped = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path.includes(MODULES) && !dev && !link,
  )
  const refs = new Map(shipped.map(([path, { version }]) => [path, refOf(nameAt(path), version)]))
  const own = refOf(lock.name, lock.version)
  /** A package finds others as Node does: in its own directory, then further and further out. */
  const find = (from: string, name: string): string[] => {
    for (let directory = from; ; directory = directory.slice(0, directory.lastIndexOf(MODULES))) {
      const ref = refs.get(`${directory === '' ? '' : `${directory.replace(/\/$/, '')}/`}${MODULES}${name}`)
      if (ref !== undefined) return [ref]
      if (directory === '') return []
    }
  }
  const needed = (path: string, { dependencies, optionalDependencies, peerDependencies }: Locked) => {
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    return [...new Set(names.flatMap((name) => find(path, name)))].sort()
  }
  const parts = new Map(shipped.map(([path, locked]) => [refs.get(path)!, { path, locked }]))
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: at.toISOString(),
      component: {
        'bom-ref': own,
        type: 'application',
        name: lock.name,
        version: lock.version,
        licenses: [{ expression: 'MIT' }],
        purl: own,
      },
    },
    components: [...parts].map(([ref, { path, locked }]) => ({
      'bom-ref': ref,
      type: 'library',
      name: nameAt(path),
      version: locked.version,
      scope: locked.optional ? 'optional' : 'required',
      hashes: hashesOf(locked.integrity),
      licenses: locked.license ? [{ expression: locked.license }] : [],
      purl: ref,
    })),
    dependencies: [
      { ref: own, dependsOn: needed('', lock.packages['']!) },
      ...[...parts].map(([ref, { path, locked }]) => ({ ref, dependsOn: needed(path, locked) })),
    ],
  }
  return `${JSON.stringify(sbom, null, 2)}\n`
}

const nameAt = (path: string) => path.slice(path.lastIndexOf(MODULES) + MODULES.length)

const refOf = (name: string, version: string) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`

/** 'sha512-…' in Base64 becomes hexadecimal. */
function hashesOf(integrity = ''): { alg: string; content: string }[] {
  const found = /^sha512-(\S+)$/.exec(integrity)
  return found ? [{ alg: 'SHA-512', content: Buffer.from(found[1]!, 'base64').toString('hex') }] : []
}
