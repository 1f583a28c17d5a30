/** The only script: it copies text, ignores double clicks and closes menus. Pages work without it. */
export const script = `
const status = document.getElementById("copy-status")
for (const button of document.querySelectorAll("button[data-copy]")) {
  const source = document.getElementById(button.dataset.copy)
  button.hidden = false
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source.textContent)
      button.textContent = "Copied"
      status.textContent = "Copied"
    } catch {
      getSelection().selectAllChildren(source)
      status.textContent = "Selected: copy it with your keyboard"
    }
    setTimeout(() => { button.textContent = "Copy"; status.textContent = "" }, 3000)
  })
}
addEventListener("submit", (event) => {
  const { dataset } = event.target
  if (dataset.sent === "yes") event.preventDefault()
  dataset.sent = "yes"
})
addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent
})
const menus = document.querySelectorAll("details.menu")
const closeMenus = (but) => { for (const menu of menus) if (menu !== but) menu.open = false }
addEventListener("click", (event) => closeMenus(event.target.closest("details.menu")))
addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return
  const open = document.querySelector("details.menu[open]")
  closeMenus()
  open?.querySelector("summary").focus()
})
`
