/** The compiled code of `assembly/`, in base64. */
export const code: string;
