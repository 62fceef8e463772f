// Ours, since XML libraries leave in what XML forbids, or a terminal obeys. Markup, what XML 1.0 forbids, and what a terminal would obey or hide.
const SPECIAL =
  /[&<>"'\p{Cc}\p{Surrogate}\p{Format}\p{Line_Separator}\p{Paragraph_Separator}\ufffe\uffff]/gu;
// Forbidden even as a reference.
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\p{Surrogate}\ufffe\uffff]/u;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes a text for an attribute or an element: what cannot be in XML becomes U+FFFD, the rest survives. */
export function escapeXml(text: string): string {
  return text.replace(SPECIAL, (char) =>
    FORBIDDEN.test(char) ? '\ufffd' : (ENTITIES[char] ?? `&#${char.codePointAt(0)};`),
  );
}
