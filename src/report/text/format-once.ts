/** Makes a function that formats each text once: thousands of rows have the same. */
export function formatOnce(format: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const formatted = known.get(text) ?? format(text);
    known.set(text, formatted);
    return formatted;
  };
}
