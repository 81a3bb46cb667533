import type { Random } from "@capstan/contract";
import { Annotation, Label } from "@capstan/contract";
import { ownerReference } from "@capstan/contract/wire";
import { fnv1a, nameAsLabel, randomSuffix, suffixedName } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { apiVersionOf } from "@capstan/schema";
import { MachineDeployment, MachineSet } from "../api.ts";
import { rolloutBounds } from "@capstan/kube-values";
import { rolloutHistoryAnnotation } from "./rollout-history.ts";
import { revisionOf } from "../rollout/revision.ts";
import { replacedFields } from "../rollout/template-match.ts";

/** Annotations of a MachineDeployment that its sets do not take over. */
const ownAnnotations: readonly string[] = [
  Annotation.lastApplied,
  Annotation.revision,
  Annotation.revisionHistory,
  Annotation.desiredReplicas,
  Annotation.maxReplicas,
  Annotation.conversionData,
  Annotation.disableMachineCreate,
  rolloutHistoryAnnotation,
];

/** Permanent identity of a set: its name and the value of its hash label. */
export interface SetIdentity {
  readonly name: string;
  readonly templateHash: string;
  readonly uid?: string;
}

/**
 * Returns the template spec of a set: the fields that its Machines are made from stay, the rest follows the deployment.
 */
const templateSpec = (deployment: MachineDeployment, existing: MachineSet | undefined) => {
  const { spec } = deployment.spec.template;
  const { version: _, bootstrap: __, infrastructureRef: ___, failureDomain: ____, ...followed } = spec;
  return { ...followed, ...replacedFields(existing?.spec.template.spec ?? spec) };
};

/** The name and hash label of a new set: the same random suffix ends both. */
export const newSetIdentity = (deployment: MachineDeployment, random: Random): SetIdentity => {
  const suffix = randomSuffix(random);
  return {
    name: suffixedName(deployment.metadata.name ?? "", suffix),
    templateHash: `${fnv1a(JSON.stringify(replacedFields(deployment.spec.template.spec)))}-${suffix}`,
  };
};

/** The identity of a set that exists. */
export const identityOf = ({ metadata }: MachineSet): SetIdentity => ({
  name: metadata.name ?? "",
  templateHash: metadata.labels?.[Label.machineTemplateHash] ?? "",
  uid: metadata.uid ?? "",
});

/**
 * Returns the annotations that tell sets the replicas their deployment wants and the most it may have during a rollout.
 */
const sizeAnnotations = (deployment: MachineDeployment): Readonly<Record<string, string>> => {
  const replicas = Math.max(deployment.spec.replicas ?? 1, 0);
  const strategy = deployment.spec.rollout?.strategy;
  const surge = strategy?.type === "OnDelete" ? 0 : rolloutBounds(strategy?.rollingUpdate, replicas).maxSurge;
  return { [Annotation.desiredReplicas]: String(replicas), [Annotation.maxReplicas]: String(replicas + surge) };
};

/** The revisions that a set had before its present one, from old to new. */
const revisionAnnotations = (existing: MachineSet | undefined, revision: number): Readonly<Record<string, string>> => {
  const before = existing === undefined ? 0 : revisionOf(existing);
  const known = existing?.metadata.annotations?.[Annotation.revisionHistory];
  const history = [...(known === undefined ? [] : [known]), ...(before === 0 || before === revision ? [] : [before])];
  return {
    ...(revision === 0 ? {} : { [Annotation.revision]: String(revision) }),
    ...(history.length === 0 ? {} : { [Annotation.revisionHistory]: history.join(",") }),
  };
};

/** A MachineSet as its deployment wants it, for server-side apply: everything the deployment says about it. */
export const machineSetBody = (input: {
  readonly deployment: MachineDeployment;
  readonly identity: SetIdentity;
  readonly existing: MachineSet | undefined;
  readonly replicas: number;
  /** 0: the set carries none. */
  readonly revision: number;
  /** The set makes no further Machines. */
  readonly closed: boolean;
}): KubeObject => {
  const { deployment, identity, existing } = input;
  const { selector, template, clusterName, deletion, machineNaming } = deployment.spec;
  const hash = identity.templateHash === "" ? {} : { [Label.machineTemplateHash]: identity.templateHash };
  const ofMachines = { ...template.metadata?.labels, ...hash, [Label.clusterName]: clusterName };
  const labels = { ...ofMachines, [Label.deploymentName]: nameAsLabel(deployment.metadata.name ?? "") };
  const inherited = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([key]) => !ownAnnotations.includes(key),
  );
  return {
    apiVersion: apiVersionOf(MachineSet),
    kind: MachineSet.kind,
    metadata: {
      name: identity.name,
      ...(deployment.metadata.namespace === undefined ? {} : { namespace: deployment.metadata.namespace }),
      ...(identity.uid === undefined ? {} : { uid: identity.uid }),
      labels,
      annotations: {
        ...Object.fromEntries(inherited),
        ...sizeAnnotations(deployment),
        ...revisionAnnotations(existing, input.revision),
        [Annotation.disableMachineCreate]: String(input.closed),
      },
      ownerReferences: [ownerReference(MachineDeployment, deployment, { controller: true, blockOwnerDeletion: true })],
    },
    spec: {
      clusterName,
      replicas: input.replicas,
      selector: existing?.spec.selector ?? { ...selector, matchLabels: { ...selector.matchLabels, ...hash } },
      template: { metadata: { ...template.metadata, labels: ofMachines }, spec: templateSpec(deployment, existing) },
      ...(deletion === undefined ? {} : { deletion }),
      ...(machineNaming === undefined ? {} : { machineNaming }),
    },
  };
};
