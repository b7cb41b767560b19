import type { ReactNode } from 'react'
import { SCOPE_NAMES } from '../accounts/tokens/token.ts'
import { formatBytes } from '../base/bytes.ts'
import { formatCount } from '../base/danish/counts.ts'
import { ERROR_CODES } from '../base/error-codes.ts'
import { SCOPES } from '../rights.ts'
import { useFrame } from '../ui/basic/frame.ts'
import { Shell } from '../ui/shell/shell.tsx'
import { urls } from '../urls.ts'
import { CallCard } from './call-card.tsx'
import { Code } from './code.tsx'
import type { Docs } from './docs.ts'
import { FieldList } from './field-list.tsx'

type DocsPageProps = {
  docs: Docs
  limits: { calls: number; fileBytes: number; files: number }
}

const LINK = 'text-accent underline underline-offset-2 hover:text-accent-strong'

/** The page about the API, for programmers of other programs. It needs no sign-in. */
export function DocsPage(props: DocsPageProps) {
  const { user } = useFrame()
  if (user)
    return (
      <Shell title="API" crumbs={[{ text: 'API-nøgler', href: urls.ownTokens }]}>
        <Body {...props} />
      </Shell>
    )
  return (
    <main id="indhold" className="mx-auto min-h-dvh w-full max-w-[1120px] px-4 py-6 sm:px-6 sm:py-8">
      <h1 className="mb-6 text-title font-semibold">Ringbinds API</h1>
      <Body {...props} />
    </main>
  )
}

function Body({ docs, limits }: DocsPageProps) {
  const chapters = docs.chapters.map(({ name }, index) => ({ id: `kapitel-${index + 1}`, name }))
  return (
    <div className="grid gap-8 lg:grid-cols-[180px_minmax(0,1fr)]">
      <Contents
        links={[
          { id: 'begynd', name: 'Kom i gang' },
          { id: 'regler', name: 'Sådan virker det' },
          ...chapters,
          { id: 'fejl', name: 'Fejlkoder' },
          { id: 'typer', name: 'Typer' },
        ]}
      />
      <div className="grid min-w-0 gap-10">
        <p className="-mb-4 max-w-[640px] text-muted">
          Med API’et kan andre programmer læse, uploade og ændre i Ringbind. Til maskiner:{' '}
          <a href={urls.apiDescription} className={LINK}>
            {urls.apiDescription}
          </a>{' '}
          (OpenAPI 3.1).
        </p>
        <Start base={docs.base} />
        <Rules limits={limits} />
        {docs.chapters.map(({ name, calls }, index) => (
          <Section key={name} id={`kapitel-${index + 1}`} title={name}>
            <ul className="divide-y divide-line rounded-card border border-line bg-surface">
              {calls.map((call) => (
                <li key={call.id}>
                  <CallCard call={call} />
                </li>
              ))}
            </ul>
          </Section>
        ))}
        <Errors />
        <Section id="typer" title="Typer">
          <div className="divide-y divide-line rounded-card border border-line bg-surface">
            {docs.types.map(({ name, says, fields }) => (
              <section key={name} id={`type-${name}`} className="scroll-mt-4 p-4 sm:px-6">
                <h3 translate="no" className="font-mono font-semibold">
                  {name}
                </h3>
                <p className="mb-3 text-muted">{says}</p>
                <FieldList fields={fields} />
              </section>
            ))}
          </div>
        </Section>
      </div>
    </div>
  )
}

function Contents({ links }: { links: { id: string; name: string }[] }) {
  return (
    <nav aria-label="På siden" className="print:hidden lg:sticky lg:top-6 lg:self-start">
      <ul className="flex flex-wrap gap-x-4 lg:block">
        {links.map(({ id, name }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="inline-flex min-h-9 items-center text-muted underline-offset-2 hover:text-ink hover:underline pointer-coarse:min-h-11"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3 scroll-mt-4 text-section font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

function Start({ base }: { base: string }) {
  return (
    <Section id="begynd" title="Kom i gang">
      <ol className="grid max-w-[760px] list-decimal gap-4 pl-5">
        <li>
          <p className="mb-2">
            Lav en nøgle under{' '}
            <a href={urls.ownTokens} className={LINK}>
              Min profil › API-nøgler
            </a>
            , og læg den i en variabel. Nøglen er hemmelig: den, der har den, kan det, du kan.
          </p>
          <Code text="export RINGBIND_TOKEN=rb_…" />
        </li>
        <li>
          <p className="mb-2">Prøv den.</p>
          <Code text={`curl -H "Authorization: Bearer $RINGBIND_TOKEN" "${base}${urls.me}"`} />
        </li>
        <li>
          <p className="mb-2">
            Upload en fil. Navnet siger, hvor den hører til: mappen Årsrapport i projekt 1024.
          </p>
          <Code
            text={`curl -H "Authorization: Bearer $RINGBIND_TOKEN" \\\n  -F "file=@Årsrapport (1024) 2025.pdf" \\\n  "${base}${urls.fileByName}"`}
          />
        </li>
      </ol>
    </Section>
  )
}

function Rules({ limits: { calls, fileBytes, files } }: Pick<DocsPageProps, 'limits'>) {
  return (
    <Section id="regler" title="Sådan virker det">
      <dl className="grid max-w-[760px] gap-4">
        <Rule title="Adgang">
          Et program ser og må det samme som personen bag nøglen, inden for nøglens områder:{' '}
          {SCOPES.map((scope) => `${SCOPE_NAMES[scope]} (${scope})`).join(', ')}. Loggen viser, hvad det gør,
          med personens og nøglens navn.
        </Rule>
        <Rule title="Kladder">
          Filer, som et program uploader, er kladder: kun kontoret ser dem, til nogen udgiver dem. Programmet
          kan sige <Word>publish=now</Word>, så ses de med det samme af dem, der har adgang til mappen.
        </Rule>
        <Rule title="Det samme to gange">
          Gik forbindelsen tabt, så send det samme igen med den samme <Word>Idempotency-Key</Word>, en tekst,
          programmet selv vælger. Er filerne allerede gemt, gemmes de ikke igen. Den samme nøgle til noget
          andet giver <Word>idempotency_key_reused</Word>.
        </Rule>
        <Rule title="Lister">
          Lister kommer i sider: <Word>data</Word> har rækkerne, og <Word>meta.next_page</Word> er den næste
          side eller null. Spørg efter den med <Word>?page=2</Word>.
        </Rule>
        <Rule title="Grænser">
          Dine nøgler kan tilsammen bruges {formatCount(calls)} gange i minuttet. Derefter er svaret 429, og{' '}
          <Word>Retry-After</Word> siger, hvor mange sekunder der skal ventes. En fil må højst fylde{' '}
          {formatBytes(fileBytes)}, og der kan sendes {formatCount(files)} filer ad gangen.
        </Rule>
        <Rule title="Fejl">
          Svaret har altid <Word>message</Word> på dansk til mennesker og <Word>code</Word> til programmer.{' '}
          <Word>errors</Word> har fejlene ved hvert felt. Bliver noget nægtet, er intet ændret.
        </Rule>
        <Rule title="Nye felter">
          Felter og kald kan komme til, men ikke forsvinde eller skifte betydning. Se bort fra ukendte felter.
        </Rule>
      </dl>
    </Section>
  )
}

function Rule({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid gap-1 sm:grid-cols-[140px_minmax(0,1fr)] sm:gap-4">
      <dt className="font-medium">{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}

const Word = ({ children }: { children: ReactNode }) => (
  <code translate="no" className="rounded-control bg-sunken px-1 font-mono wrap-anywhere">
    {children}
  </code>
)

function Errors() {
  return (
    <Section id="fejl" title="Fejlkoder">
      <dl className="divide-y divide-line rounded-card border border-line bg-surface">
        {Object.entries(ERROR_CODES).map(([code, { status, says }]) => (
          <div
            key={code}
            className="grid gap-1 px-4 py-3 sm:grid-cols-[260px_minmax(0,1fr)] sm:gap-4 sm:px-6"
          >
            <dt translate="no" className="font-mono wrap-anywhere">
              <span className="text-muted tabular-nums">{status}</span> {code}
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
