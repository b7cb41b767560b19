import { useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'

// The least that makes React take over rows that the server has drawn. `bench/pages/phone.ts` writes the same HTML.
function List({ names }: { names: string[] }) {
  useEffect(() => {
    document.documentElement.dataset.hydrated = ''
  }, [])
  return (
    <ul>
      {names.map((name) => (
        <li key={name} data-file="">
          <span>{name}</span>
          <button type="button" data-act="menu">
            Flere
          </button>
        </li>
      ))}
    </ul>
  )
}

const app = document.getElementById('app')!
const names = [...app.querySelectorAll('li span')].map((each) => each.textContent)
hydrateRoot(app, <List names={names} />)
