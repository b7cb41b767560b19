import { Download, FilePlus2 } from 'lucide-react'
import { formatBytes } from '../base/bytes.ts'
import { may } from '../rights.ts'
import { Button } from '../ui/basic/button.tsx'
import { Chip } from '../ui/basic/chip.tsx'
import { useFrame } from '../ui/basic/frame.ts'
import { IconButton } from '../ui/icon/icon-button.tsx'
import { LinkButton } from '../ui/basic/link-button.tsx'
import { IN_NEW_TAB } from '../ui/basic/new-tab.tsx'
import { ShortDate } from '../ui/basic/short-date.tsx'
import { Form } from '../ui/form/form.tsx'
import { CancelButton, Modal } from '../ui/overlay/modal.tsx'
import { modals } from '../ui/overlay/modals.ts'
import { fileUrls, urls } from '../urls.ts'
import type { FileVersion, LoggedFile } from './words/entry.ts'

const MODAL = 'remove-version'

type Owner = NonNullable<LoggedFile['owner']>
type Props = { file: LoggedFile & { owner: Owner; path: string }; versions: FileVersion[] }

/** Lists a file's versions for the office: the shown one, those that wait, and older ones. */
export function VersionList({ file, versions }: Props) {
  const { role } = useFrame().user!
  return (
    <section aria-labelledby="versions" className="rounded-card border border-line bg-surface">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3">
        <h2 id="versions" className="flex-1 text-section font-semibold">
          Versioner
        </h2>
        {may(role, 'changeFiles') && (
          <LinkButton kind="secondary" icon={FilePlus2} href={fileUrls.replace(file.owner, file.id)}>
            Erstat med ny version
          </LinkButton>
        )}
      </header>
      <ul className="divide-y divide-line">
        {versions.map((version) => (
          <Row key={version.id ?? 'shown'} file={file} version={version} />
        ))}
      </ul>
      <Modal<FileVersion>
        name={MODAL}
        title={(version) => `Slet ${nameOf(version).toLowerCase()} for altid?`}
      >
        {(version) => (
          <>
            <p className="mb-6 text-muted">Den kan ikke gendannes. Det, filen viser nu, bliver.</p>
            <Form
              action={fileUrls.removeVersion(file.owner, version.id!)}
              submit="Slet for altid"
              loadingText="Sletter…"
              doneText="Versionen er slettet for altid."
              kind="danger"
              beside={<CancelButton />}
            />
          </>
        )}
      </Modal>
    </section>
  )
}

const nameOf = ({ number }: FileVersion) => (number === null ? 'Ny version' : `Version ${number}`)

function Row({ file, version }: { file: Props['file']; version: FileVersion }) {
  const { role } = useFrame().user!
  const { id, held } = version
  const name = nameOf(version)
  const open = id === null ? fileUrls.open(file.owner, file.path) : fileUrls.openVersion(file.owner, id)
  const download =
    id === null ? fileUrls.download(file.owner, file.path) : fileUrls.downloadVersion(file.owner, id)
  const isOld = id !== null && held === null
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2">
      <span className="min-w-0 flex-1 sm:basis-60">
        <a
          href={open}
          {...IN_NEW_TAB}
          aria-label={`Åbn ${name.toLowerCase()}`}
          className="text-accent underline underline-offset-2"
        >
          {name}
        </a>
        {'\u2002'}
        {id === null && <Chip text="Nyeste" />}
        {held && (
          <a href={urls.release(held.release)} aria-label={`${held.name}: se udsendelsen`}>
            <Chip tone="warn" text={held.name} />
          </a>
        )}
        {isOld && version.is_unpublished && <Chip text="Ikke udgivet" />}
        <span className="block text-meta text-muted tabular-nums">
          <ShortDate at={version.added_at} withTime />
          {version.added_by && ` af ${version.added_by}`} · {formatBytes(version.size)}
        </span>
      </span>
      <div className="flex flex-wrap items-center gap-2 empty:hidden max-sm:order-last max-sm:w-full">
        {isOld && may(role, 'changeFiles') && (
          <Form
            action={fileUrls.restoreVersion(file.owner, id)}
            submit="Gør til den nyeste"
            loadingText="Gemmer…"
            doneText="Gemt. Listen viser, hvilken version der er den nyeste."
            kind="secondary"
            beside={null}
          />
        )}
        {id !== null && may(role, 'removeFiles') && (
          <span className="noscript:hidden">
            <Button
              type="button"
              kind="quiet"
              aria-haspopup="dialog"
              aria-label={`Slet ${name.toLowerCase()} for altid`}
              onClick={() => modals.open(MODAL, version)}
            >
              Slet for altid
            </Button>
          </span>
        )}
      </div>
      <IconButton label={`Hent ${name.toLowerCase()}`} icon={Download} href={download} />
    </li>
  )
}
