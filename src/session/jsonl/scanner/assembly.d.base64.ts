/** What `assembly/` is compiled to, in base64. */
export const code: string;
