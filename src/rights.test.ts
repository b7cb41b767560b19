import { glob, readFile } from 'node:fs/promises'
import { signedOutText } from './base/signed-out.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../test/app.ts'
import { makeProject, makeUser, PASSWORD } from '../test/make.ts'
import { Visitor } from '../test/visitor.ts'
import { addressOf, chaptersFor, type Chapter } from './help/manual.ts'
import { installedManual } from './help/open-manual.server.ts'
import type { Envelope } from './pages.ts'
import { isOffice, may, rights, ROLES, type Right, type Role } from './rights.ts'
import { urls } from './urls.ts'

/**
 * How to call each route: its address with real ids, and the fields of its form. A missing route fails the test.
 */
const CALLS: Record<string, { url: string; fields?: Record<string, string> }> = {
  'GET /': { url: '/' },
  'GET /api/changes': { url: '/api/changes' },
  'GET /login': { url: '/login' },
  'POST /login': { url: '/login', fields: { email: 'x@example.dk', password: 'x' } },
  'POST /prove/with/:provider': { url: '/prove/with/findes-ikke' },
  'GET /login/code': { url: '/login/code' },
  'POST /login/code': { url: '/login/code', fields: { code: '123456' } },
  'POST /login/passkey': { url: '/login/passkey' },
  'POST /api/passkey': { url: '/api/passkey' },
  'GET /profile/second-factor': { url: '/profile/second-factor' },
  'POST /profile/second-factor/app': { url: '/profile/second-factor/app' },
  'POST /profile/second-factor/app/remove': { url: '/profile/second-factor/app/remove' },
  'POST /api/profile/passkey': { url: '/api/profile/passkey' },
  'POST /profile/second-factor/passkeys': { url: '/profile/second-factor/passkeys' },
  'POST /profile/second-factor/passkeys/:passkey/remove': {
    url: '/profile/second-factor/passkeys/99999/remove',
  },
  'POST /profile/second-factor/codes': { url: '/profile/second-factor/codes' },
  'POST /users/:user/reset-second-factor': { url: '/users/99999/reset-second-factor' },
  'POST /users/:user/identities/:identity/unlink': { url: '/users/99999/identities/1/unlink' },
  'GET /profile/tokens': { url: '/profile/tokens' },
  'POST /profile/tokens': { url: '/profile/tokens', fields: { name: '' } },
  'POST /profile/tokens/:token/revoke': { url: '/profile/tokens/99999/revoke' },
  'GET /settings/tokens': { url: '/settings/tokens' },
  'POST /settings/tokens/outside': { url: '/settings/tokens/outside' },
  'POST /settings/office/placing': { url: '/settings/office/placing' },
  'POST /settings/tokens/:token/revoke': { url: '/settings/tokens/99999/revoke' },
  'GET /settings/sign-in': { url: '/settings/sign-in' },
  'GET /metrics': { url: '/metrics' },
  'GET /settings/status': { url: '/settings/status' },
  'POST /settings/sign-in': { url: '/settings/sign-in' },
  'POST /logout': { url: '/logout' },
  'GET /prove': { url: '/prove' },
  'POST /prove': { url: '/prove', fields: { proof_password: 'x' } },
  'GET /setup': { url: '/setup' },
  'POST /setup': { url: '/setup' },
  'GET /forgot-password': { url: '/forgot-password' },
  'POST /forgot-password': { url: '/forgot-password', fields: { email: 'x@example.dk' } },
  'GET /reset-password/:token': { url: '/reset-password/x' },
  'POST /reset-password/:token': { url: '/reset-password/x', fields: { password: 'x' } },
  'POST /reset-password/:token/again': { url: '/reset-password/x/again' },
  'POST /invitation/:token/again': { url: '/invitation/x/again' },
  'GET /invitation/:token': { url: '/invitation/x' },
  'POST /invitation/:token': { url: '/invitation/x', fields: { password: 'x' } },
  'GET /login/with/:provider': { url: '/login/with/findes-ikke' },
  'POST /login/with/:provider': { url: '/login/with/findes-ikke' },
  'GET /login/with/:provider/answer': { url: '/login/with/findes-ikke/answer' },
  'POST /invitation/:token/with/:provider': { url: '/invitation/x/with/findes-ikke' },
  'POST /profile/link/:provider': { url: '/profile/link/findes-ikke' },
  'POST /profile/identities/:identity/unlink': { url: '/profile/identities/99999/unlink' },
  'GET /obligations': { url: '/obligations' },
  'GET /year': { url: '/year' },
  'GET /year/excel': { url: '/year/excel' },
  'GET /year/list': { url: '/year/list' },
  'GET /year/list/excel': { url: '/year/list/excel' },
  'GET /year/rules': { url: '/year/rules' },
  'POST /obligations/events': { url: '/obligations/events', fields: { number: '' } },
  'POST /obligations/responsible': {
    url: '/obligations/responsible',
    fields: { filters: '?q=ingen', count: '1' },
  },
  'POST /obligations/:duty/withdraw': { url: '/obligations/99999/withdraw' },
  'POST /obligations/:duty/excuse': { url: '/obligations/99999/excuse', fields: { excuse: '' } },
  'POST /obligations/:duty/expect': { url: '/obligations/99999/expect' },
  'POST /obligations/:duty/done': { url: '/obligations/99999/done' },
  'POST /obligations/:duty/reopen': { url: '/obligations/99999/reopen' },
  'POST /obligations/:duty/responsible': { url: '/obligations/99999/responsible' },
  'GET /receipts/:receipt': { url: '/receipts/99999' },
  'POST /receipts/:receipt/accept': { url: '/receipts/99999/accept' },
  'POST /receipts/:receipt/refuse': { url: '/receipts/99999/refuse' },
  'POST /receipts/:receipt/take-back': { url: '/receipts/99999/take-back' },
  'POST /receipts/:receipt/teach': { url: '/receipts/99999/teach' },
  'POST /settings/receipt-layouts/:layout/remove': { url: '/settings/receipt-layouts/99999/remove' },
  'GET /settings/import': { url: '/settings/import' },
  'POST /settings/import': { url: '/settings/import' },
  'GET /settings/import/sheet.xlsx': { url: '/settings/import/sheet.xlsx' },
  'POST /settings/import/sheets/:sheet/columns': { url: '/settings/import/sheets/1/columns' },
  'GET /settings/import/sheets/:sheet/rest.xlsx': { url: '/settings/import/sheets/1/rest.xlsx' },
  'GET /settings/import/:done/rest.xlsx': { url: '/settings/import/1/rest.xlsx' },
  'GET /settings/import/sheets/:sheet': { url: '/settings/import/sheets/99999' },
  'POST /settings/import/sheets/:sheet': { url: '/settings/import/sheets/99999', fields: { plan: 'x' } },
  'POST /settings/import/sheets/:sheet/discard': { url: '/settings/import/sheets/99999/discard' },
  'GET /api/settings/import/sheets/:sheet/rows': { url: '/api/settings/import/sheets/99999/rows' },
  'POST /settings/import/:done/invite': { url: '/settings/import/99999/invite' },
  'POST /settings/import/:done/regret-invitations': { url: '/settings/import/99999/regret-invitations' },
  'POST /settings/import/followed': { url: '/settings/import/followed', fields: { count: '0' } },
  'POST /settings/import/:done/undo': { url: '/settings/import/99999/undo' },
  'GET /settings/obligations': { url: '/settings/obligations' },
  'GET /settings/obligations/new': { url: '/settings/obligations/new' },
  'POST /settings/obligations/new': { url: '/settings/obligations/new', fields: { title: '' } },
  'GET /settings/obligations/:obligation': { url: '/settings/obligations/99999' },
  'POST /settings/obligations/:obligation': { url: '/settings/obligations/99999' },
  'POST /settings/obligations/:obligation/remove': { url: '/settings/obligations/99999/remove' },
  'GET /settings/hooks': { url: '/settings/hooks' },
  'GET /settings/programs': { url: '/settings/programs' },
  'GET /settings/hooks/new': { url: '/settings/hooks/new' },
  'POST /settings/hooks/new': { url: '/settings/hooks/new', fields: { name: '' } },
  'GET /settings/hooks/:hook': { url: '/settings/hooks/99999' },
  'GET /settings/hooks/:hook/edit': { url: '/settings/hooks/99999/edit' },
  'POST /settings/hooks/:hook/edit': { url: '/settings/hooks/99999/edit' },
  ...Object.fromEntries(
    ['on', 'off', 'test', 'secret', 'remove'].map((act) => [
      `POST /settings/hooks/:hook/${act}`,
      { url: `/settings/hooks/99999/${act}` },
    ]),
  ),
  'POST /settings/hooks/:hook/deliveries/:delivery/again': {
    url: '/settings/hooks/99999/deliveries/99999/again',
  },
  'GET /profile/calendar': { url: '/profile/calendar' },
  'POST /profile/calendar': { url: '/profile/calendar' },
  'POST /profile/calendar/end': { url: '/profile/calendar/end' },
  'GET /calendar/:secret.ics': { url: '/calendar/findes-ikke-men-er-lang-nok.ics' },
  'GET /profile': { url: '/profile' },
  'POST /profile': { url: '/profile', fields: { name: '' } },
  'POST /profile/password': { url: '/profile/password', fields: { password: '' } },
  'POST /profile/mails': { url: '/profile/mails', fields: { mail_rate: 'oftere' } },
  'POST /profile/warnings': { url: '/profile/warnings', fields: { is_warned: 'måske' } },
  'GET /stop-mails/:token': { url: '/stop-mails/1.forged' },
  'POST /stop-mails/:token': { url: '/stop-mails/1.forged' },
  'POST /profile/image': { url: '/profile/image' },
  'POST /profile/sessions/:session/end': { url: '/profile/sessions/99999/end' },
  'POST /profile/sessions/end-others': { url: '/profile/sessions/end-others' },
  'GET /users/:user/image/:key': { url: '/users/99999/image/x' },
  'POST /stop-viewing': { url: '/stop-viewing' },
  'POST /users/:user/view-as': { url: '/users/99999/view-as' },
  'POST /theme': { url: '/theme', fields: { theme: 'dark' } },
  'GET /projects': { url: '/projects' },
  'POST /api/fault': { url: '/api/fault' },
  'GET /api/me': { url: '/api/me' },
  'GET /api/openapi.json': { url: '/api/openapi.json' },
  'GET /api/docs': { url: '/api/docs' },
  'GET /api/projects': { url: '/api/projects' },
  'GET /projects/new': { url: '/projects/new' },
  'POST /projects/new': { url: '/projects/new', fields: { number: '' } },
  'GET /projects/:project/edit': { url: '/projects/1/edit' },
  'POST /projects/:project/edit': { url: '/projects/1/edit', fields: { number: '' } },
  ...folderCalls('/projects/:project/folders', '/projects/1/folders'),
  ...folderCalls('/settings/folders', '/settings/folders'),
  'POST /settings/folders/expectations': { url: '/settings/folders/expectations' },
  'POST /projects/:project/folders/:folder/sub-names': { url: '/projects/1/folders/1/sub-names' },
  'GET /projects/:project/uploads': { url: '/projects/1/uploads' },
  'GET /releases': { url: '/releases' },
  'GET /releases/:release': { url: '/releases/99999' },
  ...Object.fromEntries(
    ['recipients', 'mails', 'history'].map((tab) => [
      `GET /releases/:release/${tab}`,
      { url: `/releases/99999/${tab}` },
    ]),
  ),
  'GET /releases/:release/openings.csv': { url: '/releases/99999/openings.csv' },
  'GET /releases/:release/people.csv': { url: '/releases/99999/people.csv' },
  ...Object.fromEntries(
    ['approve', 'reject', 'take-back'].map((act) => [
      `POST /releases/asked/:act/${act}`,
      { url: `/releases/asked/0b6c7f7e-8f5b-4c39-9d0e-0e6a4f1a2b3c/${act}` },
    ]),
  ),
  'GET /api/releases': { url: '/api/releases' },
  'GET /api/releases/:release/papers': { url: '/api/releases/99999/papers' },
  'GET /api/releases/:release/people': { url: '/api/releases/99999/people' },
  'POST /releases/held/accept': { url: '/releases/held/accept' },
  'POST /api/releases/reach': { url: '/api/releases/reach' },
  ...Object.fromEntries(
    [
      'publish',
      'plan',
      'hold',
      'discard',
      'approve',
      'reject',
      'regret',
      'remind',
      'write',
      'sample',
      'recall',
      'undo-recall',
      'tell-openers',
      'regret-mails',
      'name',
    ].map((act) => [`POST /releases/:release/${act}`, { url: `/releases/99999/${act}` }]),
  ),
  'GET /inbox': { url: '/inbox' },
  'GET /inbox/:filter': { url: '/inbox/new' },
  'GET /api/inbox/:filter': { url: '/api/inbox/new' },
  'GET /inbox/:item/files/:file': { url: '/inbox/99999/files/1' },
  'POST /inbox/:item/sort': { url: '/inbox/99999/sort' },
  'GET /api/inbox/items': { url: '/api/inbox/items?ids=1' },
  ...Object.fromEntries(
    ['take', 'take-over', 'put-back', 'finish', 'reopen'].map((act) => [
      `POST /inbox/:item/${act}`,
      { url: `/inbox/99999/${act}`, fields: { from: '1' } },
    ]),
  ),
  'GET /papers': { url: '/papers' },
  'GET /papers/:papers': { url: '/papers/99999' },
  'GET /packages': { url: '/packages' },
  'GET /packages/:year': { url: '/packages/2025' },
  'GET /projects/:project/packages/:year': { url: '/projects/1/packages/2025' },
  'GET /users/:user/packages/:year': { url: '/users/99999/packages/2025' },
  'GET /projects/:project/trash': { url: '/projects/1/trash' },
  'GET /api/projects/:project/folders': { url: '/api/projects/1/folders' },
  'GET /api/projects/:project/folder-options': { url: '/api/projects/1/folder-options' },
  'POST /api/projects/:project/move-file': { url: '/api/projects/1/move-file' },
  'GET /api/projects/:project/folder/:folder/files': { url: '/api/projects/1/folder/99999/files' },
  'GET /api/files/:file/content': { url: '/api/files/99999/content' },
  'GET /api/users/:user/files': { url: '/api/users/99999/files' },
  'GET /projects/:project/uploads/*': { url: '/projects/1/uploads/x' },
  'GET /projects/:project/uploads/download/*': { url: '/projects/1/uploads/download/x' },
  'GET /users/:user/uploads/*': { url: '/users/1/uploads/x' },
  'GET /users/:user/uploads/download/*': { url: '/users/1/uploads/download/x' },
  ...fileCalls('/projects/:project', '/projects/1'),
  ...fileCalls('/users/:user', '/users/1'),
  'POST /api/undo/:undo': { url: '/api/undo/x' },
  'POST /api/uploads': { url: '/api/uploads' },
  'POST /api/projects/:project/folder/:folder/files': { url: '/api/projects/1/folder/99999/files' },
  'POST /api/users/:user/files': { url: '/api/users/99999/files' },
  'POST /api/temp/upload': { url: '/api/temp/upload' },
  ...versionCalls('/projects/:project', '/projects/1'),
  ...versionCalls('/users/:user', '/users/1'),
  'GET /projects/:project/uploads/folder/:folder': { url: '/projects/1/uploads/folder/99999' },
  'POST /projects/:project/uploads/folder/:folder': { url: '/projects/1/uploads/folder/99999' },
  'POST /api/temp/tus': { url: '/api/temp/tus' },
  'PATCH /api/temp/tus/:hash': { url: `/api/temp/tus/${'0'.repeat(32)}` },
  'DELETE /api/temp/tus/:hash': { url: `/api/temp/tus/${'0'.repeat(32)}` },
  'POST /api/temp/sign': { url: '/api/temp/sign' },
  'POST /api/temp/direct/:hash': { url: `/api/temp/direct/${'0'.repeat(32)}` },
  'GET /api/temp/direct/:hash': { url: `/api/temp/direct/${'0'.repeat(32)}` },
  'POST /api/temp/read': { url: '/api/temp/read' },
  'GET /api/temp/pile': { url: '/api/temp/pile' },
  'POST /api/temp/pile': { url: '/api/temp/pile' },
  'POST /api/temp/pile/discard': { url: '/api/temp/pile/discard' },
  'POST /api/upload/resolve': { url: '/api/upload/resolve' },
  'POST /api/upload/duplicates': { url: '/api/upload/duplicates' },
  'GET /projects/:project/upload': { url: '/projects/1/upload' },
  'POST /projects/:project/upload': { url: '/projects/1/upload' },
  'GET /upload': { url: '/upload' },
  'GET /users/:user/upload': { url: '/users/99999/upload' },
  'POST /users/:user/upload': { url: '/users/99999/upload' },
  'POST /upload': { url: '/upload' },
  'GET /upload/sent/:file': { url: '/upload/sent/findes-ikke' },
  'GET /upload/split': { url: '/upload/split' },
  'POST /upload/split': { url: '/upload/split' },
  'POST /api/upload/split': { url: '/api/upload/split' },
  'GET /api/upload/split/:file/pages': { url: '/api/upload/split/findes-ikke/pages?from=1&to=1' },
  'GET /users/upload': { url: '/users/upload' },
  'POST /users/upload': { url: '/users/upload' },
  'GET /my-files': { url: '/my-files' },
  'POST /my-files': { url: '/my-files' },
  'POST /my-files/seen': { url: '/my-files/seen' },
  'POST /seen': { url: '/seen' },
  'POST /first-steps': { url: '/first-steps' },
  'POST /projects/:project/seen': { url: '/projects/1/seen' },
  'GET /upload/result/:submission': { url: '/upload/result/findes-ikke' },
  'GET /users/new': { url: '/users/new' },
  'POST /users/new': { url: '/users/new', fields: { name: '' } },
  'GET /users/:user': { url: '/users/99999' },
  'GET /users/:user/edit': { url: '/users/99999/edit' },
  'POST /users/:user/edit': { url: '/users/99999/edit' },
  'POST /users/:user/invite': { url: '/users/99999/invite' },
  'POST /users/:user/deactivate': { url: '/users/99999/deactivate' },
  'POST /users/:user/reactivate': { url: '/users/99999/reactivate' },
  'POST /users/:user/end-sessions': { url: '/users/99999/end-sessions' },
  'POST /users/:user/send-password-link': { url: '/users/99999/send-password-link' },
  ...lendingCalls('/profile/access', '/profile/access'),
  ...lendingCalls('/users/:user/access', '/users/99999/access'),
  ...Object.fromEntries(
    ['projects', 'folders', 'files'].flatMap((things) => [
      [`GET /${things}/:id/readers`, { url: `/${things}/99999/readers` }],
      [`GET /api/${things}/:id/readers`, { url: `/api/${things}/99999/readers` }],
    ]),
  ),
  'GET /users/:id/sees': { url: '/users/99999/sees' },
  'GET /api/users/:id/sees': { url: '/api/users/99999/sees' },
  'POST /users/:user/seen': { url: '/users/99999/seen' },
  'GET /users/:user/report': { url: '/users/99999/report' },
  'POST /users/:user/report': { url: '/users/99999/report' },
  'GET /users/:user/report.xlsx': { url: '/users/99999/report.xlsx' },
  'GET /api/users/:user/report': { url: '/api/users/99999/report' },
  'GET /users/:user/trash': { url: '/users/99999/trash' },
  'POST /api/users/:user/move-file': { url: '/api/users/99999/move-file' },
  'GET /api/users/:user/folders': { url: '/api/users/99999/folders' },
  'GET /api/users/:user/folder/:folder/files': { url: '/api/users/99999/folder/99999/files' },
  'GET /users': { url: '/users' },
  'GET /api/users': { url: '/api/users' },
  'GET /api/people': { url: '/api/people' },
  'POST /users/invite': { url: '/users/invite' },
  'POST /users/add-to-project': { url: '/users/add-to-project' },
  'POST /users/invitations/:mailing/regret': { url: '/users/invitations/99999/regret' },
  'GET /settings/office': { url: '/settings/office' },
  'POST /settings/office': { url: '/settings/office', fields: { version: 'x' } },
  'POST /settings/office/logo': { url: '/settings/office/logo' },
  'POST /settings/office/approval': { url: '/settings/office/approval', fields: { was: 'x' } },
  'POST /settings/office/words': { url: '/settings/office/words', fields: { search_words: 'x' } },
  'POST /settings/office/test-mail': { url: '/settings/office/test-mail' },
  'GET /office/logo/:key': { url: '/office/logo/x' },
  'GET /overview': { url: '/overview' },
  'GET /overview/:folder/:period': { url: '/overview/99999/2025' },
  'GET /search': { url: '/search?q=budget' },
  'GET /api/search': { url: '/api/search?q=budget' },
  'GET /api/search/suggest': { url: '/api/search/suggest?q=budget' },
  'POST /search/saved': { url: '/search/saved', fields: { name: '' } },
  'POST /search/saved/:search/remove': { url: '/search/saved/99999/remove' },
  'GET /log': { url: '/log' },
  'GET /files/:file/history': { url: '/files/99999/history' },
  'GET /api/files/:file/history': { url: '/api/files/99999/history' },
  'GET /log.csv': { url: '/log.csv' },
  'GET /api/log': { url: '/api/log' },
  'GET /help': { url: '/help?q=upload' },
  'GET /help/:chapter': { url: '/help/log-ind' },
  'GET /help/pictures/:file': { url: '/help/pictures/x.webp' },
  'GET /healthz': { url: '/healthz' },
  'GET /readyz': { url: '/readyz' },
}

function lendingCalls(route: string, address: string): typeof CALLS {
  return {
    [`GET ${route}`]: { url: address },
    [`POST ${route}`]: { url: address, fields: { name: '' } },
    [`GET ${route}/:lending`]: { url: `${address}/99999` },
    [`POST ${route}/:lending`]: { url: `${address}/99999`, fields: { what: '' } },
    [`POST ${route}/:lending/take-back`]: { url: `${address}/99999/take-back` },
  }
}

function folderCalls(route: string, address: string): typeof CALLS {
  return {
    [`GET ${route}`]: { url: address },
    [`POST ${route}`]: { url: address, fields: { name: '' } },
    [`POST ${route}/:folder`]: { url: `${address}/1`, fields: { name: '' } },
    [`POST ${route}/:folder/move`]: { url: `${address}/1/move` },
    [`POST ${route}/:folder/remove`]: { url: `${address}/99999/remove` },
  }
}

function versionCalls(route: string, address: string): typeof CALLS {
  return {
    [`GET ${route}/file/:file/replace`]: { url: `${address}/file/99999/replace` },
    [`POST ${route}/file/:file/replace`]: { url: `${address}/file/99999/replace` },
    [`GET ${route}/version/:version`]: { url: `${address}/version/99999` },
    [`GET ${route}/version/:version/download`]: { url: `${address}/version/99999/download` },
    [`POST ${route}/version/:version/restore`]: { url: `${address}/version/99999/restore` },
    [`POST ${route}/version/:version/remove`]: { url: `${address}/version/99999/remove` },
  }
}

function fileCalls(route: string, address: string): typeof CALLS {
  return {
    [`POST /api${route}/folder/:folder/update-order`]: { url: `/api${address}/folder/99999/update-order` },
    [`DELETE /api${route}/file/:file`]: { url: `/api${address}/file/99999` },
    [`POST /api${route}/file/:file`]: { url: `/api${address}/file/99999` },
    [`POST /api${route}/file/:file/move-up`]: { url: `/api${address}/file/99999/move-up` },
    [`POST /api${route}/file/:file/move-down`]: { url: `/api${address}/file/99999/move-down` },
    [`POST /api${route}/file/:file/restore`]: { url: `/api${address}/file/99999/restore` },
    [`POST /api${route}/file/:file/rename`]: { url: `/api${address}/file/99999/rename` },
    [`POST /api${route}/file/:file/period`]: { url: `/api${address}/file/99999/period` },
    [`POST /api${route}/folder/:folder/sort`]: { url: `/api${address}/folder/99999/sort` },
    ...Object.fromEntries(
      ['move', 'foresee-move', 'delete', 'restore', 'remove', 'place'].map((act) => [
        `POST /api${route}/files/${act}`,
        { url: `/api${address}/files/${act}` },
      ]),
    ),
    [`GET ${route}/zip`]: { url: `${address}/zip?files=99999` },
    [`POST ${route}/zip`]: { url: `${address}/zip` },
    [`GET /api${route}/file/:file/look`]: { url: `/api${address}/file/99999/look` },
    [`GET /api${route}/file/:file/thumbnail`]: { url: `/api${address}/file/99999/thumbnail` },
    [`GET /api${route}/trash`]: { url: `/api${address}/trash` },
    [`DELETE /api${route}/trash/:file`]: { url: `/api${address}/trash/99999` },
    [`POST /api${route}/trash/:file`]: { url: `/api${address}/trash/99999` },
  }
}

let test: TestApp
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  await makeProject(test.db)
  // Otherwise it is the office that refuses new keys of investors, not the right.
  await test.db.insertInto('office').values({ outside_tokens: true }).execute()
})

/** Returns the address of the help that a page leads to; null for what is no page. */
function helpIn(html: string): string | null {
  const [, data] = /<script[^>]* id="page"[^>]*>(.*?)<\/script>/s.exec(html) ?? []
  return data === undefined ? null : (JSON.parse(data) as Envelope).frame.help
}

/** Says whether somebody with these chapters finds an address. */
function helpFor(chapters: Chapter[]): (address: string | null) => boolean {
  const there = chapters.flatMap(({ slug, sections }) => [
    addressOf(slug),
    ...sections.map(({ id }) => addressOf(slug, id)),
  ])
  return (address) => address === null || [urls.help, ...there].includes(address)
}

const key = ({ method, url }: { method: string; url: string }) => `${method} ${url}`
const routes = () => test.app.routeRights.filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS')

async function visitorWith(role: Role | null): Promise<Visitor> {
  const visitor = new Visitor(test.app)
  if (role) await visitor.signIn((await makeUser(test.db, { role })).email, PASSWORD)
  return visitor
}

describe('rights', () => {
  it('every route has a right, and is in this table', () => {
    expect(Object.keys(CALLS).sort()).toEqual(routes().map(key).sort())
  })

  it('every right is used', () => {
    expect(new Set(test.app.routeRights.map(({ right }) => right))).toEqual(new Set(Object.keys(rights)))
  })

  it.each([null, ...ROLES])('rights apply for %s at every route', async (role) => {
    let visitor = await visitorWith(role)
    const { chapters } = await installedManual()
    const isThere = helpFor(chaptersFor(chapters, role))
    for (const route of routes()) {
      const { url, fields } = CALLS[key(route)]!
      const { statusCode, headers, body } =
        route.method === 'GET'
          ? await visitor.get(url)
          : await visitor.post(url, fields, {
              script: true,
              method: route.method as 'POST' | 'DELETE' | 'PATCH',
            })
      const isRefused = [401, 403].includes(statusCode) || (headers.location ?? '').startsWith('/login')
      // The second step leads strangers back to the first.
      const leaves = ['/logout', '/login', '/login/code'].includes(route.url)
      if (leaves) visitor = await visitorWith(role)
      expect([key(route), isRefused && !leaves]).toEqual([key(route), !may(role, route.right)])
      expect([key(route), statusCode]).not.toEqual([key(route), 500])
      if (route.method === 'GET')
        expect([key(route), helpIn(body)]).toEqual([key(route), expect.toSatisfy(isThere)])
    }
  })

  it.each([
    ['none', {}],
    ['one that does not exist', { right: 'rule-the-world' as Right }],
  ])('the server does not start with a route that names %s', async (_what, config) => {
    const { app } = await freshApp({ hasJobs: false })
    expect(() => app.get('/hidden', { config }, () => 'x')).toThrow('The route GET /hidden names no right.')
  })
})

describe('a page requested without the right', () => {
  it('a page without the right redirects to the sign-in if nobody is signed in', async () => {
    const { statusCode, headers } = await new Visitor(test.app).get('/')
    expect([statusCode, headers.location]).toEqual([303, '/login'])
  })

  it('a call without the right answers 401, and HEAD redirects', async () => {
    const { app } = await freshApp({
      hasJobs: false,
      routes: (each) => each.get('/api/mine', { config: { right: 'enter' } }, () => 'x'),
    })
    const call = await app.inject('/api/mine')
    expect([call.statusCode, call.json()]).toMatchObject([401, { message: signedOutText() }])
    expect((await app.inject({ method: 'HEAD', url: '/' })).statusCode).toBe(303)
  })
})

it.each([
  [null, 'visit', true],
  [null, 'enter', false],
  ['investor', 'enter', true],
] as const)('%s may %s: %s', (role, right, answer) => {
  expect(may(role, right)).toBe(answer)
})

it('no other file compares a role with its name: the predicates of rights.ts say what is meant', async () => {
  const comparing: string[] = []
  const compares = new RegExp(`\\brole\\b\\)? ?(?:[!=]==|=|<>) ?'(?:${ROLES.join('|')})'`)
  for await (const path of glob('src/**/*.{ts,tsx}', { exclude: ['**/*.test.ts', 'src/rights.ts'] }))
    if (compares.test(await readFile(path, 'utf8'))) comparing.push(path)
  expect(comparing).toEqual([])
})

it('only the office changes files: a change asks what somebody sees before it waits for its turn', () => {
  expect(ROLES.filter((role) => may(role, 'changeFiles') && !isOffice(role))).toEqual([])
})
