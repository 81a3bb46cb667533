import type { Figures } from "./figures.ts";
import { ours, upstream } from "./managers.ts";
import { measure } from "./measure.ts";
import { type CoreOptions, machinesOf, readOptions } from "./options.ts";
import { comparisonGoals, describeFigures, describeGoals, growthGoal, ownGoals } from "./report.ts";

type Environment = Parameters<typeof measure>[3];

const runAll = async (options: CoreOptions, environment: Environment): Promise<void> => {
  const measured: Figures[] = [];
  const show = (text: string): void => console.log(`\n${text}`);
  for (const shape of options.shapes) {
    const own = await measure(ours, shape, options, environment);
    measured.push(own);
    show(describeFigures(own));
    show(describeGoals("goals", ownGoals(own)));
    if (options.beside) {
      const theirs = await measure(upstream, shape, options, environment);
      show(describeFigures(theirs));
      show(describeGoals(`${own.contestant} / ${theirs.contestant}`, comparisonGoals(own, theirs)));
    }
  }
  const bySize = measured.toSorted((a, b) => machinesOf(a.shape) - machinesOf(b.shape));
  const [smallest, largest] = [bySize[0], bySize.at(-1)];
  if (smallest !== undefined && largest !== undefined && smallest !== largest) {
    show(describeGoals("growth", [growthGoal(smallest, largest)]));
  }
};

/** `npm run bench -- core`: core and the kubeadm bootstrap in memory, alone or beside upstream's managers. */
export const coreBench = async (args: readonly string[]): Promise<void> => {
  const options = readOptions(args, process.env);
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(new Error("interrupted"));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const say = (line: string): void => console.error(`bench: ${line}`);
  try {
    await runAll(options, { say, signal: interrupted.signal });
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    process.exitCode = 130;
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
};
