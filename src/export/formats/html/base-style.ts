/** The style that pages share: colors for light and dark, and type. */
export const BASE_STYLE = `
:root{color-scheme:light dark;--bg:#fbfaf8;--card:#fff;--ink:#22242a;--dim:#6b7078;--line:#e4e1da;
--user:#eef4ff;--user-line:#c7d8f8;--accent:#3257c8;--code:#f4f2ee;--bad:#b3261e;--hit:#ffe58a;--l1:#cfdcf7;--l2:#94b1ee;--l3:#5b82dd;--l4:#3257c8}
@media(prefers-color-scheme:dark){:root{--bg:#15171b;--card:#1c1f25;--ink:#e3e5e9;--dim:#969ca6;--line:#2d3139;
--user:#1b2740;--user-line:#2e4272;--accent:#8fb0ff;--code:#111317;--bad:#ff8f85;--hit:#6b5a16;--l1:#22335c;--l2:#33509a;--l3:#5579cf;--l4:#8fb0ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;overflow-wrap:anywhere}
a{color:var(--accent)}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem;text-wrap:balance}
button,input{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.3rem .7rem}
button{cursor:pointer}
button:hover,button[aria-pressed=true]{border-color:var(--accent);color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
footer{color:var(--dim);font-size:.8rem;margin:2.5rem 0 1rem;text-align:center}
`;
