import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SendArchive } from '../../files/zip/archive-sender.routes.ts'
import { may, type Right } from '../../rights.ts'
import { notFound } from '../../server/http/errors.ts'
import { idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { makeYearPackage, type PackageScope } from './year-package.db.ts'

type Address = { Params: { year: string; project?: string; user?: string } }

const PACKAGES: { url: string; right: Right }[] = [
  { url: urls.yearPackage(':year'), right: 'takeYears' },
  { url: urls.projectPackage(':project', ':year'), right: 'seeFiles' },
  { url: urls.lenderPackage(':user', ':year'), right: 'seeLenders' },
]

/** Adds the routes that send each year of what a person sees as one package. */
export function addYearPackages(app: FastifyInstance, parts: Parts, send: SendArchive): void {
  app.get(urls.yearPackages, { config: { right: 'takeYears' } }, (request, reply) => {
    const isListed = may(userOf(request).role, 'seePapers')
    return reply.redirect(isListed ? urls.papersPage : `${urls.year}#packages`, 303)
  })

  async function answer(request: FastifyRequest<Address>, reply: FastifyReply, right: Right) {
    const { year: text, project, user } = request.params
    if (!/^\d{4}$/.test(text)) throw notFound()
    const scope: PackageScope =
      project !== undefined
        ? { project: idIn(project) }
        : user === undefined
          ? 'everything'
          : { lender: idIn(user) }
    const make = (begunWith?: number[]) =>
      makeYearPackage(parts, userOf(request), scope, Number(text), begunWith)
    return send(request, reply, { right, isPicked: false, make })
  }

  for (const { url, right } of PACKAGES)
    app.route<Address>({
      method: ['GET', 'HEAD'],
      url,
      config: { right },
      compress: false,
      handler: (request, reply) => answer(request, reply, right),
    })
}
