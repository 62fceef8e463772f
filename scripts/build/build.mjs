// @ts-check
// Builds dist, unless it is what the sources make already: npm run build [-- --force].
import { build } from './keep-dist.mjs';

await build({ isForced: process.argv.includes('--force') });
