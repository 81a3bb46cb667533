import type { MergePatch } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { heldFinalizers, releasedFinalizers } from "../finalizers.ts";

/** Who claims an object. An object that was moved here has another uid than its claims say. */
export interface Claimant {
  readonly kind?: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
}

/** Format of a claim on the claimed object. */
export interface ClaimMark {
  /** Returns the claimant; `undefined` if it is free. */
  of(object: KubeObject): Claimant | undefined;
  /** The patch that claims it. */
  set(claimant: Claimant, object: KubeObject): MergePatch;
  /** The patch that lets it go. */
  clear(object: KubeObject): MergePatch;
}

/** Beside the mark itself. */
export interface MarkOptions {
  /** Keeps the object from going away while it is claimed. */
  readonly finalizer?: string;
  /** Finalizers of older versions, removed with every mark that is set or cleared. */
  readonly oldFinalizers?: readonly string[];
}

/** Default annotation of claims: `Kind/namespace/name/uid`. */
export const claimedByAnnotation = "capstan.dev/claimed-by";

const held = (object: KubeObject, options: MarkOptions): MergePatch =>
  options.finalizer === undefined ? {} : { finalizers: heldFinalizers(object, options) };

const released = (object: KubeObject, options: MarkOptions): MergePatch =>
  options.finalizer === undefined ? {} : { finalizers: releasedFinalizers(object, options) };

/** Claims by one annotation. */
export const annotationMark = (annotation: string = claimedByAnnotation, options: MarkOptions = {}): ClaimMark => ({
  of: ({ metadata }) => {
    const [kind, namespace, name, uid] = metadata.annotations?.[annotation]?.split("/") ?? [];
    if (kind === undefined || namespace === undefined || name === undefined) return undefined;
    return { kind, namespace, name, ...(uid === undefined ? {} : { uid }) };
  },
  set: ({ kind = "", name, namespace, uid = "" }, object) => ({
    metadata: { annotations: { [annotation]: [kind, namespace, name, uid].join("/") }, ...held(object, options) },
  }),
  clear: (object) => ({ metadata: { annotations: { [annotation]: null }, ...released(object, options) } }),
});

/** Annotation with the uid of the claimant, in addition to the labels that name it. */
const claimantUidAnnotation = "capstan.dev/claimant-uid";

/** Claims by two labels, for objects that are found by their claimant. */
export const labelMark = (
  labels: { readonly name: string; readonly namespace: string },
  options: MarkOptions = {},
): ClaimMark => ({
  of: ({ metadata }) => {
    const { [labels.name]: name, [labels.namespace]: namespace } = metadata.labels ?? {};
    const uid = metadata.annotations?.[claimantUidAnnotation];
    if (name === undefined || namespace === undefined) return undefined;
    return { name, namespace, ...(uid !== undefined && { uid }) };
  },
  set: ({ name, namespace, uid }, object) => ({
    metadata: {
      labels: { [labels.name]: name, [labels.namespace]: namespace },
      annotations: { [claimantUidAnnotation]: uid ?? null },
      ...held(object, options),
    },
  }),
  clear: (object) => ({
    metadata: {
      labels: { [labels.name]: null, [labels.namespace]: null },
      annotations: { [claimantUidAnnotation]: null },
      ...released(object, options),
    },
  }),
});
