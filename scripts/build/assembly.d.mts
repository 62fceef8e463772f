import type { Plugin } from 'vite';

/** See `assembly.mjs`; here for what is written in TypeScript. */
export function assembly(): Plugin;
