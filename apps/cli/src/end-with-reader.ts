/**
 * Ends the process, without a word, when no one reads its output any more, as in `capstan ... | head -1`. A command that listens itself
 * ends in its own way.
 */
export const endWithReader = (): void => {
  const streams = [process.stdout, process.stderr];
  const onError = (error: NodeJS.ErrnoException): void => {
    if (streams.some((stream) => stream.listenerCount("error") > 1)) return;
    if (error.code !== "EPIPE") process.stderr.write(`capstan: cannot write output: ${error.message}\n`);
    process.exit(error.code === "EPIPE" ? 0 : 1);
  };
  for (const stream of streams) stream.on("error", onError);
};
