import * as FindMyWay from "effect/http/FindMyWay"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { readLine } from "../../adapters/http/line.ts"
import { makePlainPaths, pathOf, routerConfig, routes } from "../../adapters/http/Route.ts"

const paths = [...new Set(routes.map(pathOf))]
const router = FindMyWay.make<string>(routerConfig)
const plain = makePlainPaths<string>()
for (const path of paths) {
  router.on("GET", path, path)
  plain.add(path, path)
}

const steps = [...new Set(paths.flatMap((path) => path.split("/")))]
const anyStep = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...steps) },
  { weight: 2, arbitrary: fc.constantFrom("L33831", "NCD%20220.6", "a;b", "x?y=1", "Health", ":code", "") },
  { weight: 1, arbitrary: fc.string({ unit: "binary-ascii", maxLength: 4 }) }
)
/** Paths near those of the catalogue: one of them, its open steps filled in and perhaps a step changed. */
const anyPath = fc
  .tuple(fc.constantFrom(...paths), anyStep, fc.nat({ max: 12 }), anyStep, fc.boolean())
  .map(([path, filling, at, other, isChanged]) => {
    const written = path.split("/").map((step) => (step.startsWith(":") ? filling : step))
    if (isChanged) written[1 + (at % written.length)] = other
    return written.join("/")
  })

it("what is found at a plain path is what the router finds there", () => {
  let hits = 0
  fc.assert(
    fc.property(anyPath, (path) => {
      const found = plain.find(path)
      if (found === undefined) return
      hits += 1
      const routed = router.find("GET", path)
      const line = readLine(path, { ...routed?.params })
      expect(found).toEqual({ handler: routed?.handler, line })
    }),
    { numRuns: 5_000 }
  )
  expect(hits).toBeGreaterThan(500)
})

it("the catalogue's plain paths are found without the router", () => {
  expect(plain.find("/api/v1/health")).toMatchObject({ handler: "/api/v1/health", line: { params: {} } })
  expect(plain.find("/api/v1/policies/L33831")?.line.params).toEqual({ id: "L33831" })
  for (const path of ["/api/v1/health?", "/api/v1/policies/", "/api/v1/policies/a%20b", "/api/v1/nothing"])
    expect(plain.find(path), path).toBeUndefined()
})
