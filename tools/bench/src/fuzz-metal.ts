import { parseArgs } from "node:util";
import { fuzzMetal } from "./fuzz-metal/fuzz-metal.ts";

const wholeNumber = (flag: string, text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${flag} ${text}: give a whole number`);
  return value;
};

/** `npm run bench -- fuzz-metal`: made-up packets and requests to the services of Tinkerbell, of which none may be answered to another machine. */
export const fuzzMetalBench = async (args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      inputs: { type: "string", default: "100000" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
    },
  });
  const [inputs, seed] = [wholeNumber("inputs", values.inputs), wholeNumber("seed", values.seed)];
  console.log(`seed ${seed}`);
  const started = performance.now();
  const fuzzed = await fuzzMetal({ inputs, seed });
  const wrong = Object.values(fuzzed).flatMap((each) => each.wrong);
  for (const each of wrong.slice(0, 20)) console.log(each);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const memory = Math.round(process.memoryUsage().rss / 2 ** 20);
  for (const [kind, { served }] of Object.entries(fuzzed)) console.log(`${kind}: served ${served} of a quarter`);
  console.log(`${inputs} inputs in ${seconds} s; wrong: ${wrong.length}; ${memory} MiB of memory in the end`);
  if (wrong.length > 0) process.exitCode = 1;
};
