/** Buttons, fields, and what is said of them. */
export const controlsStyle = `
.button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.5rem;
  padding: .4rem 1rem;
  border: 1px solid var(--edge); border-radius: .5rem; background: var(--surface); color: var(--ink);
  font: inherit; font-weight: 600; line-height: 1.3; text-decoration: none; cursor: pointer;
    white-space: nowrap }
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
.form.across { grid-template-columns: minmax(0, 1fr); grid-auto-flow: column; align-items: end; gap: .9rem }
.inline { display: inline-flex; align-items: end; gap: .5rem; margin: 0 }
.actions { display: flex; flex-wrap: wrap; gap: .65rem }
.field { display: grid; gap: .3rem }
.field label { font-weight: 600 }
.hint { color: var(--muted); font-size: .925rem }
.fault { color: var(--bad); font-weight: 600; font-size: .95rem }
input, select, textarea { width: 100%; min-height: 2.6rem; padding: .45rem .7rem;
  border: 1px solid var(--edge);
  border-radius: .5rem; background: var(--surface); color: var(--ink); font: inherit }
input:hover, select:hover { border-color: var(--ink) }
.faulty input, .faulty select { border: 2px solid var(--bad) }
.check { grid-template-columns: auto 1fr; align-items: center; column-gap: .6rem }
.check input { width: 1.15rem; height: 1.15rem; min-height: 0; accent-color: var(--accent) }
.check .hint, .check .fault { grid-column: 2 }
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
  .form.across { grid-auto-flow: row }
  .button { white-space: normal }
}
`
