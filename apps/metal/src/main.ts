import { isCapstanError } from "@capstan/contract";
import { createProgram } from "./program.ts";

// What is written may hold secrets: only its owner may read it.
process.umask(0o077);

try {
  await createProgram().parseAsync(process.argv.slice(2), { from: "user" });
} catch (error) {
  const detail = isCapstanError(error) ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`capstan-metal: ${detail}\n`);
  process.exitCode = 1;
}
