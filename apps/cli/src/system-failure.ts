import { CapstanError, isCapstanError } from "@capstan/contract";

/** There is no room for more, or not for this user, or not in one file. */
const fullCodes = ["ENOSPC", "EDQUOT", "EFBIG"];

/** Turns an operating system error into a one-line failure; returns any other error unchanged. */
export const systemFailure = (error: unknown): unknown => {
  const { code, message, path, syscall } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (isCapstanError(error) || code === undefined || syscall === undefined) return error;
  const isFull = fullCodes.includes(code);
  const where = path === undefined ? "" : `${path}: `;
  return new CapstanError({
    code: isFull ? "file.no_room" : "file.failed",
    reason: isFull ? "NoRoom" : "FileFailed",
    message: isFull
      ? `${where}the disk is full (${code}); free some space and rerun the command: the previous state is intact`
      : String(message),
    retry: { kind: "never" },
    cause: error,
  });
};
