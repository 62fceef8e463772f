// @ts-check
// Builds dist, unless it is what the sources make already: npm run build [-- --force].
import { build } from './dist.mjs';

await build({ isForced: process.argv.includes('--force') });
