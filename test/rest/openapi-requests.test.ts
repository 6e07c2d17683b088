// @module-tag long
/** Requests generated from the OpenAPI document: each response must be described there. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { rounds } from '../_rounds.ts'
import { edit, newWiki } from '../operations/_wiki.ts'
import { answerCheck } from './_openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema has any members.
type Schema = any

interface Operation {
  readonly operationId: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query' | 'header'
    readonly required: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
}

/** Texts with a meaning to the wiki, and some without. */
const texts = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('Beech', 'beech', 'Old tree', 'Photo.png', 'Talk:Beech', 'None', "''x''", 'x'),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'binary', maxLength: 8 }).map(text => text.replace(/\p{Surrogate}/gu, '\uFFFD')),
  },
)

/** Values that a schema allows, and sometimes one that it does not. */
function valuesOf(schema: Schema, document: Schema): fc.Arbitrary<unknown> {
  const strange = fc.constantFrom<unknown>(null, '', -1, 0, 1e300, true, [], {}, 'x')
  return fc.oneof({ weight: 12, arbitrary: allowed(schema, document) }, { weight: 1, arbitrary: strange })
}

function allowed(schema: Schema, document: Schema): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice('#/components/schemas/'.length)
    return allowed(document.components.schemas[name], document)
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map((choice: Schema) => valuesOf(choice, document)))
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.type === 'integer') return fc.integer({ min: schema.minimum ?? -2, max: schema.maximum ?? 12 })
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'null') return fc.constant(null)
  if (schema.type === 'array') return fc.array(valuesOf(schema.items ?? {}, document), { maxLength: 3 })
  if (schema.type !== 'object') return texts
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => [name, valuesOf(member, document)])
  return fc.record(Object.fromEntries(members), { requiredKeys: schema.required ?? [] })
}

/** Requests of an operation: the target, and the body. */
function requestsOf(path: string, method: string, operation: Operation, document: Schema) {
  // Conditions are other components, and need another test.
  const own = operation.parameters.filter(({ schema }) => schema !== undefined)
  const parameters = own.map(({ name, required, schema }) => {
    const value = valuesOf(schema, document).map(value => encodeURIComponent(String(value)))
    return [name, required ? value : fc.option(value, { nil: undefined })] as const
  })
  const schema = operation.requestBody?.content['application/json']?.schema
  return fc
    .record({
      values: fc.record(Object.fromEntries(parameters)) as fc.Arbitrary<Record<string, string | undefined>>,
      body: schema === undefined ? fc.constant(undefined) : valuesOf(schema, document),
    })
    .map(({ values, body }) => {
      const where = (place: string) => own.filter(({ name, in: at }) => at === place && values[name] !== undefined)
      const query = where('query').map(({ name }) => `${encodeURIComponent(name)}=${values[name]}`)
      const target = path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')
      const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
      const init = { method: method.toUpperCase(), headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
      return { target: query.length > 0 ? `${target}?${query.join('&')}` : target, init }
    })
}

// Slow for its many requests; a few dozen of them show the faults of a new operation.
test('no operation returns a response that the document does not describe', {
  tags: ['rounds', 'long'],
  timeout: 600_000,
}, async () => {
  const { wiki } = await newWiki({ Beech: '== Bark ==\nx [[None]] {{T}}', 'Old tree': '#REDIRECT [[Beech]]' })
  await edit(wiki, 'Beech', 'y')
  const app = createApp(wiki, { allowAnonymous: true })
  const document = JSON.parse(await (await app.request('/openapi.json')).text())
  const check = answerCheck(document)
  for (const [path, item] of Object.entries<Record<string, Operation>>(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (method === 'servers') continue
      await fc.assert(
        fc.asyncProperty(requestsOf(path, method, operation, document), async ({ target, init }) => {
          const response = await app.request(target, init)
          const type = response.headers.get('content-type')
          const { status } = response
          const fault = check({ method: init.method, target, status, type, body: await response.text() })
          expect([init.method, target, init.body, status, fault]).toEqual([
            init.method,
            target,
            init.body,
            status,
            null,
          ])
          expect(status).not.toBe(500)
        }),
        { numRuns: rounds(2, 15, 40) },
      )
    }
  }
})
