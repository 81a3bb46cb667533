import { mkdirSync } from "node:fs";
import { lockFolder } from "@capstan/apiserver";
import { CapstanError } from "@capstan/contract";

/**
 * Keeps a directory of guests for this host alone, until the returned function is called or the process ends in whatever way: two hosts
 * would start the same machines twice. Throws `guest.directory_in_use`.
 */
export const holdDirectory = (directory: string): (() => void) => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const release = lockFolder(directory);
  if (release !== undefined) return release;
  throw new CapstanError({
    code: "guest.directory_in_use",
    reason: "DirectoryInUse",
    message: `${directory}: another guest host uses it; stop that one, or give this one a directory of its own`,
    retry: { kind: "never" },
  });
};
