import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildTree, getPath, readSession, SessionManager } from 'coppice';

const directory = 'samples/sessions/--home-dev-src-api--';
const [name = ''] = readdirSync(directory).toSorted();
const { session } = await readSession(join(directory, name));
const tree = buildTree(session.entries);
const manager = SessionManager.open(join(directory, name));
console.log(getPath(tree, tree.leaf).length === manager.getBranch().length);
