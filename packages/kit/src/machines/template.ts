import { CapstanError } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import { ClusterResource, describeObject, ownerReference, withOwnerReference } from "@capstan/contract/wire";
import { keyOf } from "@capstan/kube-values";
import type { ReconcileContext } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { ExternalObject, ExternalObjects } from "../external/external-objects.ts";
import { MachinesErrorCode } from "./errors.ts";

/** Reads a template that objects are made from. Throws `machines.template_missing`; `details` are the error's. */
export const readTemplate = async (
  { context, externals }: { readonly context: ReconcileContext; readonly externals: ExternalObjects },
  reference: ContractReference,
  where: { readonly object: KubeObject; readonly field: string; readonly details?: Readonly<Record<string, unknown>> },
): Promise<ExternalObject> => {
  const { namespace = "" } = where.object.metadata;
  const found = await externals.find(context, reference, namespace);
  if (found !== undefined) return found;
  throw new CapstanError({
    code: MachinesErrorCode.templateMissing,
    reason: "TemplateMissing",
    message: `${describeObject(where.object)}: ${reference.kind} ${namespace}/${reference.name} does not exist; create it or correct ${where.field}`,
    ...(where.details === undefined ? {} : { details: where.details }),
  });
};

/** Makes a template its Cluster's own, so that it goes and moves with it. */
export const ownTemplate = async (
  { client }: Pick<ReconcileContext, "client">,
  { object, resource }: ExternalObject,
  cluster: KubeObject,
): Promise<void> => {
  const before = object.metadata.ownerReferences ?? [];
  const ownerReferences = withOwnerReference(before, ownerReference(ClusterResource, cluster));
  if (ownerReferences === before) return;
  const { resourceVersion } = object.metadata;
  await client.patch(resource, keyOf(object), {
    type: "merge",
    body: { metadata: { resourceVersion, ownerReferences } },
  });
};
