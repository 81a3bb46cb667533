import { kubectlApply, onFirstMachine } from "./machine-files.ts";

/** The network of Pods where nothing else is chosen. */
const flannel = "https://github.com/flannel-io/flannel/releases/download/v0.27.4/kube-flannel.yml";

/** The range of Pods in flannel's manifest. */
const flannelRange = "10.244.0.0/16";

/**
 * Brings the network of Pods on the first machine of a control plane; Nodes are not ready without one. Another manifest is taken from the
 * variable CNI_MANIFEST. `pods`: the range of Pods, as in the Cluster.
 */
export const podNetwork = (pods: string, ...edits: readonly string[]): string =>
  onFirstMachine(
    `curl -fsSL --retry 5 \${CNI_MANIFEST:=${flannel}} | sed ${[`s#${flannelRange}#${pods}#`, ...edits].map((edit) => `-e '${edit}'`).join(" ")} | ${kubectlApply("-")}`,
  );
