import { CapstanError, FieldManager, isCapstanError } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import { describeObject, groupOf, ownerReference } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { Machine, MachineSet } from "../api.ts";
import { cloneTemplate } from "@capstan/kit/external";
import type { ExternalKind, ExternalObject } from "@capstan/kit/external";
import { keyOf } from "../object/draft.ts";
import { machineBody, metadataBody } from "./machine-body.ts";
import { defaultMachineNaming, machineName } from "./machine-name.ts";
import type { MachineSetScope } from "./scope.ts";
import { CoreErrorCode } from "../errors.ts";

/** The templates of a set, as they stand. */
export interface Templates {
  readonly bootstrap: ExternalObject | undefined;
  readonly infrastructure: ExternalObject;
}

const templateOf = async (
  scope: MachineSetScope,
  reference: ContractReference,
  template: "Bootstrap" | "Infrastructure",
): Promise<ExternalObject> => {
  const { namespace } = scope.set.metadata;
  const found = await scope.externals.find(scope.context, reference, namespace);
  if (found !== undefined) return found;
  throw new CapstanError({
    code: CoreErrorCode.templateMissing,
    reason: "TemplateMissing",
    message: `${describeObject(scope.set)}: ${reference.kind} ${namespace ?? ""}/${reference.name} does not exist; create it or correct spec.template.spec`,
    details: { template },
  });
};

/** Reads the templates that new Machines are made from. Throws `core.template_missing`. */
export const readTemplates = async (scope: MachineSetScope): Promise<Templates> => {
  const { bootstrap, infrastructureRef } = scope.set.spec.template.spec;
  return {
    bootstrap:
      bootstrap.configRef === undefined ? undefined : await templateOf(scope, bootstrap.configRef, "Bootstrap"),
    infrastructure: await templateOf(scope, infrastructureRef, "Infrastructure"),
  };
};

interface Clone {
  readonly kind: ExternalKind;
  readonly object: KubeObject;
}

const referenceTo = ({ object }: Clone): ContractReference => ({
  apiGroup: groupOf(object.apiVersion),
  kind: object.kind,
  name: object.metadata.name ?? "",
});

/**
 * Makes one object from its template, unless an interrupted scale-up has made it already. Labels and annotations of the set come in a write of their own under their own field
 * manager, so that later changes of the set can take them back.
 */
const clone = async (scope: MachineSetScope, template: ExternalObject, name: string): Promise<Clone> => {
  const { set, context, externals } = scope;
  const body = cloneTemplate({
    template: template.object,
    namespace: set.metadata.namespace ?? "",
    name,
    clusterName: set.spec.clusterName,
    owner: ownerReference(MachineSet, set),
  });
  const kind = await externals.kind(context, { apiGroup: groupOf(body.apiVersion), kind: body.kind });
  const made = context.cache.get(kind.resource, keyOf(body));
  const created = made ?? (await context.client.create(kind.resource, body));
  const manager = FieldManager.machineSetMetadata;
  const object = await scope.metadataApplier.apply(
    context,
    kind.resource,
    manager,
    created,
    metadataBody(set, created),
  );
  return { kind, object };
};

/** The server did not say whether it did what was asked. */
const isAmbiguous = (error: unknown): boolean =>
  !isCapstanError(error) ||
  ["kube.timeout", "kube.unavailable", "kube.unknown"].some((code) => isCapstanError(error, code));

/** Takes back what was made for a Machine that was refused. */
const rollBack = async ({ context }: MachineSetScope, clones: readonly Clone[]): Promise<void> => {
  for (const { kind, object } of clones) {
    await context.client
      .delete(kind.resource, keyOf(object))
      .catch((error: unknown) =>
        context.log.warn("a clone could not be taken back; it is used or deleted later", { error }),
      );
  }
};

const newName = ({ set, cluster, context }: MachineSetScope): string => {
  const variables = { ".machineSet.name": set.metadata.name ?? "", ".cluster.name": cluster.metadata.name ?? "" };
  return machineName(set.spec.machineNaming?.template ?? defaultMachineNaming, variables, context.random);
};

/**
 * Makes one Machine with its bootstrap config and infrastructure machine, all of the same name: a new one, or that of
 * clones which an interrupted scale-up left behind. What was made is taken back when the Machine is refused; when the
 * answer is lost it stays, and the next scale-up goes on with it.
 */
export const createMachine = async (
  scope: MachineSetScope,
  templates: Templates,
  name: string = newName(scope),
): Promise<Machine> => {
  const { set, context } = scope;
  const clones: Clone[] = [];
  try {
    const config = templates.bootstrap === undefined ? undefined : await clone(scope, templates.bootstrap, name);
    if (config !== undefined) clones.push(config);
    const infrastructure = await clone(scope, templates.infrastructure, name);
    clones.push(infrastructure);
    const body = machineBody(set, {
      name,
      infrastructureRef: referenceTo(infrastructure),
      configRef: config === undefined ? undefined : referenceTo(config),
      version: set.spec.template.spec.version,
      failureDomain: set.spec.template.spec.failureDomain,
    });
    return await scope.machineApplier.apply(context, Machine, FieldManager.machineSet, undefined, body);
  } catch (error) {
    if (!isAmbiguous(error)) await rollBack(scope, clones);
    throw error;
  }
};
