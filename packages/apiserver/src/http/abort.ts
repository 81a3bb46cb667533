/** True for the failure of something that was called off. */
export const isAbortError = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "AbortError" ||
    (error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE" ||
    (error as NodeJS.ErrnoException).code === "ECONNRESET");
