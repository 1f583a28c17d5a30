/** Charts, drawn as SVG and coloured by class. Each colour has 3:1 to its ground, and a gap parts the two. */
export const chartsStyle = `
:root { --bar: #0d7285; --bar-bad: #d4572a; --grid: #e3e8eb; --track: #e9eef0 }
@media (prefers-color-scheme: dark) { :root { --bar: #57b9c6; --bar-bad: #e0703f; --grid: #27323a; --track: #26323a } }
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
.ranges a { padding: .3rem .85rem; border-radius: .45rem; color: var(--muted); font-weight: 550; text-decoration: none }
.ranges a:hover { background: var(--raised); color: var(--ink) }
.ranges a[aria-current] { background: var(--tint); color: var(--accent) }
.tools { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .75rem 1rem }
details.more > summary { cursor: pointer; color: var(--accent); font-weight: 550; padding: .25rem 0 }
details.more[open] > summary { margin-bottom: .6rem }
.secret { display: grid; gap: .6rem; padding: 1rem 1.15rem; border: 2px solid var(--good); border-radius: var(--radius);
  background: var(--good-tint) }
.secret .copyable code { background: var(--surface) }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: var(--gap) }
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
