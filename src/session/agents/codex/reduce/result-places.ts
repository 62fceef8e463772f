/** The place of what a tool of a server gave back, in the lines that show it to people, by type: as the server wrote it. */
export const RESULT_PLACES: ReadonlyMap<string, readonly string[]> = new Map([
  ['McpToolCall', ['payload', 'item', 'result']],
  ['mcp_tool_call_end', ['payload', 'result', 'Ok']],
]);
