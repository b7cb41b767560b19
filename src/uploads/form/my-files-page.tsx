import { Download, FolderDown } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { ownReadersText } from '../../access/lent.ts'
import { formatBytes } from '../../base/bytes.ts'
import type { ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { FileIcon } from '../../files/file/file-icon.tsx'
import { FILE_ICONS } from '../../files/file/file-icons.tsx'
import { FileLink } from '../../files/content/file-link.tsx'
import { FileMarks } from '../../files/file/file-marks.tsx'
import type { StoredFile } from '../../files/file/stored-file.ts'
import { useReadFiles, whenFollowed } from '../../files/content/use-read-files.ts'
import { SeenForm } from '../../projects/news/seen-form.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { ListFault } from '../../ui/list/list-fault.tsx'
import { IconButton } from '../../ui/icon/icon-button.tsx'
import { IconSprite } from '../../ui/icon/icon-sprite.tsx'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { List } from '../../ui/list/list.tsx'
import { ListPager } from '../../ui/list/list-pager.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { useList } from '../../ui/list/use-list.ts'
import { useLive } from '../../ui/live/use-live.ts'
import { changesOf, fileUrls, urls } from '../../urls.ts'
import { unshownTexts, type Unshown } from '../held/unshown.ts'
import { UploadForm } from './upload-form.tsx'
import type { Limits } from '../transport/upload.ts'

type MyFilesPageProps = {
  userId: number
  /** The advisers who see the files. */
  readers: string[]
  query: ListQuery
  page: Page<StoredFile>
  /** How many of the files that the investor sent wait to be scanned, and how many the office keeps to itself. */
  unshown: Unshown
  /** When the new files were counted; null if there are none. */
  until: string | null
  limits: Limits
  isDirect: boolean
}

const NO_SORTS: string[] = []

/** Shows an investor's own files, and the simple form that sends more to the office. */
export function MyFilesPage({ userId, readers, query, page, unshown, until, ...sending }: MyFilesPageProps) {
  const list = useList({ route: urls.listUserFiles(userId), columns: NO_SORTS, page, query })
  useLive(changesOf(`user:${userId}`), list.refresh)
  const top = useRef<HTMLDivElement>(null)
  const { read, onRead } = useReadFiles()
  const owner = { user: userId }
  const hasFiles = page.meta.total > 0
  const form = useMemo(() => ({ kind: 'simple' as const, userId, readers }), [userId, readers])
  return (
    <Shell
      title="Mine filer"
      actions={
        (hasFiles || until !== null) && (
          <div className="flex flex-wrap gap-3">
            {hasFiles && (
              <LinkButton kind="secondary" href={fileUrls.zip(owner)} icon={FolderDown}>
                Hent alle som ZIP
              </LinkButton>
            )}
            {until !== null && <SeenForm action={urls.myFilesSeen} until={until} />}
          </div>
        )
      }
    >
      <IconSprite icons={FILE_ICONS} />
      <div className="grid gap-8">
        <div ref={top} className="grid scroll-mt-4 gap-4">
          {unshownTexts(unshown).map((text) => (
            <p key={text} className="rounded-control bg-warn-soft px-3 py-2 text-warn">
              {text}
            </p>
          ))}
          <ListFault list={list} message="Filerne kunne ikke hentes." />
          <List
            label="Mine filer"
            items={list.rows}
            keyOf={({ id }) => id}
            total={list.info.total}
            busy={list.isBusy}
            empty="Ingen filer endnu."
            render={(file) => (
              <>
                <FileIcon mime={file.mime} name={file.name} />
                <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-4">
                  <span className="min-w-0 flex-1 basis-60">
                    <FileLink owner={owner} file={file} onRead={onRead} />
                    <FileMarks
                      isNew={file.is_new && !read.has(file.id)}
                      isSent={file.from_investor}
                      file={file}
                    />
                  </span>
                  <span className="text-meta text-muted tabular-nums">
                    <ShortDate at={file.created_at} /> · {formatBytes(file.size)}
                  </span>
                </span>
                <IconButton
                  label={`Hent ${file.name}`}
                  icon={Download}
                  href={fileUrls.download(owner, file.path)}
                  {...whenFollowed(() => onRead(file.id))}
                />
              </>
            )}
          />
          <ListPager list={list} top={top} />
        </div>
        <section aria-labelledby="send" className="grid gap-4">
          <div>
            <h2 id="send" className="scroll-mt-4 text-section font-semibold">
              Send filer til kontoret
            </h2>
            <p className="text-muted">Filerne ses af {ownReadersText('dig', readers)}.</p>
          </div>
          <UploadForm
            form={form}
            {...sending}
            hint={`PDF-filer eller billeder, højst ${formatBytes(sending.limits.bytes)} hver.`}
          />
        </section>
      </div>
    </Shell>
  )
}
