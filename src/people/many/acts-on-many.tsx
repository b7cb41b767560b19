import { CheckCheck, FolderPlus, MailPlus } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { FIRST_PAGE, readPageInfo } from '../../base/pagination.ts'
import { writeListQuery, type ListQuery } from '../../base/list-query.ts'
import type { Project } from '../../projects/project/project.ts'
import { regretText, type MailLeaving } from '../../releases/mailings/mailing.ts'
import { countPeople } from '../../releases/release/release.ts'
import { may } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { Form } from '../../ui/form/form.tsx'
import { PickField } from '../../ui/form/pick-field.tsx'
import { SelectBar, type BarAct } from '../../ui/list/select-bar.tsx'
import { useBarKeys } from '../../ui/list/use-bar-keys.ts'
import { CancelButton, Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { urls } from '../../urls.ts'
import type { PeopleList } from '../user/people-list.ts'
import { NO_MAIL } from '../user/invitation-link.tsx'
import { selectedPeople } from './selected-people.ts'
import { chosenFields, countOf, invitableOf, NOBODY, type PeopleSelection } from './selection.ts'

type Props = { answer: PeopleList; query: ListQuery; leaving: MailLeaving }

/** The bar for the people who are selected, and what it asks. */
export function ActsOnMany({ answer, query, leaving }: Props) {
  const selection = useSelection(answer, query)
  const [said, setSaid] = useState('')
  const count = countOf(selection)
  const text = count > 0 ? `${countPeople(count)} valgt` : null
  const clear = () => selectedPeople.set(NOBODY)
  useBarKeys(text, 'Ingen personer valgt', setSaid, clear)
  const list = writeListQuery(query)
  const toInvite = leaving.sendsMail ? invitableOf(selection) : 0
  const { total } = readPageInfo(answer)

  const acts: BarAct[] = [
    ...(toInvite > 0
      ? [
          {
            key: 'invite',
            text: 'Inviter',
            icon: MailPlus,
            onPress: () => modals.open(INVITE),
          },
        ]
      : []),
    {
      key: 'add',
      text: 'Til projekt',
      icon: FolderPlus,
      onPress: () => modals.open(ADD),
    },
    ...(!selection.all && total > count
      ? [{ key: 'all', text: `Vælg alle ${total}`, icon: CheckCheck, onPress: selectAll }]
      : []),
  ]

  function selectAll(): void {
    const { invitable } = answer
    selectedPeople.set({ ...NOBODY, all: { total, invitable } })
  }

  return (
    <>
      <output className="sr-only">{said}</output>
      {text !== null && <SelectBar label="Valgte personer" text={text} acts={acts} onClose={clear} />}
      <Modal name={INVITE} title={`Inviter ${countPeople(toInvite)}?`}>
        <p className="mb-6 text-muted">
          {toInvite < count &&
            `${countPeople(count - toInvite)} bliver sprunget over: de er deaktiverede, administratorer, har et login eller har en invitation på vej. `}
          {regretText(leaving)}
        </p>
        <Form action={urls.inviteMany} submit="Inviter" loadingText="Inviterer…" beside={<CancelButton />}>
          <Chosen {...{ selection, list }} />
        </Form>
      </Modal>
      <Modal name={ADD} title={`Tilføj ${countPeople(count)} til et projekt`}>
        <Form action={urls.addToProject} submit="Tilføj" loadingText="Tilføjer…" beside={<CancelButton />}>
          <Chosen {...{ selection, list }} />
          <PickProject />
        </Form>
      </Modal>
    </>
  )
}

const INVITE = 'invite-many'
const ADD = 'add-to-project'

/** The selection, which is of one search and its filters, on all their pages. */
function useSelection(answer: PeopleList, query: ListQuery): PeopleSelection {
  useEffect(() => selectedPeople.show(answer.data), [answer])
  const found = writeListQuery({ ...query, sort: null, page: FIRST_PAGE })
  const was = useRef(found)
  useEffect(() => {
    if (was.current !== found) selectedPeople.set(NOBODY)
    was.current = found
  }, [found])
  useEffect(() => () => selectedPeople.set(NOBODY), [])
  return useSyncExternalStore(selectedPeople.listen, selectedPeople.now, () => NOBODY)
}

/** Invites everybody who is found and never came, also without JavaScript, or says who may. */
export function InviteAll({ answer, query, leaving }: Props) {
  const { role } = useFrame().user!
  const { invitable } = answer
  const { total } = readPageInfo(answer)
  if (query.filter !== 'never' || invitable === 0) return null
  if (!may(role, 'editUsers'))
    return <p className="text-meta text-muted">Kun administratorer kan invitere.</p>
  if (!leaving.sendsMail)
    return (
      <p className="text-meta text-muted">{`${NO_MAIL} Åbn hver person, og inviter derfra: Du får et link at give videre.`}</p>
    )
  const all = total === 1 ? 'Inviter 1 person' : `Inviter alle ${total}`
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
      <Form
        action={urls.inviteMany}
        submit={invitable === total ? all : `Inviter ${invitable} af ${total}`}
        loadingText="Inviterer…"
        kind="secondary"
        beside={null}
      >
        <input type="hidden" name="list" value={writeListQuery(query)} />
        <input type="hidden" name="count" value={total} />
      </Form>
      <p className="text-meta text-muted">{regretText(leaving)}</p>
    </div>
  )
}

function Chosen({ selection, list }: { selection: PeopleSelection; list: string }) {
  const fields = { list, ...chosenFields(selection) }
  return Object.entries(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ))
}

function PickProject() {
  const [project, setProject] = useState<Project | null>(null)
  return (
    <>
      <input type="hidden" name="project" value={project?.id ?? ''} />
      <PickField<Project>
        label="Projekt"
        placeholder="Nummer eller navn"
        route={urls.listProjects}
        picked={project}
        onPick={setProject}
        keyOf={({ id }) => id}
        textOf={({ number, name }) => `${number} ${name}`}
      />
    </>
  )
}
