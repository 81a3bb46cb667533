/** Kinds whose objects roll out Machines, as commands name them. */
export type RolloutKind = "machinedeployment" | "kubeadmcontrolplane" | "kthreescontrolplane" | "rke2controlplane";

/** An object that rolls out Machines. */
export interface RolloutObject {
  readonly kind: RolloutKind;
  readonly name: string;
}

/** Every spelling that kubectl takes. */
const spellings: Readonly<Record<RolloutKind, readonly string[]>> = {
  machinedeployment: ["machinedeployment", "machinedeployments", "md", "machinedeployments.cluster.x-k8s.io"],
  kubeadmcontrolplane: [
    "kubeadmcontrolplane",
    "kubeadmcontrolplanes",
    "kcp",
    "kubeadmcontrolplanes.controlplane.cluster.x-k8s.io",
  ],
  kthreescontrolplane: [
    "kthreescontrolplane",
    "kthreescontrolplanes",
    "kthreescontrolplanes.controlplane.cluster.x-k8s.io",
  ],
  rke2controlplane: ["rke2controlplane", "rke2controlplanes", "rke2controlplanes.controlplane.cluster.x-k8s.io"],
};

/** All kinds, in the order of help texts. */
export const rolloutKinds = Object.keys(spellings) as readonly RolloutKind[];

/** Reads `kind/NAME`, or `kind` and a name as two words, of one of the kinds, in any spelling. Otherwise a text says what is wrong. */
export const rolloutTarget = (
  kinds: readonly RolloutKind[],
  value: string,
  word: string | undefined,
): RolloutObject | string => {
  const [said = "", ...parts] = value.split("/");
  const [name = "", ...rest] = [...parts, ...(word === undefined ? [] : [word])];
  const kind = kinds.find((each) => spellings[each].includes(said.toLowerCase()));
  if (kind !== undefined && name !== "" && rest.length === 0) return { kind, name };
  const other = rolloutKinds.find((each) => spellings[each].includes(said.toLowerCase()));
  if (kind === undefined && other !== undefined) {
    return `a ${other} keeps no revisions; revert its change instead`;
  }
  const given = word === undefined ? value : `${value} ${word}`;
  return `${given}: must be ${kinds.map((each) => `${each}/NAME`).join(" or ")}`;
};
