/**
 * How each block of commands of the documents is proved. With `order` it is run in a clean Debian by
 * `test/long/documents.test.ts`, in that order; `instead` replaces values that only the reader knows, and `status` is
 * its exit status if that is not 0. Otherwise `why` says where it is proved, or why it cannot be.
 */
export type Proof =
  | { order: number; instead?: Record<string, string>; status?: number; before?: string }
  | { why: string }

const COPY = { 'KOPI.tar': 'proeve.tar' }
const makeCopy = 'rm -f /var/backups/ringbind/proeve.tar; ringbind backup /var/backups/ringbind/proeve.tar'

/** npm asks nobody, and Debian's packages are installed without questions. */
export const BLOCKS: Record<string, Proof> = {
  'CONTRIBUTING.md: npm ci': {
    why: 'check and test are run by CI, and test/long/demo.test.ts starts the same server',
  },
  'CONTRIBUTING.md: npm run pictures': {
    why: 'a release pushes; test/release/release.test.ts proves what the command writes',
  },
  'README.md: npm ci && npm start': { why: 'test/long/clone.test.ts starts a clone with npm start' },
  'README.md: npm ci && npm test': { why: 'it is how this test is run' },
  'README.md: npm run backup -- /mnt/kopier/ringbind.tar    # everything, whether Ringbind runs or not': {
    why: 'the same scripts as “ringbind backup” and the others below',
  },
  'docs/drift.md: apt-get install --no-install-recommends git npm libatomic1': {
    order: 1,
    instead: { 'ADRESSEN-PÅ-RINGBIND': 'file:///srv/ringbind.git' },
  },
  'docs/drift.md: systemctl enable --now ringbind': {
    order: 2,
    before: String.raw`printf 'APP_URL=https://ringbind.example.dk\nTRUST_PROXY=127.0.0.1\nBACKUP_DIR=/var/backups/ringbind\n' > /etc/ringbind.env`,
    instead: { ' --follow': '' },
  },
  'docs/drift.md: apt-get install nginx certbot python3-certbot-nginx': {
    order: 3,
    // The certificate authority does not know this name, so our own certificate takes its place.
    before:
      'apt-get install -y openssl && d=/etc/letsencrypt/live/ringbind.example.dk && mkdir -p $d && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=ringbind.example.dk -keyout $d/privkey.pem -out $d/fullchain.pem',
    instead: { 'certbot certonly': 'certbot --version; : certonly' },
  },
  'docs/drift.md: nginx -t && systemctl reload nginx': {
    order: 4,
    before: "sed -i '/:3001/d' /etc/nginx/sites-available/ringbind",
  },
  'docs/drift.md: install -d -o ringbind -g ringbind -m 2770 /srv/ringbind-ind': { order: 5 },
  'docs/drift.md: kopi=/var/backups/ringbind/$(date +%F-%H%M%S).tar': { order: 6 },
  // No log has that code.
  'docs/drift.md: ringbind verify 1204:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08': {
    order: 7,
    status: 2,
  },
  'docs/drift.md: ringbind doctor': { order: 8, status: 2 }, // the name of APP_URL has no address here
  'docs/drift.md: ringbind let-in mette@kontoret.dk': { order: 9, status: 1 }, // she is not there
  'docs/drift.md: install -d -o ringbind -g ringbind -m 700 /mnt/ud': { order: 10 },
  'docs/drift.md: systemctl stop ringbind &&': { order: 11, before: makeCopy, instead: COPY },
  'docs/drift.md: install -d -o ringbind -g ringbind -m 700 /var/lib/ringbind': {
    order: 12,
    before: `${makeCopy} && cp /var/backups/ringbind/proeve.tar . && systemctl disable --now ringbind && rm -r /var/lib/ringbind`,
    instead: COPY,
  },
  'docs/drift.md: kopi=/var/backups/ringbind/foer-opgradering-$(date +%F-%H%M%S).tar': {
    order: 13,
    // No release has these documents yet.
    instead: {
      'git checkout --quiet "$ny"': 'git rev-parse --verify "$ny" && git checkout --quiet origin/main',
    },
  },
  'docs/drift.md: apt-get install postgresql': {
    order: 14,
    instead: {
      'createuser --pwprompt ringbind': `psql -c "create role ringbind login password 'adgangskode'"`,
    },
  },
  'docs/drift.md: kopi=/var/backups/ringbind/flytning-$(date +%F-%H%M%S).tar': { order: 15 },
  'docs/drift.md: runuser -u postgres -- psql --set ON_ERROR_STOP=1 ringbind < /tmp/roller.sql &&': {
    order: 16,
    before: String.raw`sed -n '/^create role ringbind_log/,/^grant create on database/p' /opt/ringbind/docs/drift.md > /tmp/roller.sql`,
    status: 2, // the name of APP_URL has no address here
  },
  'docs/drift.md: cd /opt/ringbind-1 && git fetch --tags && git rev-parse HEAD': {
    why: 'test/long/rolling-upgrade.test.ts replaces instances of a released version one by one',
  },
  'docs/drift.md: systemctl restart ringbind': {
    why: 'it needs a bucket: test/long/move-storage.test.ts has a real one',
  },
  'docs/drift.md: aws s3api put-bucket-cors --bucket ringbind --cors-configuration file://cors.json': {
    why: 'Amazon’s program; test/long/direct.test.ts sets the same rule',
  },
  'docs/drift.md: install -d -o 10001 -m 700 data backup': {
    why: 'test/long/image.test.ts runs the image as compose.yaml does',
  },
  'docs/drift.md: docker compose exec ringbind node scripts/backup.ts /backup/KOPI.tar': {
    why: 'test/long/image.test.ts runs these in the container',
  },
  'docs/drift.md: docker compose down &&': { why: 'the same as the restore above, by docker compose' },
  'docs/drift.md: install -d -o 10001 -g 10001 -m 700 data backup database store': {
    why: 'the images of PostgreSQL and SeaweedFS must be fetched; test/release/docker.test.ts reads the file',
  },
  'docs/drift.md: docker compose --file compose.large.yaml exec store sh -c \'echo "fs.configure -locationPrefix=/buckets/ -fsync -apply" | weed shell\'':
    { why: 'SeaweedFS must be fetched' },
  'docs/flyt-ind.md: npm run import -- /mnt/drev --dry-run tabel.xlsx': {
    why: 'test/start/import-command.test.ts and test/long/import.test.ts',
  },
  'docs/flyt-ind.md: npm run import -- /mnt/drev': { why: 'test/long/import.test.ts' },
  'docs/flyt-ind.md: npm run import -- /mnt/drev --from tabel.xlsx --report regnskab.xlsx': {
    why: 'test/long/import.test.ts',
  },
  'docs/flyt-ind.md: npm run export -- /mnt/ud/kontoret': { why: 'test/start/export.test.ts' },
}
