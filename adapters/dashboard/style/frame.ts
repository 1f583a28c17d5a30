/** Colors, type, and the frame around every page. Colors meet WCAG AA in both themes. */
export const frameStyle = `
:root { color-scheme: light dark; --ground: #f4f6f7; --surface: #ffffff; --raised: #f8fafa; --ink: #17222b;
  --muted: #54626d; --line: #dbe1e5; --edge: #7b8a95; --accent: #0d5c69; --accent-strong: #0a4a55;
  --on-accent: #ffffff; --tint: #e3f0f1; --good: #17663a; --good-tint: #e4f3e9; --bad: #a3271d;
  --bad-tint: #fbe9e7; --warn: #7a4b00; --warn-tint: #fbf0da; --focus: #0b66d8;
  --shadow: 0 1px 2px rgb(15 35 45 / 6%), 0 4px 16px rgb(15 35 45 / 4%); --radius: .75rem; --gap: 1.25rem }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0f1519; --surface: #171f25; --raised: #1c262d; --ink: #e5ebef; --muted: #a0adb8;
    --line: #2b3740; --edge: #71808c; --accent: #6cc8d4; --accent-strong: #93dbe4; --on-accent: #06242a;
    --tint: #15343a; --good: #7fd4a0; --good-tint: #14301f; --bad: #ff9e92; --bad-tint: #3b1b18;
    --warn: #f0c46c; --warn-tint: #352914; --focus: #8ab8ff; --shadow: none }
}
*, *::before, *::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100% }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--ground);
  color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  overflow-wrap: break-word }
h1, h2, p, ul, ol, dl, dd { margin: 0 }
h1 { font-size: 1.6rem; line-height: 1.25; letter-spacing: -.015em; font-weight: 650; text-wrap: balance }
h2 { font-size: 1.075rem; line-height: 1.35; font-weight: 650 }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: 1px }
a:hover { color: var(--accent-strong); text-decoration-thickness: 2px }
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .9em }
code { overflow-wrap: anywhere }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: .3rem }
.heard { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap }
.skip { position: absolute; left: 1rem; top: -4rem; z-index: 3; padding: .6rem 1rem;
  border-radius: 0 0 .5rem .5rem; background: var(--accent); color: var(--on-accent) }
.skip:focus { top: 0; color: var(--on-accent) }
.strong { font-weight: 600 }
.muted { color: var(--muted) }
.top { background: var(--surface); border-bottom: 1px solid var(--line) }
.top > div { max-width: 76rem; margin: 0 auto; padding: .65rem 1.25rem; display: flex; align-items: center;
  gap: .75rem }
.brand { display: flex; align-items: center; gap: .6rem; font-weight: 650; color: var(--ink);
  text-decoration: none; white-space: nowrap }
.brand:hover { color: var(--accent) }
.brand svg { flex: none; width: 1.75rem; height: 1.75rem }
.brand rect { fill: var(--accent) }
.brand path { fill: none; stroke: var(--on-accent); stroke-width: 3.4; stroke-linecap: round;
  stroke-linejoin: round }
.who { margin-left: auto; display: flex; flex: 0 1 auto; align-items: center; gap: .75rem; min-width: 0 }
.who form { flex: none }
.who .email { color: var(--muted); font-size: .9rem; overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap }
.menu { position: relative; min-width: 0; flex: 0 1 auto }
.menu summary { list-style: none; display: flex; align-items: center; gap: .5rem; padding: .35rem .7rem;
  border: 1px solid var(--line); border-radius: .5rem; cursor: pointer; font-weight: 550;
  max-width: min(18rem, 100%) }
.menu summary::-webkit-details-marker { display: none }
.menu summary:hover { background: var(--raised); border-color: var(--edge) }
.menu summary span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.menu summary::after { content: ""; flex: none; width: .45rem; height: .45rem; margin-top: -.2rem;
  border: solid var(--muted); border-width: 0 2px 2px 0; transform: rotate(45deg) }
.menu ul { position: absolute; z-index: 2; left: 0; top: calc(100% + .4rem); width: max-content;
  min-width: 15rem; max-width: min(22rem, calc(100vw - 2.5rem)); max-height: 60vh; overflow-y: auto;
  padding: .4rem; list-style: none; background: var(--surface); border: 1px solid var(--line);
  border-radius: var(--radius); box-shadow: 0 8px 30px rgb(0 0 0 / 18%) }
.menu li a { display: block; padding: .5rem .7rem; border-radius: .45rem; color: var(--ink);
  text-decoration: none }
.menu li a:hover { background: var(--tint) }
.menu li a[aria-current] { font-weight: 650; color: var(--accent) }
.menu li.apart { border-top: 1px solid var(--line); margin-top: .4rem; padding-top: .4rem }
.menu li.apart a { color: var(--accent) }
.body { flex: 1; width: 100%; max-width: 76rem; margin: 0 auto; padding: 1.75rem 1.25rem 3rem; display: grid;
  gap: 2rem; align-content: start }
.body.sided { grid-template-columns: 11.5rem minmax(0, 1fr); gap: 2.25rem; align-items: start }
.sections ul { list-style: none; padding: 0; display: grid; gap: .15rem; position: sticky; top: 1.25rem }
.sections a { display: block; padding: .45rem .75rem; border-radius: .5rem; color: var(--muted);
  font-weight: 550; text-decoration: none }
.sections a:hover { background: var(--surface); color: var(--ink) }
.sections a[aria-current] { background: var(--tint); color: var(--accent) }
main { min-width: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--gap);
  align-content: start }
main.narrow { width: 100%; max-width: 27rem; margin: 1.5rem auto 0 }
main > h1 { margin-bottom: -.35rem }
.lead { color: var(--muted); max-width: 46rem; text-wrap: pretty }
.foot { border-top: 1px solid var(--line); color: var(--muted); font-size: .9rem }
.foot > div { max-width: 76rem; margin: 0 auto; padding: 1rem 1.25rem; display: flex; flex-wrap: wrap;
  gap: .4rem 1.25rem }
.foot a { color: inherit }
@media (max-width: 52rem) {
  .body { padding-top: 1rem; gap: 1.25rem }
  .body.sided { grid-template-columns: minmax(0, 1fr); gap: 1.25rem }
  .sections ul { position: static; grid-template-columns: repeat(4, auto); padding: .3rem;
    background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius) }
  .sections a { padding: .5rem .15rem; text-align: center; font-size: .875rem; white-space: nowrap }
  .who { flex: none }
  .sections a:hover { background: var(--raised) }
  .sections a[aria-current] { background: var(--tint) }
  .menu ul { position: fixed; left: 1.25rem; right: 1.25rem; top: auto; width: auto; max-width: none;
    margin-top: .4rem }
  .who .email, .brand.tight span { display: none }
  h1 { font-size: 1.4rem }
}
@media (max-width: 26rem) { .brand { white-space: normal; line-height: 1.2 } }
@media (prefers-reduced-motion: no-preference) {
  a, button, .button, input, select { transition: background-color .12s, border-color .12s, color .12s }
}
@media print { .top, .sections, .foot, .actions, .acts { display: none } }
`
