import { Archive, Download, Ellipsis, FolderInput, Pencil, Star, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Dropdown } from '../ui/menu/dropdown.tsx'
import { IconButton } from '../ui/icon/icon-button.tsx'
import { MenuButton } from '../ui/menu/menu-button.tsx'
import { Menu } from '../ui/menu/menu.tsx'
import type { MenuHandle, MenuStart } from '../ui/menu/use-menu-opener.ts'
import { modals } from '../ui/overlay/modals.ts'
import { Example } from './example.tsx'
import { FOLDERS, galleryCalls, MENUS, type MenuKind } from './gallery-calls.ts'

type Folder = (typeof FOLDERS)[number]

const TEXTS: Record<MenuKind, string> = {
  folders: 'Hent mapper',
  slow: 'Hent langsomt',
  empty: 'Hent ingenting',
  failing: 'Hent med fejl',
}

export function MenuExamples() {
  const [chosen, setChosen] = useState('intet')
  const itemOf = ({ id, name }: Folder) => ({ key: id, text: name, onSelect: () => setChosen(name) })
  return (
    <>
      <Example title="Menuer">
        <Dropdown
          label="Opret"
          items={[
            { key: 'project', text: 'Projekt', href: '#projekt' },
            { key: 'person', text: 'Bruger', href: '#bruger' },
            { key: 'window', text: 'Formular i vindue', onSelect: () => modals.open('gallery-form') },
          ]}
        />
        <Dropdown
          label="Handlinger"
          icon={Ellipsis}
          iconOnly
          items={[
            { key: 'download', text: 'Hent', href: '#hent', icon: Download },
            { key: 'rename', text: 'Omdøb', icon: Pencil, onSelect: () => setChosen('Omdøb') },
            { key: 'archive', text: 'Arkiver', icon: Archive, onSelect: () => setChosen('Arkiver') },
            { key: 'delete', text: 'Slet', icon: Trash2, danger: true, onSelect: () => setChosen('Slet') },
          ]}
        />
        <Dropdown
          label="Flyt til mappe"
          icon={FolderInput}
          kind="quiet"
          search="Find mappe"
          items={FOLDERS.map(itemOf)}
        />
        {MENUS.map((kind) => (
          <Dropdown<Folder>
            key={kind}
            label={TEXTS[kind]}
            route={galleryCalls.menu(kind)}
            toItem={(folder) => itemOf(folder)}
          />
        ))}
        <p className="text-muted">Valgt: {chosen}</p>
      </Example>
      <Example title="Én menu for flere rækker">
        <SharedMenu />
      </Example>
      <Example title="Ikonknapper">
        <IconButton label="Favorit" icon={Star} onClick={() => setChosen('Favorit')} />
        <IconButton label="Hent fil" icon={Download} href="#fil" />
        <IconButton label="Slet række" icon={Trash2} danger onClick={() => setChosen('Slet række')} />
        <IconButton label="Omdøber" icon={Pencil} busy onClick={() => setChosen('Omdøber')} />
        <IconButton label="Kan ikke arkiveres" icon={Archive} disabled onClick={() => setChosen('Arkiv')} />
      </Example>
    </>
  )
}

const FILES = ['Årsrapport.pdf', 'Budget.xlsx', 'Referat.docx']

/** Shows one menu that opens at the button of any row. The first file is in the first folder, and so on. */
function SharedMenu() {
  const menu = useRef<MenuHandle>(null)
  const [subject, setSubject] = useState('')
  const [moved, setMoved] = useState('intet')

  function open(file: string, button: HTMLElement, start: MenuStart): void {
    setSubject(file)
    menu.current!.openAt(button, start)
  }

  const home = FOLDERS[FILES.indexOf(subject)]
  return (
    <>
      <ul className="w-full max-w-[360px] divide-y divide-line">
        {FILES.map((file) => (
          <li key={file} className="flex items-center justify-between py-1">
            {file}
            <MenuButton
              label={`Flyt ${file} til mappe`}
              icon={FolderInput}
              aria-haspopup="dialog"
              onOpen={(button, start) => open(file, button, start)}
            />
          </li>
        ))}
      </ul>
      <Menu<Folder>
        ref={menu}
        label={`Flyt ${subject} til mappe`}
        search="Søg mappe"
        toTheLeft
        route={galleryCalls.menu('folders')}
        toItem={({ id, name }) => ({
          key: id,
          text: name,
          ...(id === home?.id && { disabled: true, hint: 'Ligger her' }),
          onSelect: () => setMoved(`${subject} til ${name}`),
        })}
      />
      <p className="text-muted">Flyttet: {moved}</p>
    </>
  )
}
