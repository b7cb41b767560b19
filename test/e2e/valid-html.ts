import { HtmlValidate, StaticConfigLoader } from 'html-validate'

/** The rules of the HTML standard, without those of taste. */
const validator = new HtmlValidate(new StaticConfigLoader({ extends: ['html-validate:standard'] }))

/** Returns what the HTML standard forbids in a page, each with the line and a piece of it. */
export async function findInvalidHtml(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  const lines = html.split('\n')
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, line, column }) =>
        `${ruleId}: ${message} at ${lines[line - 1]?.slice(Math.max(0, column - 80), column + 80)}`,
    ),
  )
}
