import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import { addDocs } from "coverage-policy/adapters/http/docs/addDocs"
import { documents } from "coverage-policy/adapters/http/docs/documents"
import { Settings } from "coverage-policy/core/port/Settings"

/** Asks a service made of the package for each of its documents, and prints the status of each. */
const baseUrl = "https://api.clinic.example"
const settings = Layer.succeed(Settings, { baseUrl, supportUrl: baseUrl, secretKeys: ["x".repeat(32)] })
const routes = HttpRouter.use(addDocs).pipe(Layer.provide(settings))
const { dispose, handler } = HttpRouter.toWebHandler(routes, { disableLogger: true })

for (const { path } of documents) {
  const response = await handler(new Request(baseUrl + path))
  const { length } = await response.text()
  console.log(path, response.status, length > 0 ? "says something" : "is empty")
}
await dispose()
