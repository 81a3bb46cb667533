import type { MachineContext } from "../node/machine-context.ts";
import { kubeletConfPath } from "../node/saved-node.ts";
import { kubeadmError, object, type Json } from "./configuration.ts";
import type { ServedControlPlane } from "./control-plane.ts";
import { ignoredErrors } from "./ignored-errors.ts";
import type { KubeadmCall } from "./kubeadm-call.ts";
import { factsOf } from "./preflight/machine-facts.ts";
import { preflightControlPlane, preflightInit, preflightJoin, type Preflight } from "./preflight/preflight.ts";
import { checkClusterVersion, controlPlaneSubject, joinSubject } from "./preflight/subjects.ts";

const preflightOf = (machine: MachineContext, ignored: ReadonlySet<string>): Preflight => ({
  facts: factsOf(machine),
  ignored,
  print: (text) => machine.console.print("kubeadm", text),
});

/** All that a lenient machine checks. */
const refuseSecondRun = ({ disk }: MachineContext): void => {
  if (disk.stat(kubeletConfPath) === undefined) return;
  throw kubeadmError(
    `[preflight] Some fatal errors occurred: [ERROR FileAvailable--etc-kubernetes-kubelet.conf]: ${kubeletConfPath} already exists`,
  );
};

/** Runs the preflight of `kubeadm init` and what precedes it. Throws `guest.kubeadm_failed` where the real command fails. */
export const beforeInit = (
  machine: MachineContext,
  call: KubeadmCall,
  input: { readonly cluster: Json; readonly init: Json; readonly served: ServedControlPlane; readonly version: string },
): void => {
  const { init, version } = input;
  const begin = (): void => machine.console.print("kubeadm", `[init] Using Kubernetes version: ${version}`);
  if (machine.lenient) {
    begin();
    return refuseSecondRun(machine);
  }
  const nodeRegistration = object(init["nodeRegistration"]);
  const ignored = ignoredErrors(call.args, nodeRegistration);
  const endpoint = object(init["localAPIEndpoint"]);
  const subject = controlPlaneSubject(machine, { ...input, nodeRegistration, endpoint });
  const preflight = preflightOf(machine, ignored);
  checkClusterVersion(preflight.facts.kubeadmVersion, version);
  if (!call.onlyChecks) begin();
  preflightInit(preflight, subject);
};

/** The preflight of `kubeadm join` before it connects. Throws `guest.kubeadm_failed` as the real one ends. */
export const beforeJoin = (machine: MachineContext, call: KubeadmCall, join: Json): void => {
  if (machine.lenient) {
    refuseSecondRun(machine);
    return machine.console.print("kubeadm", "[preflight] Running pre-flight checks");
  }
  const ignored = ignoredErrors(call.args, join["nodeRegistration"]);
  preflightJoin(preflightOf(machine, ignored), joinSubject(machine, join));
};

/** Runs the checks of `kubeadm join` that need to know the cluster. Throws `guest.kubeadm_failed` where the real command fails. */
export const beforeJoined = (
  machine: MachineContext,
  call: KubeadmCall,
  input: { readonly join: Json; readonly cluster: Json; readonly served: ServedControlPlane | undefined },
): void => {
  if (machine.lenient) return;
  const { cluster, join, served } = input;
  const nodeRegistration = object(join["nodeRegistration"]);
  const preflight = preflightOf(machine, ignoredErrors(call.args, nodeRegistration));
  const version = String(cluster["kubernetesVersion"] ?? "");
  checkClusterVersion(preflight.facts.kubeadmVersion, version);
  if (served === undefined) return;
  const endpoint = object(object(join["controlPlane"])["localAPIEndpoint"]);
  preflightControlPlane(
    preflight,
    controlPlaneSubject(machine, { cluster, nodeRegistration, endpoint, served, version }),
  );
};
