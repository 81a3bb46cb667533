import { parseArgs } from "node:util";
import { fuzz } from "./fuzz/fuzz.ts";

const wholeNumber = (flag: string, text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${flag} ${text}: give a whole number`);
  return value;
};

/** `npm run bench -- fuzz`: made-up requests to the embedded API server, of which none may be answered as its own mistake. */
export const fuzzBench = async (args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      requests: { type: "string", default: "100000" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      parallel: { type: "string", default: "8" },
    },
  });
  const [requests, seed] = [wholeNumber("requests", values.requests), wholeNumber("seed", values.seed)];
  console.log(`seed ${seed}`);
  const started = performance.now();
  const { codes, defects, errors } = await fuzz({ requests, seed, parallel: wholeNumber("parallel", values.parallel) });
  const counts = [...codes].toSorted(([a], [b]) => a - b).map(([code, count]) => `${code}: ${count}`);
  for (const { index, request, answer } of defects.slice(0, 20)) {
    const { method, path, headers, body } = request;
    console.log(`request ${index}: ${JSON.stringify({ method, path, headers, body: body?.toString("latin1") })}`);
    console.log(`  answer: ${answer}`);
  }
  for (const error of new Set(errors.slice(0, 20))) console.log(`  log: ${error}`);
  console.log(`${requests} requests in ${((performance.now() - started) / 1000).toFixed(0)} s; ${counts.join(", ")}`);
  console.log(`answered as a mistake of the server: ${defects.length}; errors in its log: ${errors.length}`);
  if (defects.length + errors.length > 0) process.exitCode = 1;
};
