import { BASE_STYLE } from './base-style.ts';

export const SESSION_STYLE = `${BASE_STYLE}
html{scroll-padding-top:4rem}
.bar{position:sticky;top:0;z-index:3;display:flex;gap:.4rem;align-items:center;padding:.5rem .75rem;background:var(--bg);border-bottom:1px solid var(--line)}
.search{flex:1;min-width:5rem;max-width:24rem}
.search input{width:100%}
#hits{color:var(--dim);font-size:.85rem;white-space:nowrap;min-width:3.2rem}
#menu{display:none}
.bar button{white-space:nowrap}
nav{position:fixed;top:3.4rem;bottom:0;left:0;width:18rem;overflow-y:auto;padding:1rem .5rem 2rem 1rem;border-right:1px solid var(--line);background:var(--bg);font-size:.85rem;line-height:1.35}
nav ol{list-style:none;margin:0;padding:0}
nav li{content-visibility:auto;contain-intrinsic-size:auto 2rem}
nav button{display:block;width:100%;text-align:left;border:0;border-left:2px solid transparent;border-radius:0;background:none;padding:.3rem .5rem;color:var(--dim);white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
nav .on button{color:var(--ink);border-left-color:var(--user-line)}
nav button:hover{color:var(--accent)}
nav .d1{padding-left:.8rem}nav .d2{padding-left:1.6rem}nav .d3{padding-left:2.4rem}nav .d4{padding-left:3.2rem}
main{margin-left:18rem;padding:1.5rem clamp(1rem,4vw,3rem);max-width:64rem}
.head{padding-bottom:1rem;border-bottom:1px solid var(--line);margin-bottom:1.25rem}
.facts{display:flex;flex-wrap:wrap;gap:.5rem 1.75rem;margin:0;font-size:.9rem}
.facts dt{color:var(--dim);font-size:.72rem;letter-spacing:.04em;text-transform:uppercase}
.facts dd{margin:0;font-variant-numeric:tabular-nums}
article{margin:0 0 1rem;content-visibility:auto;contain-intrinsic-size:auto 7rem;scroll-margin-top:4rem}
article>header{display:flex;flex-wrap:wrap;gap:.1rem .75rem;align-items:baseline;font-size:.8rem;color:var(--dim);margin-bottom:.15rem}
article>header b{color:var(--ink);font-size:.85rem}
.user{background:var(--user);border:1px solid var(--user-line);border-radius:12px;padding:.7rem 1rem;margin-top:1.75rem}
.user>header b{color:var(--accent)}
.toolResult,.note,.system{margin-bottom:.5rem}
.note,.custom{font-size:.85rem;color:var(--dim)}
.note>header{display:none}
.note pre{background:none;border:0;padding:0;margin:0;text-align:center}
.summary{border:1px dashed var(--line);border-radius:12px;padding:.7rem 1rem;background:var(--card)}
.toolResult>header{display:none}
.hit{outline:3px solid var(--hit);outline-offset:4px;border-radius:8px}
.label{background:var(--hit);color:var(--ink);border-radius:99px;padding:0 .6rem}
.end,.error summary{color:var(--bad)}
.end{font-size:.85rem}
pre,code{font:.86em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{background:var(--code);border:1px solid var(--line);border-radius:8px;padding:.6rem .8rem;white-space:pre-wrap;overflow-x:auto;margin:.5rem 0;max-height:36rem;overflow-y:auto}
:not(pre)>code{background:var(--code);border-radius:4px;padding:.1em .3em}
details{border:1px solid var(--line);border-radius:8px;margin:.4rem 0;background:var(--card)}
summary{cursor:pointer;padding:.3rem .75rem;font:.84rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:var(--dim);white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
details.thinking summary{font-family:inherit;font-style:italic}
details pre{border-width:1px 0 0;border-radius:0 0 8px 8px;margin:0}
article p{margin:.5rem 0}article ul,article ol{padding-left:1.5rem}
article h1,article h2,article h3{font-size:1.1rem;margin:1rem 0 .4rem}
blockquote{margin:.5rem 0;padding-left:1rem;border-left:3px solid var(--line);color:var(--dim)}
table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border:1px solid var(--line);padding:.25rem .6rem}.right{text-align:right}.center{text-align:center}
img{max-width:100%;height:auto;border-radius:8px;border:1px solid var(--line)}
.fork{display:flex;gap:.5rem;align-items:center;justify-content:center;font-size:.85rem;color:var(--dim);margin:1rem 0}
@media(max-width:56rem){#menu{display:block}.bar{flex-wrap:wrap}#hits:empty{display:none}.search{min-width:4rem}main{margin-left:0}nav{display:none;width:min(20rem,85vw);z-index:2;box-shadow:0 0 2rem #0006}nav.open{display:block}#prev,#next{display:none}.bar button{padding:.3rem .5rem}}
@media print{.bar,nav,.fork button{display:none}main{margin:0;max-width:none;padding:0}article{content-visibility:visible;break-inside:auto}pre{max-height:none}body{font-size:11pt;background:#fff}}
`;
