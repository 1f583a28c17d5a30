/**
 * Runs in the reader's browser at /docs: gets a test key of the sandbox, then shows the interactive reference
 * with that key filled in. Where anything of it fails, the operations that the page came with stay in sight.
 */
const place = document.querySelector("#reference")
const { script: scriptPath, description, keys, sandbox, live } = place.dataset

/** A key is good for days, so one is kept until its last hour. */
const kept = "coverage-policy test key"
const hourMs = 3_600_000

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

/** Empty where none is to be had: the reference works without, and the reader may write one in. */
const testKey = async () => {
  const found = remembered()
  if (found !== undefined) return found
  try {
    const response = await fetch(keys, { method: "POST" })
    if (!response.ok) return ""
    const { data } = await response.json()
    remember(data)
    return data.key
  } catch {
    return ""
  }
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

const [key] = await Promise.all([testKey(), loaded(scriptPath)])
document.querySelector("#content").hidden = true
document.querySelector(".skip").hash = "#reference"
document.body.classList.add("wide")
new MutationObserver(amend).observe(place, { childList: true, subtree: true })
globalThis.Scalar.createApiReference(place, {
  url: description,
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
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  // Its own quiet words are too faint on its own ground to be read by everybody.
  customCss: `.light-mode { --scalar-color-2: #4b535c; --scalar-color-3: #59616b; --scalar-color-blue: #0b5cad;
      --scalar-color-green: #0a6b3f; --scalar-color-orange: #8a4600; --scalar-color-red: #b3261e }
    .dark-mode { --scalar-color-2: #b6bdc6; --scalar-color-3: #a3abb5 }`,
  metaData: { title: document.title }
})
