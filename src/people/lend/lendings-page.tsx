import { CircleCheck, Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { scopeText, untilText } from '../../access/lent.ts'
import { regretText, type MailLeaving } from '../../releases/mailings/mailing.ts'
import { Chip } from '../../ui/basic/chip.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import { lendingValues } from './lending-edit.ts'
import type { Lending } from './lending.ts'
import { TermsFields, type LenderInForm } from './terms-fields.tsx'

type LendingsPageProps = {
  lender: LenderInForm
  /** The address of the page. */
  home: string
  lendings: Lending[]
  /** The one whose terms are being changed. */
  edited: number | null
  /** The folder names to choose from. */
  folders: string[]
  leaving: MailLeaving
  /** Access was just given. */
  isDone: boolean
  refused?: RefusedForm
}

/** Shows who else sees an investor's papers, and gives access to others. */
export function LendingsPage({
  lender,
  home,
  lendings,
  edited,
  folders,
  leaving,
  isDone,
  refused,
}: LendingsPageProps) {
  const { isOwn, name } = lender
  const { sendsMail } = leaving
  const pending = lendings.some(({ adviser }) => adviser.is_pending)
  return (
    <Shell
      title="Adgang for andre"
      crumbs={
        isOwn
          ? [{ text: 'Min profil', href: urls.profile }]
          : [
              { text: 'Personer', href: urls.users },
              { text: name, href: urls.user(lender.id) },
            ]
      }
      {...(!isOwn && { above: name, aboveHref: urls.user(lender.id) })}
    >
      <div className="grid max-w-[640px] gap-6">
        {isDone && (
          <output className="flex gap-2 rounded-control bg-ok-soft px-3 py-2 text-ok">
            <CircleCheck size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
            Adgangen er givet.
          </output>
        )}
        {!sendsMail && pending && isOwn && (
          <p className="rounded-control bg-warn-soft px-3 py-2 text-warn">
            Ringbind sender ingen mails. Bed kontoret om at give linket videre.
          </p>
        )}
        <section aria-labelledby="lent" className="rounded-card border border-line bg-surface">
          <h2 id="lent" className="border-b border-line px-4 py-3 text-section font-semibold">
            Har adgang nu
          </h2>
          {lendings.length === 0 ? (
            <p className="px-4 py-6 text-muted">Ingen rådgivere har adgang.</p>
          ) : (
            <ul>
              {lendings.map((lending) => (
                <LendingItem key={lending.id} {...{ home, lending, lender, leaving }}>
                  {lending.id === edited && <EditTerms {...{ home, lending, lender, folders, refused }} />}
                </LendingItem>
              ))}
            </ul>
          )}
        </section>
        {edited !== null ? null : lender.isActive ? (
          <section aria-labelledby="lend" className="rounded-card border border-line bg-surface p-4 sm:p-6">
            <h2 id="lend" className="text-section font-semibold">
              Giv en anden adgang
            </h2>
            <p className="mt-1 mb-4 text-muted">
              Den anden får sit eget login og kan kun læse. Du kan altid tage adgangen tilbage.
            </p>
            <Form
              action={home}
              submit="Giv adgang"
              loadingText="Giver adgang…"
              refused={refused}
              beside={null}
              warnsBeforeLeaving
              className="group grid gap-4"
            >
              <Field name="name" label="Navn" autoComplete="off" defaultValue={refused?.values.name} />
              <Field
                name="email"
                label="E-mail"
                type="email"
                autoComplete="off"
                {...(isOwn && sendsMail && { help: 'Den anden får en mail om, hvordan man logger ind.' })}
                defaultValue={refused?.values.email}
              />
              <TermsFields lender={lender} folders={folders} lending={null} />
              {!isOwn && (
                <p className="text-meta text-muted">
                  2 personer får en mail: {name} og den, der får adgang. {regretText(leaving)}
                </p>
              )}
            </Form>
          </section>
        ) : (
          <p className="text-muted">{name} er deaktiveret, så ingen af adgangene gælder.</p>
        )}
      </div>
    </Shell>
  )
}

const leavesAt = (asked: string, minutes: number) =>
  new Date(Date.parse(asked) + minutes * 60_000).toISOString()

type ItemProps = { home: string; lending: Lending } & Pick<LendingsPageProps, 'lender' | 'leaving'> & {
    children: ReactNode
  }

/** The row of one adviser. What it has inside stands for its buttons. */
function LendingItem({ home, lending, lender, leaving, children }: ItemProps) {
  const { timeZone } = useFrame()
  const { id, adviser, gets_mails: getsMails, until } = lending
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3 last:border-0">
      <span className="min-w-0 flex-1 basis-60">
        <span className="font-medium wrap-anywhere">{adviser.name}</span>{' '}
        {adviser.is_deactivated ? (
          <Chip text="Deaktiveret" />
        ) : (
          adviser.is_pending && <Chip tone="warn" text="Har ikke logget ind endnu" />
        )}
        <span className="block text-meta wrap-anywhere text-muted">{adviser.email}</span>
        <span className="block text-meta text-muted">
          {scopeText(lending)} · {untilText(until, timeZone)}
          {getsMails && ' · får mails om nye filer'}
        </span>
        {lending.mails_asked_at !== null && !lender.isOwn && leaving.sendsMail && (
          <span className="block text-meta font-medium">
            Mails til {lender.name} og {adviser.name} sendes tidligst{' '}
            <ShortDate at={leavesAt(lending.mails_asked_at, leaving.minutes)} withTime="spoken" />. Tages
            adgangen tilbage inden, bliver de ikke sendt.
          </span>
        )}
      </span>
      {children || (
        <div className="flex flex-wrap gap-2">
          {lender.isActive && (
            <LinkButton
              kind="secondary"
              href={urls.lending(home, id)}
              icon={Pencil}
              aria-label={`Ret adgangen for ${adviser.name}`}
            >
              Ret
            </LinkButton>
          )}
          <Form
            action={urls.takeBack(home, id)}
            submit="Tag tilbage"
            loadingText="Tager tilbage…"
            kind="secondary"
            doneText={`${adviser.name} har ikke længere adgang.`}
            beside={null}
          />
        </div>
      )}
    </li>
  )
}

type EditProps = { lending: Lending; refused: RefusedForm | undefined } & Pick<
  LendingsPageProps,
  'home' | 'lender' | 'folders'
>

function EditTerms({ home, lending, lender, folders, refused }: EditProps) {
  return (
    <div className="basis-full pb-2">
      <Form
        action={urls.lending(home, lending.id)}
        submit="Gem"
        loadingText="Gemmer…"
        doneText="Adgangen er ændret."
        refused={refused}
        was={lendingValues(lending)}
        warnsBeforeLeaving
        beside={
          <LinkButton kind="secondary" href={home}>
            Annuller
          </LinkButton>
        }
        className="group grid gap-4"
      >
        <TermsFields lender={lender} folders={folders} lending={lending} />
      </Form>
    </div>
  )
}
