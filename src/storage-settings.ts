import { entry, origin, trueOrFalse } from './server/process/setting-kinds.ts'

/** Settings of where the files are. */
export const storageEntries = {
  s3Bucket: entry({
    variable: 'S3_BUCKET',
    says: 'A bucket for the files instead of the disk. Its keys come from the usual variables (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`) or from where Amazon’s own programs find them.',
    takes: 'the name of a bucket',
    byDefault: '',
    read: (text) => (/^[A-Za-z\d][A-Za-z\d._-]{1,61}[A-Za-z\d]$/.test(text) ? text : undefined),
  }),
  s3Endpoint: entry({
    variable: 'S3_ENDPOINT',
    says: 'The address of an S3 server that is not Amazon’s.',
    takes: 'an http or https address without a path',
    byDefault: '',
    read: origin,
  }),
  s3Region: entry({
    variable: 'S3_REGION',
    says: 'The region of the bucket.',
    takes: 'the name of a region such as eu-north-1',
    byDefault: '',
    shown: '`AWS_REGION`; with `S3_ENDPOINT`: `us-east-1`',
    read: (text) => (/^[a-z\d][a-z\d-]*$/i.test(text) ? text : undefined),
  }),
  storage: entry({
    variable: 'STORAGE',
    says: 'Where new files go, `disk` or `s3`; with a bucket both places are read, and `npm run move-storage` moves the rest.',
    takes: 'disk or s3',
    byDefault: '',
    shown: '`s3` with `S3_BUCKET`, else `disk`',
    read: (text) => (['disk', 's3'] as const).find((place) => place === text),
  }),
  directUpload: entry({
    variable: 'DIRECT_UPLOAD',
    says: 'Whether browsers send large files straight to the bucket, which must be open to them.',
    takes: 'true or false',
    byDefault: 'false',
    read: trueOrFalse,
  }),
  directDownload: entry({
    variable: 'DIRECT_DOWNLOAD',
    says: 'Whether browsers are sent to the bucket for a file, by an address that works for a minute.',
    takes: 'true or false',
    byDefault: 'false',
    read: trueOrFalse,
  }),
}
