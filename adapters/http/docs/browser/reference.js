/**
 * Runs in the reader's browser at /docs: gets a test key of the sandbox, then shows the interactive reference
 * with that key filled in. Where the script itself fails, the operations that the page came with stay in sight;
 * where no key is to be had, the page says so, says when it asks again, and does.
 */
const place = document.querySelector("#reference")
const told = document.querySelector("#key-status")
const { script: scriptPath, description, keys, sandbox, live } = place.dataset

/** A key is good for days, so one is kept until its last hour. */
const kept = "coverage-policy test key"
const hourMs = 3_600_000

/** When to ask again where the answer does not say, and the longest that a browser's clock can wait. */
const standardWaitMs = 30_000
const longestWaitMs = 2 ** 31 - 1
/** How long the good news stands. */
const newsMs = 10_000

const remembered = () => {
  try {
    const { key, expires_at: expiresAt } = JSON.parse(localStorage.getItem(kept) ?? "{}")
    return Date.parse(expiresAt) - hourMs > Date.now() ? key : undefined
  } catch {
    return undefined
  }
}

const remember = (data) => {
  try {
    localStorage.setItem(kept, JSON.stringify({ key: data.key, expires_at: data.expires_at }))
  } catch {
    // A browser that keeps nothing asks again next time.
  }
}

/** A key, or why there is none and in how many milliseconds to ask again. */
const askKey = async () => {
  const found = remembered()
  if (found !== undefined) return { key: found }
  try {
    const response = await fetch(keys, { method: "POST" })
    if (!response.ok) return { why: whyOf(response.status), waitMs: waitOf(response.headers) }
    const { data } = await response.json()
    remember(data)
    return { key: data.key }
  } catch {
    return { why: "the service could not be reached", waitMs: standardWaitMs }
  }
}

const whyOf = (status) =>
  status === 429 ? "too many keys were asked for from your address" : `the service answered ${status}`

const waitOf = (headers) => {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  return seconds > 0 ? Math.min(seconds * 1_000, longestWaitMs) : standardWaitMs
}

const timeIn = (waitMs) =>
  new Date(Date.now() + waitMs).toLocaleString("en", {
    ...(waitMs > 12 * hourMs ? { dateStyle: "medium" } : {}),
    timeStyle: "medium"
  })

/** Asks again until there is a key; says each time why there is none, and when it asks next. */
const keyInTime = async ({ why, waitMs }) => {
  told.textContent =
    `There is no test key of the sandbox yet: ${why}. ` +
    `This page asks again at ${timeIn(waitMs)}; until then, requests need a key that you fill in.`
  await new Promise((resolve) => setTimeout(resolve, waitMs))
  const asked = await askKey()
  if (asked.key === undefined) return keyInTime(asked)
  told.textContent = "The test key of the sandbox has come, and stands where you filled in none."
  setTimeout(() => (told.textContent = ""), newsMs)
  return asked.key
}

/**
 * The reference sends the first value of an enum for whatever has no example. What may be left out is left
 * out, unless the operation's example has it: its value stands there, to be sent by a tick.
 */
const leaveOut = (parameter) => {
  const first = parameter.schema?.default ?? parameter.schema?.enum?.[0]
  if (parameter.required || parameter.example !== undefined || first === undefined) return
  parameter.examples = { default: { value: first, "x-disabled": true } }
}

/** The description of the service, and whatever the reference tries: both from this service. */
const fetched = async (...asking) => {
  const response = await fetch(...asking)
  if (new URL(response.url).pathname !== description || !response.ok) return response
  const document = await response.json()
  for (const operations of Object.values(document.paths))
    for (const { parameters = [] } of Object.values(operations)) parameters.forEach(leaveOut)
  return Response.json(document)
}

const loaded = (src) =>
  new Promise((resolve, reject) => {
    const element = document.createElement("script")
    Object.assign(element, { src, onload: resolve, onerror: reject })
    document.head.append(element)
  })

/** What the reference leaves unnamed, or names otherwise than it reads, as the script finds it. */
const amends = [
  ["button.scalar-code-copy:not([aria-label])", (button) => (button.ariaLabel = "Copy")],
  [
    "button.show-more[aria-label]",
    (button) => {
      const reads = button.textContent.trim()
      if (!button.ariaLabel.startsWith(reads)) button.ariaLabel = `${reads}: ${button.ariaLabel}`
    }
  ],
  // The bar above it is the page's banner; at phone width this would be a second one.
  ["header:not([role])", (header) => (header.role = "none")]
]

const amend = () => {
  for (const [found, mend] of amends) for (const element of place.querySelectorAll(found)) mend(element)
}

const configured = (key) => ({
  url: description,
  customFetch: fetched,
  servers: [
    { url: location.origin + sandbox, description: "Sandbox: invented data, free" },
    { url: location.origin + live, description: "Live: needs a live key" }
  ],
  authentication: { preferredSecurityScheme: "key", securitySchemes: { key: { token: key } } },
  // Nothing is loaded from elsewhere, sent elsewhere, or passed through anybody else.
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  hideDarkModeToggle: true,
  // The document as it is served.
  documentDownloadType: "direct",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  // Its own quiet words are too faint on its own ground to be read by everybody.
  customCss: `.light-mode { --scalar-color-2: #4b535c; --scalar-color-3: #59616b; --scalar-color-blue: #0b5cad;
      --scalar-color-green: #0a6b3f; --scalar-color-orange: #8a4600; --scalar-color-red: #b3261e }
    .dark-mode { --scalar-color-2: #b6bdc6; --scalar-color-3: #a3abb5 }`,
  metaData: { title: document.title }
})

const [asked] = await Promise.all([askKey(), loaded(scriptPath)])
document.querySelector("#content").hidden = true
document.querySelector(".skip").hash = "#reference"
document.body.classList.add("wide")
new MutationObserver(amend).observe(place, { childList: true, subtree: true })
const shown = globalThis.Scalar.createApiReference(place, configured(asked.key ?? ""))
if (asked.key === undefined) shown.updateConfiguration(configured(await keyInTime(asked)))
