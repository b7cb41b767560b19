import { stateText } from '../../inbox/inbox.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { urls } from '../../urls.ts'
import type { Received, ReceivedFile } from './start-file.ts'
import { StartFiles } from './start-files.tsx'
import { StartSection } from './start-section.tsx'

/** The files that investors have sent. */
export function ReceivedFiles(received: Received) {
  if (received.files.length === 0) return null
  return (
    <StartSection
      title="Modtaget fra investorer"
      more={{ href: urls.inbox('all'), text: 'Gå til indbakken' }}
    >
      <StartFiles files={received.files} {...UNREAD} from={senderOf} />
      <Rest {...received} />
    </StartSection>
  )
}

/** Says where the files are that are not shown. */
function Rest({ files, total, new_count: newCount }: Received) {
  if (total === files.length) return null
  return (
    <p className="border-t border-line px-4 py-3 text-meta text-muted">
      {newCount > files.length
        ? 'Der er flere nye i indbakken.'
        : `Viser ${files.length} af dem. Resten står i indbakken.`}
    </p>
  )
}

/** A received file is new until somebody takes it, even if it was opened. */
const UNREAD = { read: new Set<number>(), onRead: () => undefined }

const senderOf = (file: ReceivedFile) => <SenderAndState file={file} />

function SenderAndState({ file: { sender, inbox } }: { file: ReceivedFile }) {
  const me = useFrame().user!.id
  return (
    <>
      {inbox.state !== 'new' && `${stateText(inbox, me)} · `}
      {sender && (
        <a
          href={urls.user(sender.id)}
          className="relative inline-flex items-center text-ink underline-offset-2 hover:text-accent hover:underline pointer-coarse:min-h-11"
        >
          {sender.name}
        </a>
      )}
    </>
  )
}
