import { renameSync, writeFileSync } from "node:fs";

/** Writes a file that only its owner may read: whole, or as it was before when that fails half-way, as on a full disk. */
export const replaceFile = (path: string, text: string): void => {
  const draft = `${path}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
};
