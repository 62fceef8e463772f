import type { RanCommand } from './conversation.ts';

/** Formats a command as the model is shown it: `bashExecutionToText` of pi 1.6.0. */
export function formatCommand(ran: RanCommand, output: string): string {
  const { command, exitCode = 0, cancelled, truncated, fullOutputPath = '' } = ran;
  const parts = [`Ran \`${command}\`\n${output ? `\`\`\`\n${output}\n\`\`\`` : '(no output)'}`];
  if (cancelled) parts.push('(command cancelled)');
  else if (exitCode !== 0) parts.push(`Command exited with code ${exitCode}`);
  if (truncated && fullOutputPath !== '') {
    parts.push(`[Output truncated. Full output: ${fullOutputPath}]`);
  }
  return parts.join('\n\n');
}
