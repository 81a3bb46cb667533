/** Aborted at the first Ctrl-C or termination signal; a second one ends the process at once. */
export const interruption = (): AbortSignal => {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new DOMException("interrupted", "AbortError"));
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return controller.signal;
};
