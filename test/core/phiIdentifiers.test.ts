import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { scan } from "../../core/phi/scan.ts"
import { disguise, identifierKinds, placeAnywhere } from "../kit/identifiers.ts"
import type { Identifier } from "../kit/identifiers.ts"

const findings = (json: unknown) => {
  const scanned = scan([{ base: "/body", value: json, shape: undefined }])
  return scanned._tag === "Scanned" ? scanned.findings : scanned._tag
}

/** As a caller would write it: alone, or in the middle of a sentence where it may stand anywhere. */
const sentence = ({ text, stands }: Identifier) =>
  stands === "alone"
    ? fc.constant(text)
    : fc.constantFrom(text, `${text}.`, `for the claim (${text}), please`, `see: ${text}`)

describe("phi.md: every kind of identifier, in every disguise, at any path", () => {
  it.each(Object.entries(identifierKinds))("%s is found where it stands", (_, identifiers) => {
    const cases = identifiers.chain((identifier) =>
      sentence(identifier).chain((text) =>
        fc.record({
          kind: fc.constant(identifier.kind),
          plain: fc.constant(identifier.text),
          placed: fc.oneof(fc.constant(text), disguise(text)).chain(placeAnywhere)
        })
      )
    )
    fc.assert(
      fc.property(cases, ({ kind, plain, placed: { path, json } }) => {
        const found = findings(json)
        expect(found).toContainEqual({ path: `/body${path}`, kind })
        expect(JSON.stringify(found)).not.toContain(plain)
      })
    )
  })

  it.each(Object.entries(identifierKinds))("%s as a field's name is shown as #key", (_, identifiers) => {
    const cases = identifiers
      .filter(({ text }) => text.length <= 64)
      .chain(({ kind, text }) => disguise(text).map((name) => ({ kind, name })))
    fc.assert(
      fc.property(cases, ({ kind, name }) => {
        const found = findings({ items: [{ [name]: "x" }] })
        expect(found).toContainEqual({ path: "/body/items/0/#key", kind })
        expect(JSON.stringify(found)).not.toContain(name)
      })
    )
  })
})
