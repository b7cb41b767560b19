import { createRoot } from 'react-dom/client'
import type { Dropped } from '../pages/drop.ts'

// The least work with which React can show the dropped files.
function Rows({ files }: { files: Dropped[] }) {
  return (
    <ul>
      {files.map(({ name, size }) => (
        <li key={name}>
          <span>{name}</span> <span>{size}</span> <button type="button">Fjern</button>
        </li>
      ))}
    </ul>
  )
}

const root = createRoot(document.getElementById('app')!)
Object.assign(window, { draw: (files: Dropped[]) => root.render(<Rows files={files} />) })
