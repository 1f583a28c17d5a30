/** Buttons, fields, cards, lists, tables and charts. Every chart color has a contrast of 3:1 or more. */
export const partsStyle = `
.button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.5rem;
  padding: .4rem 1rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--surface);
  color: var(--ink); font: inherit; font-weight: 600; line-height: 1.3; text-decoration: none;
  cursor: pointer; white-space: nowrap }
.button:hover { background: var(--raised); border-color: var(--ink); color: var(--ink) }
.button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent) }
.button.primary:hover { background: var(--accent-strong); border-color: var(--accent-strong) }
.button.danger { border-color: var(--bad); color: var(--bad) }
.button.danger:hover { background: var(--bad-tint) }
.button.quiet { min-height: 2.1rem; padding: .25rem .7rem; border-color: var(--line); font-weight: 550;
  font-size: .925rem }
.button.quiet:hover { border-color: var(--edge) }
.button[hidden] { display: none }
.form { display: grid; gap: 1.1rem }
.form.across { display: flex; align-items: end; gap: .9rem }
.form.across .field { flex: 1 }
.form.across .field:has(select) { flex: none }
.inline { display: inline-flex; align-items: end; gap: .5rem; margin: 0 }
.actions { display: flex; flex-wrap: wrap; gap: .65rem }
.field { display: grid; gap: .3rem }
.field label { font-weight: 600 }
.hint { color: var(--muted); font-size: .925rem }
.fault { color: var(--bad); font-weight: 600; font-size: .95rem }
input, select { width: 100%; min-height: 2.6rem; padding: .45rem .7rem; border: 1px solid var(--edge);
  border-radius: .5rem; background: var(--surface); color: var(--ink); font: inherit }
input:hover, select:hover { border-color: var(--ink) }
.faulty input, .faulty select { border: 2px solid var(--bad) }
.inline select { width: auto; min-height: 2.1rem; padding: .2rem .5rem; font-size: .925rem }
.summary { padding: 1rem 1.15rem; border: 2px solid var(--bad); border-radius: var(--radius);
  background: var(--bad-tint) }
.summary ul { margin-top: .35rem; padding-left: 1.15rem }
.summary a { color: var(--bad); font-weight: 600 }
.flash, .notice { padding: .75rem 1rem; border-radius: .6rem; border-left: 4px solid var(--good);
  background: var(--good-tint); color: var(--ink) }
.flash.bad, .notice.bad { border-left-color: var(--bad); background: var(--bad-tint) }
.notice.warn { border-left-color: var(--warn); background: var(--warn-tint) }
.notice.note { border-left-color: var(--accent); background: var(--tint) }
.notices { display: grid; gap: .75rem }
.notices summary { padding: .35rem 0; font-weight: 600; cursor: pointer }
.notice > * + * { margin-top: .35rem }
.notice .actions { align-items: center }
@media (max-width: 52rem) {
  .form.across { flex-direction: column; align-items: stretch }
  .button { white-space: normal }
}
.card { padding: 1.35rem 1.5rem; background: var(--surface); border: 1px solid var(--line);
  border-radius: var(--radius); box-shadow: var(--shadow); display: grid;
  grid-template-columns: minmax(0, 1fr); gap: .9rem }
.card > .head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between;
  gap: .5rem 1rem }
.card > .head + .muted { margin-top: -.55rem; max-width: 46rem }
.rows { list-style: none; padding: 0 }
.rows > li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between;
  gap: .6rem 1.25rem; padding: .85rem 0; border-top: 1px solid var(--line) }
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
  color: var(--muted); display: grid; gap: .35rem; justify-items: center }
.empty .strong { color: var(--ink) }
.empty > .button { margin-top: .5rem }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .6rem }
table { border-collapse: collapse; width: 100%; font-size: .95rem; font-variant-numeric: tabular-nums }
th, td { padding: .6rem .9rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line) }
thead th { border-top: 0; background: var(--raised); color: var(--muted); font-size: .85rem; font-weight: 600;
  white-space: nowrap }
.numeric { text-align: right }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 1rem 1.5rem }
.figures dt { color: var(--muted); font-size: .9rem }
.figures .value { font-size: 1.5rem; font-weight: 650; letter-spacing: -.01em;
  font-variant-numeric: tabular-nums; line-height: 1.3 }
.figures dd.muted { font-size: .875rem }
.copyable { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem }
.copyable code { flex: 0 1 auto; min-width: 0; padding: .35rem .65rem; background: var(--raised);
  border: 1px solid var(--line); border-radius: .45rem }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .6rem 1.5rem;
  align-items: baseline }
.facts dt { color: var(--muted) }
ul.plain, ul.links { padding-left: 1.15rem; display: grid; gap: .35rem }
.aside { text-align: center; color: var(--muted) }
@media (max-width: 52rem) {
  .card { padding: 1.1rem 1.1rem }
  .facts { grid-template-columns: minmax(0, 1fr); gap: .1rem }
  .facts dd { margin-bottom: .7rem }
}
:root { --bar: #0d7285; --bar-bad: #d4572a; --grid: #e3e8eb; --track: #e9eef0 }
@media (prefers-color-scheme: dark) {
  :root { --bar: #57b9c6; --bar-bad: #e0703f; --grid: #27323a; --track: #26323a }
}
.chart { display: grid; grid-template-columns: 3.25rem minmax(0, 1fr); gap: 0 .5rem }
.chart svg { display: block; width: 100%; overflow: visible }
.chart text { fill: var(--muted); font-size: .8rem; font-variant-numeric: tabular-nums }
.chart line { stroke: var(--grid); stroke-width: 1 }
.chart line.base { stroke: var(--edge) }
.chart .day rect.ground { fill: transparent }
.chart .day:hover rect.ground { fill: var(--tint) }
.bar { fill: var(--bar) }
.bar.bad { fill: var(--bar-bad); stroke: var(--surface); stroke-width: 1 }
.legend { display: flex; flex-wrap: wrap; gap: .4rem 1.25rem; padding: 0; list-style: none;
  color: var(--muted); font-size: .9rem }
.legend li { display: flex; align-items: center; gap: .45rem }
.legend svg { width: .8rem; height: .8rem }
.share { display: block; width: 100%; min-width: 5rem; height: .6rem; margin-top: .45rem }
.share rect.track, .meter rect.track { fill: var(--track) }
.meter { display: block; width: 100%; height: .6rem; margin-top: .35rem }
.meter rect.full { fill: var(--bar-bad) }
.ranges { display: inline-flex; flex-wrap: wrap; justify-self: start; padding: .2rem;
  border: 1px solid var(--line); border-radius: .6rem; background: var(--surface) }
.ranges a { padding: .3rem .85rem; border-radius: .45rem; color: var(--muted); font-weight: 550;
  text-decoration: none }
.ranges a:hover { background: var(--raised); color: var(--ink) }
.ranges a[aria-current] { background: var(--tint); color: var(--accent) }
.tools { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between;
  gap: .75rem 1rem }
details.more > summary { cursor: pointer; color: var(--accent); font-weight: 550; padding: .25rem 0 }
details.more[open] > summary { margin-bottom: .6rem }
.secret { display: grid; gap: .6rem; padding: 1rem 1.15rem; border: 2px solid var(--good);
  border-radius: var(--radius); background: var(--good-tint) }
.secret .copyable code { background: var(--surface) }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr));
  gap: var(--gap) }
.columns > .card { align-content: start }
.counts td:first-child { min-width: 8rem }
@media (max-width: 52rem) {
  .counts th, .counts td { padding: .5rem .45rem }
  .packs table { font-size: .8rem }
  .packs th, .packs td { padding: .5rem .2rem }
  .packs th:first-child, .packs td:first-child { padding-left: .45rem }
  .packs .button { padding: .2rem .3rem; font-size: .8rem }
  .packs .pill { padding: .05rem .35rem; font-size: .75rem }
  .counts .scroll th:first-child, .counts .scroll td:first-child { padding-left: .7rem }
}
`
