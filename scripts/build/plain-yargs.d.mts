import type { Plugin } from 'vite';

export declare const plainYargs: Plugin;
