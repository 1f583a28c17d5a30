/**
 * The style of every page of the documentation: by the reader's light or dark, down to a phone's width. It
 * reaches the bar and the text alone, since the interactive reference brings a style of its own.
 */
export const style = `
:root { color-scheme: light dark; --ink: light-dark(#1b1f24, #e6e8eb); --paper: light-dark(#fff, #14171a);
  --quiet: light-dark(#57606a, #a3abb5); --line: light-dark(#d8dde3, #333a42);
  --tint: light-dark(#f4f6f8, #1d2126); --link: light-dark(#0b5cad, #7ab7ff);
  --good: light-dark(#1a7f37, #56d364); --poor: light-dark(#8a5300, #e3b341);
  --bad: light-dark(#b42318, #ff8b82); --found: light-dark(#fff5d6, #2f2a17); --scalar-custom-header-height: 3rem }
html { scroll-padding-top: 4rem }
body { font: 1rem/1.6 system-ui, sans-serif; margin: 0; color: var(--ink); background: var(--paper) }
.bar { position: sticky; top: 0; z-index: 10; background: var(--paper); border-bottom: 1px solid var(--line);
  box-sizing: border-box; height: 3rem }
.bar nav { display: flex; gap: 0 .8rem; font-size: .9rem; align-items: center; height: 100%; box-sizing: border-box;
  padding: 0 1.25rem; overflow-x: auto; white-space: nowrap; max-width: 66rem; margin: 0 auto }
.bar a { color: var(--quiet); text-decoration: none; padding: .2rem 0 }
.bar a:hover { color: var(--ink); text-decoration: underline }
.bar a[aria-current] { color: var(--ink); font-weight: 600 }
.bar .skip { position: absolute; left: -99rem }
.bar .skip:focus { left: 1rem; top: .6rem; background: var(--paper); z-index: 11 }
.wide .bar nav { max-width: none }
#key-status { position: fixed; right: 1rem; bottom: 1rem; z-index: 20000; margin: 0 0 0 1rem; max-width: 24rem;
  background: var(--found); color: var(--ink); border-radius: .4rem; font-size: .9rem }
#key-status:not(:empty) { padding: .75rem 1rem; border: 1px solid var(--line) }
[hidden] { display: none !important }
.text { max-width: 66rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; box-sizing: border-box;
  h1 { font-size: 1.75rem; line-height: 1.25; margin: .5rem 0 1rem }
  h2 { font-size: 1.25rem; margin: 2rem 0 .5rem }
  h3 { font-size: 1.05rem; margin: 1.5rem 0 .25rem }
  p, ul, ol, dl { margin: .6rem 0 }
  p, li { max-width: 48rem }
  a { color: var(--link) }
  h2 a, h3 a { color: inherit }
  code { font: .9em/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
  :not(pre) > code { background: var(--tint); padding: .1em .3em; border-radius: .25rem }
  pre { overflow-x: auto; background: var(--tint); border: 1px solid var(--line); border-radius: .4rem;
    padding: .75rem 1rem }
  pre code { overflow-wrap: normal }
  .scroll { overflow-x: auto }
  table { border-collapse: collapse; width: 100%; margin: .6rem 0 }
  th, td { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line);
    vertical-align: top }
  th { font-weight: 600 }
  td { min-width: 4rem }
  td:first-child code { white-space: nowrap }
  td.long code { white-space: normal; overflow-wrap: normal; line-height: 1.7 }
  summary { cursor: pointer; white-space: nowrap }
  h2:target, h3:target, tr:target { background: var(--found); box-shadow: -.75rem 0 0 var(--found) }
  dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem 1.25rem }
  dt { font-weight: 600 }
  dd { margin: 0; max-width: 48rem }
  .headline { font-size: 1.2rem; border-left: .35rem solid currentColor; padding: .5rem 0 .5rem .9rem }
  .up { color: var(--good) }
  .degraded { color: var(--poor) }
  .down { color: var(--bad) }
  .unknown { color: var(--quiet) }
  time { white-space: nowrap }
}
@media (max-width: 40rem) {
  .bar nav { padding: 0 1rem }
  .text { padding: 1rem 1rem 3rem;
    dl { grid-template-columns: minmax(0, 1fr); gap: 0 }
    dd { margin-bottom: .5rem }
  }
}
`
