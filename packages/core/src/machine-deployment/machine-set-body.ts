import type { Random } from "@capstan/contract";
import { Annotation, Label } from "@capstan/contract";
import { ownerReference } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { apiVersionOf } from "@capstan/schema";
import { MachineDeployment, MachineSet } from "../api.ts";
import { fnv1a, nameAsLabel, randomSuffix, suffixedName } from "../object/names.ts";
import { rolloutBounds } from "./int-or-percent.ts";

/** Annotations of a MachineDeployment that its sets do not take over. */
const ownAnnotations: readonly string[] = [
  Annotation.lastApplied,
  Annotation.revision,
  Annotation.revisionHistory,
  Annotation.desiredReplicas,
  Annotation.maxReplicas,
  Annotation.conversionData,
];

/** What identifies a set for good: its name and the value of its hash label. */
export interface SetIdentity {
  readonly name: string;
  readonly templateHash: string;
  readonly uid?: string;
}

/** The fields of a template that cannot be changed in place; their hash starts the label that tells sets apart. */
const replacedFields = ({ spec }: MachineDeployment["spec"]["template"]) => ({
  version: spec.version,
  bootstrap: spec.bootstrap,
  infrastructureRef: spec.infrastructureRef,
  failureDomain: spec.failureDomain,
});

/** The name and hash label of a new set: the same random suffix ends both. */
export const newSetIdentity = (deployment: MachineDeployment, random: Random): SetIdentity => {
  const suffix = randomSuffix(random);
  return {
    name: suffixedName(deployment.metadata.name ?? "", suffix),
    templateHash: `${fnv1a(JSON.stringify(replacedFields(deployment.spec.template)))}-${suffix}`,
  };
};

/** The identity of a set that exists. */
export const identityOf = ({ metadata }: MachineSet): SetIdentity => ({
  name: metadata.name ?? "",
  templateHash: metadata.labels?.[Label.machineTemplateHash] ?? "",
  uid: metadata.uid ?? "",
});

/** How many replicas a deployment wants and may have for a while, as its sets are told. */
export const sizeAnnotations = (deployment: MachineDeployment): Readonly<Record<string, string>> => {
  const replicas = deployment.spec.replicas ?? 1;
  const strategy = deployment.spec.rollout?.strategy;
  const surge = strategy?.type === "OnDelete" ? 0 : rolloutBounds(strategy?.rollingUpdate, replicas).maxSurge;
  return { [Annotation.desiredReplicas]: String(replicas), [Annotation.maxReplicas]: String(replicas + surge) };
};

/**
 * The current MachineSet as its deployment wants it, for server-side apply: everything the deployment says about it, in
 * place or at its creation.
 */
export const machineSetBody = (input: {
  readonly deployment: MachineDeployment;
  readonly identity: SetIdentity;
  readonly existing: MachineSet | undefined;
  readonly replicas: number;
  readonly revision: number;
}): KubeObject => {
  const { deployment, identity, existing } = input;
  const { selector, template, clusterName, deletion, machineNaming } = deployment.spec;
  const hash = identity.templateHash === "" ? {} : { [Label.machineTemplateHash]: identity.templateHash };
  const labels = {
    ...template.metadata?.labels,
    ...hash,
    [Label.deploymentName]: nameAsLabel(deployment.metadata.name ?? ""),
    [Label.clusterName]: clusterName,
  };
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
        [Annotation.revision]: String(input.revision),
      },
      ownerReferences: [ownerReference(MachineDeployment, deployment, { controller: true, blockOwnerDeletion: true })],
    },
    spec: {
      clusterName,
      replicas: input.replicas,
      selector: existing?.spec.selector ?? { ...selector, matchLabels: { ...selector.matchLabels, ...hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
      ...(deletion === undefined ? {} : { deletion }),
      ...(machineNaming === undefined ? {} : { machineNaming }),
    },
  };
};
