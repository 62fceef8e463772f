// Parses a script of PowerShell on standard input by the grammar that editors have for it, and prints what
// is not PowerShell, and the names of the commands that it calls, as JSON.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Language, Parser } from 'web-tree-sitter';

// Else V8 goes on for a minute to make the large functions of the parser faster, and the process with it.
setFlagsFromString('--liftoff-only');
await Parser.init();
const grammar = import.meta.resolve('tree-sitter-powershell/tree-sitter-powershell.wasm');
const parser = new Parser().setLanguage(await Language.load(fileURLToPath(grammar)));
const root = parser.parse(readFileSync(0, 'utf8')).rootNode;

const errors = [];
const commands = [];
const visit = (node) => {
  if (node.isError || node.isMissing) errors.push(`${node.startPosition.row + 1}: ${node.text}`);
  if (node.type === 'command_name') commands.push(node.text);
  for (const child of node.children) visit(child);
};
visit(root);
process.stdout.write(JSON.stringify({ errors, commands }));
