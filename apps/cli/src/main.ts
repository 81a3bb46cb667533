#!/usr/bin/env node
import { isCapstanError } from "@capstan/contract";
import { createProgram } from "./program.ts";

try {
  process.exitCode = await createProgram().run(process.argv.slice(2));
} catch (error) {
  const detail = isCapstanError(error)
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
  process.stderr.write(`capstan: ${detail}\n`);
  process.exitCode = 1;
}
