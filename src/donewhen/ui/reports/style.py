"""The style of the HTML report: one sheet inside of the page, light and dark, wide and narrow."""

CSS = """
:root { color-scheme: light dark; --ink: #1c2024; --paper: #fff; --soft: #5b6470; --line: #d8dee6;
  --panel: #f5f7f9; --fail: #b42318; --warning: #8a5300; --skipped: #5b6470; --pass: #13703c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebf0; --paper: #14181d; --soft: #a3adb9;
  --line: #333c47; --panel: #1c2229; --fail: #ff8a80; --warning: #f2b544; --skipped: #a3adb9;
  --pass: #6fd39a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 68rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: inherit; }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--warning); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; }
h1 { font-size: 1.6rem; margin: .5rem 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1rem; padding: 0; list-style: none; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; }
code, pre { font: .9em/1.45 ui-monospace, monospace; unicode-bidi: isolate; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: .3rem; padding: .6rem;
  overflow-x: auto; white-space: pre; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0;
  border-bottom: 1px solid var(--line); }
ul.findings { padding: 0; list-style: none; }
ul.findings > li { border-left: .25rem solid var(--line); padding: .1rem 0 .1rem .7rem; margin: .6rem 0; }
li.fail { border-color: var(--fail) !important; }
li.warning { border-color: var(--warning) !important; }
.fail > .state, .verdict.not_accepted { color: var(--fail); }
.warning > .state, .verdict.could_not, .verdict.needs_word { color: var(--warning); }
.skipped > .state { color: var(--skipped); }
.pass > .state, .verdict.accepted { color: var(--pass); }
.state { font-weight: 600; white-space: nowrap; }
.soft, footer { color: var(--soft); }
footer { margin-top: 2rem; border-top: 1px solid var(--line); }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; } }
@media print { details > * { display: block; } nav, .skip { display: none; } }
"""
