/** Cards, lists, tables, figures. */
export const partsStyle = `
.card { padding: 1.35rem 1.5rem; background: var(--surface); border: 1px solid var(--line);
  border-radius: var(--radius);
  box-shadow: var(--shadow); display: grid; grid-template-columns: minmax(0, 1fr); gap: .9rem }
.card > .head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between;
  gap: .5rem 1rem }
.card > .head + .muted { margin-top: -.55rem; max-width: 46rem }
.rows { list-style: none; padding: 0 }
.rows > li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between;
  gap: .6rem 1.25rem;
  padding: .85rem 0; border-top: 1px solid var(--line) }
.rows > li:first-child { border-top: 0; padding-top: .2rem }
.rows > li:last-child { padding-bottom: .2rem }
.rows .about { flex: 1 1 14rem; min-width: 0 }
.rows .about .muted { font-size: .925rem }
.rows .acts { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem }
.rows a.whole { font-weight: 600 }
.pill { display: inline-block; padding: .05rem .6rem; border-radius: 1rem; border: 1px solid var(--line);
  background: var(--raised); color: var(--muted); font-size: .825rem; font-weight: 600; white-space: nowrap }
.pill.good { background: var(--good-tint); border-color: transparent; color: var(--good) }
.pill.bad { background: var(--bad-tint); border-color: transparent; color: var(--bad) }
.pill.warn { background: var(--warn-tint); border-color: transparent; color: var(--warn) }
.empty { padding: 1.5rem; border: 1px dashed var(--edge); border-radius: .6rem; text-align: center;
  color: var(--muted);
  display: grid; gap: .35rem; justify-items: center }
.empty .strong { color: var(--ink) }
.empty > .button { margin-top: .5rem }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .6rem }
table { border-collapse: collapse; width: 100%; font-size: .95rem; font-variant-numeric: tabular-nums }
th, td { padding: .6rem .9rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line) }
thead th { border-top: 0; background: var(--raised); color: var(--muted); font-size: .85rem;
  font-weight: 600; white-space: nowrap }
.numeric { text-align: right }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 1rem 1.5rem }
.figures dt { color: var(--muted); font-size: .9rem }
.figures .value { font-size: 1.5rem; font-weight: 650; letter-spacing: -.01em;
  font-variant-numeric: tabular-nums;
  line-height: 1.3 }
.figures dd.muted { font-size: .875rem }
.copyable { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem }
.copyable code { flex: 0 1 auto; min-width: 0; padding: .35rem .65rem; background: var(--raised);
  border: 1px solid var(--line);
  border-radius: .45rem }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .6rem 1.5rem;
  align-items: baseline }
.facts dt { color: var(--muted) }
pre { margin: 0; padding: .9rem 1rem; overflow-x: auto; background: var(--raised);
  border: 1px solid var(--line);
  border-radius: .6rem }
ul.plain, ul.links { padding-left: 1.15rem; display: grid; gap: .35rem }
.aside { text-align: center; color: var(--muted) }
@media (max-width: 52rem) {
  .card { padding: 1.1rem 1.1rem }
  .facts { grid-template-columns: minmax(0, 1fr); gap: .1rem }
  .facts dd { margin-bottom: .7rem }
}
`
