import type { Figures } from "./figures.ts";
import { ours, upstream } from "./managers.ts";
import { measure } from "./measure.ts";
import { type CoreOptions, machinesOf, readOptions } from "./options.ts";
import { comparisonGoals, describeFigures, describeGoals, growthGoal, ownGoals } from "./report.ts";
import { untilInterrupted } from "./until-interrupted.ts";

const ourManagers = ours(["core", "bootstrap-kubeadm"]);
const upstreamManagers = upstream(["capi-core", "capi-bootstrap-kubeadm"]);

type Environment = Parameters<typeof measure>[3];

const runAll = async (options: CoreOptions, environment: Environment): Promise<void> => {
  const measured: Figures[] = [];
  const show = (text: string): void => console.log(`\n${text}`);
  for (const shape of options.shapes) {
    const own = await measure(ourManagers, shape, options, environment);
    measured.push(own);
    show(describeFigures(own));
    show(describeGoals("goals", ownGoals(own)));
    if (options.beside) {
      const theirs = await measure(upstreamManagers, shape, options, environment);
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
export const coreBench = (args: readonly string[]): Promise<void> => {
  const options = readOptions(args, process.env);
  return untilInterrupted((environment) => runAll(options, environment));
};
