"""The style of a run's page: that of all reports, and what only a run has (board, story, diff)."""

from donewhen.ui.reports.style import CSS as SHARED

CSS = (
    SHARED
    + """
header .lead { font-size: 1.15rem; margin: .2rem 0; }
.banner { border: 1px solid var(--line); border-left: .5rem solid var(--soft); border-radius: .4rem;
  padding: .6rem 1.2rem 1rem; background: var(--panel); }
.banner.accepted { border-left-color: var(--pass); }
.banner.not_accepted { border-left-color: var(--fail); }
.banner.waiting, .banner.running { border-left-color: var(--warning); }
.verdict.waiting, .verdict.running { color: var(--warning); }
.next { margin: .6rem 0 0; }
.next code { background: var(--paper); border: 1px solid var(--line); border-radius: .3rem;
  padding: .15rem .5rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .6rem;
  margin: 1rem 0; }
.figures > div { border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .8rem; }
.figures dt { font-size: .85rem; }
.figures dd { font-size: 1.3rem; font-weight: 600; }
.figures dd span { display: block; font-size: .85rem; font-weight: 400; color: var(--soft); }
ul.board, ol.story, ul.plain, ol.line { padding: 0; list-style: none; }
ul.board > li, ol.story > li { border: 1px solid var(--line); border-left: .3rem solid var(--soft);
  border-radius: .4rem; padding: .5rem .9rem; margin: .6rem 0; break-inside: avoid; }
li.passed, li.accepted { border-left-color: var(--pass) !important; }
li.failed, li.masked, li.stopped { border-left-color: var(--fail) !important; }
li.stale, li.pending, li.continue { border-left-color: var(--warning) !important; }
.passed > .state, .passed > p > .state, .accepted > h3 > .state { color: var(--pass); }
.failed > .state, .failed > p > .state, .masked > .state, .masked > p > .state,
.failed > h3 > .state, .stopped > h3 > .state { color: var(--fail); }
.stale > .state, .stale > p > .state, .pending > .state, .pending > p > .state,
.continue > h3 > .state { color: var(--warning); }
ul.board p, ol.story p, .banner p { margin: .2rem 0; }
ol.story h3 { margin: .2rem 0; }
.banner h1 { margin: 0; }
ul.board dl, ol.story dl { margin: .4rem 0 .4rem .2rem; font-size: .95rem; }
blockquote { margin: .3rem 0; padding: .1rem .8rem; border-left: .2rem solid var(--line); }
details { margin: .3rem 0; }
summary { cursor: pointer; color: var(--soft); }
pre { max-height: 32rem; overflow: auto; }
pre .add { color: var(--pass); }
pre .del { color: var(--fail); }
pre .hunk { color: var(--soft); }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
meter { width: 12rem; max-width: 100%; }
@media print {
  body { max-width: none; font-size: 10pt; color: #000; background: #fff; }
  pre { max-height: none; white-space: pre-wrap; overflow-wrap: anywhere; }
  details::details-content { content-visibility: visible; block-size: auto; }
  a { text-decoration: none; }
}
"""
)
