import { bootstrapSentinel } from "@capstan/contract";
import { rootFile, type FileEntry } from "./file-entry.ts";

/**
 * The command that makes the machine a Node, and then says that it succeeded. Both stay one command: cloud-init runs commands without
 * `set -e`, and a later one would run after a failure too.
 */
export const withSuccessSentinel = (command: string): string => `${command} && echo success > ${bootstrapSentinel}`;

/** The directory of the sentinel must exist: writing a file into it is the one way that works on every system. */
export const sentinelPlaceholder: FileEntry = rootFile(
  `${bootstrapSentinel.slice(0, bootstrapSentinel.lastIndexOf("/"))}/placeholder`,
  "keeps the directory of the success sentinel",
);
