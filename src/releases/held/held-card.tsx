import { formatCount } from '../../base/danish/counts.ts'
import { FileLink } from '../../files/content/file-link.tsx'
import { Form } from '../../ui/form/form.tsx'
import { folderAnchor, urls } from '../../urls.ts'
import { countPapers } from '../release/release.ts'
import { MOST_ACCEPTED, readingText, type DoubtedPaper, type HeldPapers } from './held.ts'

type Props = {
  held: HeldPapers
  /** The release whose page it is on. */
  release?: number
}

/**
 * Lists papers that only the office sees because they are not read yet, or because of their contents, with what to do.
 */
export function HeldCard({ held: { reading, scanning, slow, doubts, total, unreadable }, release }: Props) {
  if (reading === 0 && total === 0) return null
  const askable = doubts.filter((doubt) => !doubt.is_virus)
  return (
    <section aria-labelledby="held" className="overflow-clip rounded-card border border-line bg-surface">
      <header className="grid gap-2 border-b border-line bg-warn-soft px-4 py-3 last:border-0">
        <h2 id="held" className="text-section font-semibold text-warn">
          {total === 0
            ? scanning === reading
              ? 'Scannes nu'
              : 'Læses nu'
            : `${countPapers(total)} er holdt tilbage`}
        </h2>
        {reading > 0 && <p>{readingText({ reading, scanning })}</p>}
        {total > 0 && (
          <p>
            Kun kontoret kan se {total === 1 ? 'det' : 'dem'}. Udgiv, eller flyt, omdøb eller slet, hvor{' '}
            {total === 1 ? 'det' : 'de'} ligger.
          </p>
        )}
        {slow.length > 0 && (
          <Accept
            papers={slow}
            release={release}
            text="Udgiv uden at vente på læsningen"
            doneText="Papirerne er ikke holdt tilbage længere."
          />
        )}
        {unreadable.length > 1 && unreadable.length < total && (
          <Accept
            papers={unreadable}
            release={release}
            text={`Udgiv de ${formatCount(unreadable.length)}, der ikke kan læses`}
            doneText="Papirerne er ikke holdt tilbage længere."
          />
        )}
        {askable.length > 1 && (
          <Accept
            papers={unreadable.length === total ? unreadable : askable.map((doubt) => doubt.shown_as)}
            release={release}
            text={`Udgiv ${total === askable.length || unreadable.length === total ? 'alle' : 'de'} ${formatCount(unreadable.length === total ? total : askable.length)} alligevel`}
            doneText="Papirerne er ikke holdt tilbage længere."
          />
        )}
      </header>
      {doubts.length > 0 && <DoubtList doubts={doubts.slice(0, MOST_UNFOLDED)} release={release} />}
      {doubts.length > MOST_UNFOLDED && (
        <details className="border-t border-line">
          <summary className="cursor-pointer px-4 py-3 text-muted hover:text-ink">
            Vis {formatCount(doubts.length - MOST_UNFOLDED)} til
          </summary>
          <DoubtList doubts={doubts.slice(MOST_UNFOLDED)} release={release} />
          {total > doubts.length && (
            <p className="px-4 py-3 text-muted">Listen viser de første {formatCount(doubts.length)}.</p>
          )}
        </details>
      )}
    </section>
  )
}

/** How many papers are shown before the others are unfolded. */
const MOST_UNFOLDED = 3

type DoubtListProps = { doubts: readonly DoubtedPaper[]; release: number | undefined }

const DoubtList = ({ doubts, release }: DoubtListProps) => (
  <ul className="divide-y divide-line">
    {doubts.map((doubt) => (
      <Doubt key={doubt.shown_as} doubt={doubt} release={release} />
    ))}
  </ul>
)

function Doubt({ doubt, release }: { doubt: DoubtedPaper; release: number | undefined }) {
  const {
    paper,
    shown_as: shownAs,
    name,
    path,
    owner,
    folder,
    place,
    found,
    is_version: isVersion,
    is_virus: isVirus,
  } = doubt
  const home =
    'project' in owner
      ? `${urls.files(owner.project)}?open=${folder.id}#${folderAnchor(folder.id)}`
      : urls.user(owner.user)
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-72 gap-1">
        <FileLink owner={owner} file={{ id: paper, path, name }} version={isVersion ? paper : null} />
        <span className="text-meta text-muted">
          {isVersion && 'Ny version. '}
          <a href={home} className="text-accent underline-offset-2 hover:underline">
            {'project' in owner ? `${folder.name} i ${place}` : place}
          </a>
        </span>
        {found.map(({ text }) => (
          <span key={text} className="text-meta text-warn">
            {text}
          </span>
        ))}
      </div>
      {!isVirus && (
        <Accept
          papers={[shownAs]}
          release={release}
          text="Udgiv alligevel"
          doneText={`${name} er ikke holdt tilbage længere.`}
        />
      )}
    </li>
  )
}

type AcceptProps = { papers: string[]; release: number | undefined; text: string; doneText: string }

function Accept({ papers, release, text, doneText }: AcceptProps) {
  return (
    <div>
      <Form
        action={urls.acceptPapers}
        submit={text}
        loadingText="Udgiver…"
        doneText={doneText}
        kind="secondary"
        beside={null}
      >
        <input type="hidden" name="papers" value={papers.slice(0, MOST_ACCEPTED).join(',')} />
        {release !== undefined && <input type="hidden" name="release" value={release} />}
      </Form>
    </div>
  )
}
