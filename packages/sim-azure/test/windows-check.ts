import { readFileSync } from "node:fs";
import { join } from "node:path";

const recorded = readFileSync(join(import.meta.dirname, "__fixtures__/windows-check.txt"), "utf8").trim();

/** Returns the command that the Azure provider gives the bootstrap extension of a Windows machine, which waits for so many seconds. */
export const windowsCheck = (seconds: number): string => recorded.replace("SECONDS", String(seconds));
