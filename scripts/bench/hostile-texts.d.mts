export const HOSTILE_PIECES: Readonly<Record<string, string>>;
export function repeatPiece(piece: string, length: number): string;
