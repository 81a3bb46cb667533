import { isCapstanError } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import { ClusterResource, ownerReference } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { groupOf } from "@capstan/kube-values";
import { sameJson } from "@capstan/schema";
import { clonedType, cloneTemplate } from "../external/clone-template.ts";
import type { ExternalObject } from "../external/external-objects.ts";
import { allAtOnce } from "../objects/at-once.ts";
import { completionOf } from "./completion.ts";
import type { Machine } from "./machine.ts";
import { Machines } from "./machine.ts";
import type { Making, MachineMaker } from "./maker.ts";
import { metadataManager } from "./maker.ts";

/** The creation of one of the two objects that a Machine refers to: controlled by the Machine, and of its name. */
export interface MachinePart {
  readonly type: { readonly apiVersion: string; readonly kind: string };
  readonly body: (machine: Machine) => KubeObject;
}

/** References of new Machines. */
export interface MachineParts {
  readonly bootstrap: MachinePart | undefined;
  readonly infrastructure: MachinePart;
}

type PartName = keyof MachineParts;

/** The reference of a Machine to a part that has its name. */
export const partReference = (
  { type: { apiVersion, kind } }: Pick<MachinePart, "type">,
  name: string,
): ContractReference => ({
  apiGroup: groupOf(apiVersion),
  kind,
  name,
});

/** The owner reference of what belongs to a Machine from the start. */
export const ownedByMachine = (machine: Machine) =>
  ownerReference(Machines, machine, { controller: true, blockOwnerDeletion: true });

/** A clone of a template. The maker's labels and annotations are in it from the start. */
export const partFromTemplate = (maker: MachineMaker, { object: template }: ExternalObject): MachinePart => ({
  type: clonedType(template),
  body: (machine) =>
    cloneTemplate({
      template,
      namespace: machine.metadata.namespace ?? "",
      name: machine.metadata.name ?? "",
      clusterName: maker.clusterName,
      labels: maker.labels,
      annotations: maker.annotations,
      owner: ownedByMachine(machine),
    }),
});

const references = ({ spec }: Machine): Readonly<Record<PartName, ContractReference | undefined>> => ({
  bootstrap: spec.bootstrap.configRef,
  infrastructure: spec.infrastructureRef,
});

/** Parts that did their work are never made again, whatever became of them. */
const isDone = ({ spec, status }: Machine, part: PartName): boolean =>
  part === "bootstrap"
    ? spec.bootstrap.dataSecretName !== undefined
    : status?.initialization?.infrastructureProvisioned === true;

const missingParts = async ({ context, externals }: Making, machine: Machine): Promise<readonly PartName[]> => {
  const missing: PartName[] = [];
  for (const [part, reference] of Object.entries(references(machine)) as [PartName, ContractReference | undefined][]) {
    if (reference === undefined || isDone(machine, part)) continue;
    const found = await externals.find(context, reference, machine.metadata.namespace);
    if (found === undefined) missing.push(part);
  }
  return missing;
};

/** Machines which the maker has made, but not all that they refer to: it was interrupted or refused. */
export const incompleteMachines = async (making: Making, machines: readonly Machine[]): Promise<readonly Machine[]> => {
  const { labels, mark } = making.maker;
  const incomplete: Machine[] = [];
  for (const machine of machines) {
    const { metadata } = machine;
    if (metadata.deletionTimestamp !== undefined || metadata.labels?.[mark] !== labels[mark]) continue;
    if ((await missingParts(making, machine)).length > 0) incomplete.push(machine);
  }
  return incomplete;
};

/** With what its provider would write into it next, where that is known and the provider is in this process. */
const completed = async ({ context, maker }: Making, machine: Machine, part: KubeObject): Promise<KubeObject> => {
  const complete = context.findService(completionOf({ group: groupOf(part.apiVersion), kind: part.kind }));
  if (complete === undefined) return part;
  const key = { namespace: machine.metadata.namespace ?? "", name: maker.clusterName };
  const cluster = context.cache.get(ClusterResource, key);
  return cluster === undefined ? part : complete(part, { cluster, machine });
};

/** Makes one object, under the name of the field manager that changes its labels and annotations later. */
const makePart = async (making: Making, machine: Machine, part: KubeObject): Promise<void> => {
  const { context, externals, maker } = making;
  const { resource } = await externals.kind(context, { apiGroup: groupOf(part.apiVersion), kind: part.kind });
  const body = await completed(making, machine, part);
  try {
    await context.client.create(resource, body, { fieldManager: metadataManager(maker) });
  } catch (error) {
    // It was made before and is not seen yet; whose it is, its Machine finds out.
    if (!isCapstanError(error, "kube.already_exists")) throw error;
  }
};

/** Makes the bootstrap config and infrastructure machine that a Machine refers to, as far as they do not exist. */
export const makeParts = async (making: Making, parts: MachineParts, machine: Machine): Promise<void> => {
  const name = machine.metadata.name ?? "";
  const missing = (await missingParts(making, machine)).flatMap((part) => {
    const made = parts[part];
    if (made === undefined) return [];
    return sameJson(partReference(made, name), references(machine)[part]) ? [made] : [];
  });
  await allAtOnce(missing, ({ body }) => makePart(making, machine, body(machine)), making.context.log);
};
