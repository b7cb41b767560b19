import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter, type Entered } from '../../test/enter.ts'
import { makeProject } from '../../test/make.ts'
import { ERROR_CODES } from '../base/error-codes.ts'
import { describeApi, type CalledRoute } from './describe.server.ts'
import { METHODS, type OpenApi, type Operation, type Schema } from './openapi.ts'
import { calledRoutes } from './programs.routes.ts'
import { sampleOf } from './sample.ts'

/** The calls that only our own pages make, and why programs have no use for them. Every other call is described. */
const FOR_PAGES_ALONE: Record<string, string> = {
  'POST /api/passkey': 'signing in',
  'POST /api/profile/passkey': 'signing in',
  'POST /api/fault': 'a page that broke',
  'GET /api/changes': 'a page that listens',
  'GET /api/docs': 'is a page',
  'GET /api/search/suggest': 'the search box: /api/search answers more',
  'GET /api/people': 'the page of people: /api/users lists them',
  'GET /api/inbox/items': 'a list that is open: /api/inbox answers the same',
  'GET /api/settings/import/sheets/:sheet/rows': 'the preview of a sheet',
  'GET /api/releases/:release/papers': 'the page of a release',
  'POST /api/releases/reach': 'the upload form',
  'POST /api/temp/sign': 'browsers that send to the store',
  'POST /api/temp/direct/:hash': 'browsers that send to the store',
  'GET /api/temp/direct/:hash': 'browsers that send to the store',
  'POST /api/temp/read': 'the upload form',
  'POST /api/temp/pile': 'the upload form',
  'GET /api/temp/pile': 'the upload form',
  'POST /api/temp/pile/discard': 'the upload form',
  'OPTIONS /api/temp/tus': 'says what tus can do, to anybody',
  'POST /api/upload/resolve': 'the upload form',
  'POST /api/upload/duplicates': 'the upload form',
  'POST /api/upload/split': 'the form that splits a PDF',
  'GET /api/upload/split/:file/pages': 'the form that splits a PDF',
  'GET /api/projects/:id/readers': 'the page that says who sees it',
  'GET /api/folders/:id/readers': 'the page that says who sees it',
  'GET /api/files/:id/readers': 'the page that says who sees it',
  'GET /api/users/:id/sees': 'the page that says what somebody sees',
  'POST /api/projects/:project/move-file': 'one file: files/move moves many',
  'POST /api/users/:user/move-file': 'one file: files/move moves many',
}
/** The same for the files of projects and people. */
const FOR_PAGES_OF_OWNERS: Record<string, string> = {
  'GET file/:file/look': 'the panel beside the list',
  'GET file/:file/thumbnail': 'the panel beside the list',
  'POST file/:file/move-up': 'a step: update-order orders all',
  'POST file/:file/move-down': 'a step: update-order orders all',
  'POST files/foresee-move': 'the question before a move',
  'POST files/place': 'a step: update-order orders all',
  'POST file/:file': 'a form that cannot send DELETE',
  'POST files/remove': 'asks for a fresh proof, which no key is',
  'DELETE trash/:file': 'asks for a fresh proof, which no key is',
  'POST trash/:file': 'a form that cannot send DELETE',
}

let test: TestApp
let office: Entered
let api: OpenApi
let routes: CalledRoute[]
let operations: { method: string; path: string; operation: Operation }[]

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  office = await enter(test, 'administrator')
  const answer = await test.app.inject('/api/openapi.json')
  api = answer.json<OpenApi>()
  routes = calledRoutes(test.app)
  operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => (methods[method] ? [{ method, path, operation: methods[method] }] : [])),
  )
})

describe('every route under /api', () => {
  it('every route under /api is described, or listed as for pages only', () => {
    const described = new Set(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`))
    const owners = ['/api/projects/:project/', '/api/users/:user/']
    const isForPages = (method: string, url: string) =>
      `${method} ${url}` in FOR_PAGES_ALONE ||
      owners.some(
        (owner) => url.startsWith(owner) && `${method} ${url.slice(owner.length)}` in FOR_PAGES_OF_OWNERS,
      )
    const faults = test.app.routeRights.flatMap(({ method, url }) => {
      if (!url.startsWith('/api/')) return []
      const isHeadOfGet =
        method === 'HEAD' && test.app.routeRights.some((each) => each.url === url && each.method === 'GET')
      const isDescribed = described.has(`${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`)
      return isHeadOfGet || isDescribed !== isForPages(method, url) ? [] : [`${method} ${url}`]
    })
    expect(faults).toEqual([])
  })

  it('no route outside /api is described', () => {
    expect(operations.filter(({ path }) => !path.startsWith('/api/'))).toEqual([])
  })

  it('every route listed as for pages only exists', () => {
    const known = new Set(test.app.routeRights.map(({ method, url }) => `${method} ${url}`))
    const named = [
      ...Object.keys(FOR_PAGES_ALONE),
      ...Object.keys(FOR_PAGES_OF_OWNERS).map((each) => each.replace(' ', ' /api/projects/:project/')),
    ]
    expect(named.filter((each) => !known.has(each))).toEqual([])
  })
})

describe('the description', () => {
  it('the description is OpenAPI 3.1 with one name for each call', () => {
    expect(api.openapi).toMatch(/^3\.1\./)
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id) || id.includes('Owner'))).toEqual([])
    expect(operations.length).toBe(routes.length)
  })

  it('the description has a parameter for everything in braces, and no other path parameters', () => {
    for (const { path, operation } of operations) {
      const inPath = operation.parameters.filter((each) => each.in === 'path')
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      expect(inPath.every(({ required }) => required)).toBe(true)
      const names = operation.parameters.map((each) => `${each.in} ${each.name}`)
      expect(new Set(names).size).toBe(names.length)
    }
  })

  it('the description has a schema for every reference, and uses every schema', () => {
    const refs = new Set(JSON.stringify(api).match(/#\/components\/[\w/]+/g))
    const known = [
      ...Object.keys(api.components.schemas).map((name) => `#/components/schemas/${name}`),
      ...Object.keys(api.components.responses).map((name) => `#/components/responses/${name}`),
    ]
    expect([...refs].sort()).toEqual(known.sort())
    expect(JSON.stringify(api)).not.toMatch(/"(\$defs|\$schema|shown|~standard)"/)
  })

  it('the description has Danish words for every call, its parameters and its input fields', () => {
    for (const { operation } of operations) {
      expect(operation.summary).toMatch(/^[A-ZÆØÅ]/)
      expect(operation.summary).not.toContain('en ejer')
      for (const { name, description } of operation.parameters)
        expect(description, `${operation.operationId} ${name}`).not.toBe('')
    }
  })

  it('the description names the scope of each call', () => {
    for (const { call } of routes) {
      const { operation } = operations.find((each) => each.operation.operationId === call.id)!
      expect(operation.security).toEqual([{ bearer: call.scope === 'any' ? [] : [call.scope] }])
    }
  })

  it('the description has every error code', () => {
    const { properties } = api.components.schemas.Error!
    expect(properties!.code!.enum).toEqual(Object.keys(ERROR_CODES))
  })
})

describe('the examples', () => {
  it('examples of answers match their schemas', () => {
    for (const { call } of routes) {
      if (typeof call.answer === 'string') continue
      const { operation } = operations.find((each) => each.operation.operationId === call.id)!
      const answer = operation.responses[String(call.status ?? 200)]!
      const sample = 'content' in answer ? answer.content['application/json']!.example : undefined
      const { error } = call.answer.safeParse(sample)
      expect([call.id, error?.message]).toEqual([call.id, undefined])
    }
  })

  it('examples of bodies are accepted by their calls', () => {
    for (const { call } of routes) {
      if (!call.body) continue
      const { operation } = operations.find((each) => each.operation.operationId === call.id)!
      const sample = operation.requestBody!.content['application/json']!.example
      const { error } = call.body.safeParse(sample)
      expect([call.id, error?.message]).toEqual([call.id, undefined])
    }
  })
})

it('a list accepts exactly the parameters in the description', async () => {
  await makeProject(test.db)
  const ask = async (query: string) => (await office.visitor.get(`/api/projects?${query}`)).statusCode
  const { operation } = operations.find((each) => each.operation.operationId === 'listProjects')!
  const values = (name: string): Schema => operation.parameters.find((each) => each.name === name)!.schema
  for (const column of values('sort[column]').enum!)
    for (const direction of values('sort[direction]').enum!)
      expect(await ask(`sort[column]=${String(column)}&sort[direction]=${String(direction)}`)).toBe(200)
  expect(await ask('sort[column]=cvr')).toBe(422)
  expect([await ask(`q=${'x'.repeat(200)}`), await ask(`q=${'x'.repeat(201)}`)]).toEqual([200, 422])
})

it('search and log accept exactly the parameters in the description', async () => {
  for (const [id, address] of [
    ['search', '/api/search'],
    ['listLog', '/api/log'],
  ]) {
    const { operation } = operations.find((each) => each.operation.operationId === id)!
    for (const { name, schema } of operation.parameters) {
      // A person, a project or a file must be there; a wrong day or number is refused as it should be.
      if (['project', 'by', 'person', 'file'].includes(name)) continue
      const value = ['from', 'to'].includes(name)
        ? '2025-12-31'
        : String(schema.enum?.[0] ?? (name === 'year' ? 2025 : sampleOf(schema, {})))
      const { statusCode, body } = await office.visitor.get(`${address}?${name}=${encodeURIComponent(value)}`)
      expect(statusCode, `${name}=${value}: ${body}`).toBe(200)
    }
    expect((await office.visitor.get(`${address}?andet=1`)).statusCode).toBe(422)
  }
})

it('a call whose address has an unknown part is not described', () => {
  const [route] = routes
  expect(() => describeApi([{ ...route!, url: '/api/things/:thing' }], '')).toThrow('does not know :thing')
  expect(() => describeApi([{ ...route!, method: 'PUT' }], '')).toThrow('does not know PUT')
})
