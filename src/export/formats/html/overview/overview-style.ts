import { BASE_STYLE } from '../base-style.ts';

export const OVERVIEW_STYLE = `${BASE_STYLE}
main{max-width:72rem;margin:0 auto;padding:2rem clamp(1rem,4vw,3rem)}
h2{font-size:1.05rem;margin:2.25rem 0 .6rem}
.sum{color:var(--dim);margin:0 0 1.5rem}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:0 2.5rem}
/* Opens at its newest end. */
.scroll{overflow-x:auto;direction:rtl}
svg{direction:ltr;display:block;min-width:44rem;width:100%;height:auto}
svg text{font:9px system-ui,sans-serif;fill:var(--dim)}
.l0{fill:var(--line)}.l1{fill:var(--l1)}.l2{fill:var(--l2)}.l3{fill:var(--l3)}.l4{fill:var(--l4)}
table{width:100%;border-collapse:collapse;font-size:.9rem}
th,td{text-align:left;padding:.45rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;color:var(--dim);white-space:nowrap}
th button{border:0;background:none;padding:0;color:inherit;font-weight:inherit}
th[aria-sort=ascending] button::after{content:" ↑"}th[aria-sort=descending] button::after{content:" ↓"}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
/* A word is broken only if it is longer than this. */
.name{min-width:10rem}
td.dim{color:var(--dim)}
td a{text-decoration:none;font-weight:500}td a:hover{text-decoration:underline}
#filter{width:100%;max-width:24rem;margin-bottom:.5rem}
@media(max-width:44rem){.wide{display:none}}
@media print{#filter{display:none}}
`;
