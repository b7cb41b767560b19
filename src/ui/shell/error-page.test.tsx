import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { NO_OFFICE } from '../../office/office.ts'
import { FrameProvider, type Frame } from '../basic/frame.ts'
import { ErrorPage } from './error-page.tsx'

const logo = { address: '/office/logo/0123', width: 100, height: 50 }

const frame: Frame = {
  demo: false,
  warning: null,
  factorDue: null,
  timeZone: 'Europe/Copenhagen',
  seen: '',
  theme: 'auto',
  help: '/help',
  path: '/',
  url: '/',
  token: '',
  narrow: false,
  office: { ...NO_OFFICE, name: 'Nordhavn', logo },
  waiting: null,
  viewing: null,
  user: null,
}

it.each([
  [404, true],
  [503, false],
])('an error page shows the logo, except while the database that has it is away: %s', (status, hasMenu) => {
  const html = renderToString(
    <FrameProvider value={frame}>
      <ErrorPage status={status} message="" requestId="1" isExpired={false} hasMenu={hasMenu} />
    </FrameProvider>,
  )
  expect([html.includes(logo.address), html.includes('Nordhavn')]).toEqual([hasMenu, true])
})
