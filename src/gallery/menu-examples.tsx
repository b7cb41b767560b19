import { Archive, Download, Ellipsis, FolderInput, Pencil, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Dropdown } from '../ui/dropdown.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { modals } from '../ui/modals.ts'
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
            { key: 'archive', text: 'Arkivér', icon: Archive, onSelect: () => setChosen('Arkivér') },
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
