/** Does the work of a bench, which reports its progress on standard error; ends it at Ctrl-C, with status 130. */
export const untilInterrupted = async (
  work: (environment: { readonly say: (line: string) => void; readonly signal: AbortSignal }) => Promise<void>,
): Promise<void> => {
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(new Error("interrupted"));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const say = (line: string): void => console.error(`bench: ${line}`);
  try {
    await work({ say, signal: interrupted.signal });
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    process.exitCode = 130;
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
};
