import { ours, upstream } from "../core/managers.ts";
import { describeGoals } from "../core/report.ts";
import { untilInterrupted } from "../core/until-interrupted.ts";
import { measureControlPlanes } from "./measure.ts";
import { readControlPlaneOptions } from "./options.ts";
import { controlPlaneGoals, describeControlPlanes, settledGoals } from "./report.ts";

const ourManagers = ours(["core", "bootstrap-kubeadm", "controlplane-kubeadm"]);
const upstreamManagers = upstream(["capi-core", "capi-bootstrap-kubeadm", "capi-controlplane-kubeadm"]);

/** `npm run bench -- control-plane`: clusters of several members created, upgraded and deleted, alone or next to upstream's managers. */
export const controlPlaneBench = (args: readonly string[]): Promise<void> => {
  const options = readControlPlaneOptions(args, process.env);
  const show = (text: string): void => console.log(`\n${text}`);
  return untilInterrupted(async (environment) => {
    const own = await measureControlPlanes(ourManagers, options, environment);
    show(describeControlPlanes(own));
    const goals = settledGoals(own);
    if (goals.length > 0) show(describeGoals("goals", goals));
    if (!options.beside) return;
    const theirs = await measureControlPlanes(upstreamManagers, options, environment);
    show(describeControlPlanes(theirs));
    show(describeGoals(`${own.contestant} / ${theirs.contestant}`, controlPlaneGoals(own, theirs)));
  });
};
