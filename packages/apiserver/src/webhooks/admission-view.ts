import { apiVersionOf, type KubeObject } from "@capstan/schema";
import type { AdmissionRequest } from "../registry/extension.ts";
import { scaled, scaleOf } from "../registry/scale.ts";
import { toStored } from "../registry/served.ts";
import type { GroupVersionKind, ResourceDefinition, ScalePaths } from "../model/types.ts";
import { namespaceOf } from "./match-rules.ts";

/** A request as one hook sees it. */
export interface AdmissionView {
  /** Null for a deletion. */
  readonly object: KubeObject | null;
  /** Null for a creation. */
  readonly oldObject: KubeObject | null;
  /** `request` of an AdmissionReview without uid and objects. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

const scalePaths = ({ definition, subresource }: AdmissionRequest): ScalePaths | undefined => {
  const behaviour = definition.subresources.find(({ name }) => name === subresource)?.behaviour;
  return behaviour?.type === "scale" ? behaviour.scale : undefined;
};

/** Returns whether the body of the subresource is of a kind of its own: an eviction, a binding, a token request. */
const hasOwnKind = ({ definition, subresource }: AdmissionRequest): boolean =>
  definition.subresources.find(({ name }) => name === subresource)?.kind !== undefined;

/** An object of one version in another version of the same resource. */
const inVersion = async (object: KubeObject, from: ResourceDefinition, to: ResourceDefinition): Promise<KubeObject> => {
  if (from === to) return object;
  const stored = await toStored(from, object);
  const apiVersion = apiVersionOf(to);
  if (stored.apiVersion === apiVersion) return stored;
  const converted = await to.storage.fromStorage?.([stored]);
  return converted?.[0] ?? { ...stored, apiVersion, kind: to.kind };
};

const shown = async (
  request: AdmissionRequest,
  target: ResourceDefinition,
  object: KubeObject | undefined,
): Promise<KubeObject | null> => {
  if (object === undefined) return null;
  const scale = scalePaths(request);
  if (scale !== undefined) return scaleOf(object, scale);
  return hasOwnKind(request) ? object : await inVersion(object, request.definition, target);
};

const kindOf = (definition: ResourceDefinition, subresource: string): GroupVersionKind => {
  const own = definition.subresources.find(({ name }) => name === subresource);
  if (own?.behaviour.type === "scale") return { group: "autoscaling", version: "v1", kind: "Scale" };
  const { group, version, kind } = own?.kind ?? definition;
  return { group, version, kind };
};

const resourceOf = ({ group, version, plural }: ResourceDefinition) => ({ group, version, resource: plural });

const optionKinds = { CREATE: "CreateOptions", UPDATE: "UpdateOptions", DELETE: "DeleteOptions" } as const;

/** A patch reaches hooks as the create or update it amounts to. */
const optionsOf = ({ operation, options, dryRun }: AdmissionRequest): unknown =>
  operation === "CONNECT"
    ? options
    : {
        ...(dryRun ? { dryRun: ["All"] } : {}),
        ...options,
        kind: optionKinds[operation],
        apiVersion: "meta.k8s.io/v1",
      };

const attributesOf = (request: AdmissionRequest, target: ResourceDefinition): AdmissionView["attributes"] => {
  const { definition, subresource, user, name } = request;
  const namespace = namespaceOf(request);
  const { uid, groups, extra } = user;
  return {
    kind: kindOf(target, subresource),
    resource: resourceOf(target),
    ...(subresource === "" ? {} : { subResource: subresource }),
    requestKind: kindOf(definition, subresource),
    requestResource: resourceOf(definition),
    ...(subresource === "" ? {} : { requestSubResource: subresource }),
    ...(name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    operation: request.operation,
    userInfo: { username: user.name, ...(uid === undefined ? {} : { uid }), groups, ...(extra && { extra }) },
    dryRun: request.dryRun,
    options: optionsOf(request),
  };
};

/** The request in the version of `target`; Scale objects for the subresource scale. */
export const admissionView = async (request: AdmissionRequest, target: ResourceDefinition): Promise<AdmissionView> => ({
  object: await shown(request, target, request.object),
  oldObject: await shown(request, target, request.oldObject),
  attributes: attributesOf(request, target),
});

/** The request's object after a hook changed what it was shown. */
export const changedObject = async (
  request: AdmissionRequest,
  target: ResourceDefinition,
  view: KubeObject,
): Promise<KubeObject> => {
  const scale = scalePaths(request);
  if (scale !== undefined) return scaled(request.definition, request.object as KubeObject, view, scale);
  return hasOwnKind(request) ? view : await inVersion(view, target, request.definition);
};
