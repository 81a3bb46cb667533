import { enableCompileCache } from "node:module";

// Before anything else is loaded: a second start then needs a fraction of the time.
enableCompileCache();
// The state holds secrets: whatever is written, only its owner may read.
process.umask(0o077);
const { endWithReader } = await import("./end-with-reader.ts");
endWithReader();
const { isCapstanError } = await import("@capstan/contract");
const { systemFailure } = await import("./system-failure.ts");
const { plainLines } = await import("@capstan/kube-values");
const { createProgram } = await import("./program.ts");

try {
  process.exitCode = await createProgram().run(process.argv.slice(2));
} catch (caught) {
  const error = systemFailure(caught);
  const detail = isCapstanError(error)
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
  process.stderr.write(`capstan: ${plainLines(detail)}\n`);
  process.exitCode = 1;
}
