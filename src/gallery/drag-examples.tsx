import { GripVertical } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../ui/basic/button.tsx'
import { useDropArea } from '../ui/drag/use-drop-area.ts'
import { useRowDrag } from '../ui/drag/use-row-drag.ts'
import { Example } from './example.tsx'

type Shelves = Record<string, string[]>
type Dragged = { file: string; shelf: string }

const SHELVES: Shelves = {
  Regnskab: ['Årsrapport 2023', 'Årsrapport 2024', 'Budget 2025'],
  Skat: ['Opgørelse 2024', 'Udbytte 2024'],
}

/** Shows two folders. A file can be moved within its folder and to the other one. */
export function DragExamples() {
  const [shelves, setShelves] = useState(SHELVES)
  const change = (more: Shelves) => setShelves({ ...shelves, ...more })

  function take({ file, shelf }: Dragged, to: string): void {
    change({ [shelf]: shelves[shelf]!.filter((each) => each !== file), [to]: [...shelves[to]!, file] })
  }

  return (
    <Example title="Træk mellem mapper">
      {Object.entries(shelves).map(([name, files]) => (
        <Shelf
          key={name}
          name={name}
          files={files}
          onMove={(from, to) => change({ [name]: files.toSpliced(from, 1).toSpliced(to, 0, files[from]!) })}
          onTake={(dragged) => take(dragged, name)}
        />
      ))}
      <Button kind="quiet" onClick={() => change({ Regnskab: ['Ny fil', ...shelves.Regnskab!] })}>
        Læg ny fil øverst
      </Button>
      <Button kind="quiet" onClick={() => change({ Regnskab: shelves.Regnskab!.slice(1) })}>
        Fjern øverste fil
      </Button>
    </Example>
  )
}

type ShelfProps = {
  name: string
  files: string[]
  onMove: (from: number, to: number) => void
  onTake: (dragged: Dragged) => void
}

function Shelf({ name, files, onMove, onTake }: ShelfProps) {
  const area = useRef<HTMLElement>(null)
  const { isOver } = useDropArea<Dragged>(area, { accepts: ({ shelf }) => shelf !== name, onDrop: onTake })
  return (
    <section
      ref={area}
      aria-label={name}
      data-over={isOver || undefined}
      className={`w-full rounded-card border border-line ${isOver ? 'bg-accent-soft' : 'bg-surface'}`}
    >
      <h3 className="border-b border-line px-4 py-2 font-semibold">{name}</h3>
      <table className="w-full">
        {/* Two parts, as in a long list that shows only some of its rows. */}
        {[0, 2].map((first) => (
          <tbody key={first}>
            {files.slice(first, first === 0 ? 2 : undefined).map((file, index) => (
              <Row key={file} file={file} index={first + index} shelf={name} onMove={onMove} />
            ))}
          </tbody>
        ))}
      </table>
    </section>
  )
}

type RowProps = { file: string; index: number; shelf: string; onMove: (from: number, to: number) => void }

function Row({ file, index, shelf, onMove }: RowProps) {
  const { target, handle, isDragged, line } = useRowDrag<HTMLTableRowElement>(index, onMove, {
    group: shelf,
    payload: { file, shelf },
  })
  return (
    <tr ref={target} data-line={line} className={`drop-line ${isDragged ? 'opacity-50' : ''}`}>
      <td className="h-11 px-4">
        <span className="flex items-center gap-2">
          <span ref={handle} aria-hidden="true" className="cursor-grab text-muted">
            <GripVertical size={16} strokeWidth={1.75} />
          </span>
          {file}
        </span>
      </td>
    </tr>
  )
}
