import { fieldSet, isEmptySet, withoutChildren } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { fieldElement } from "./path-element.ts";

const status = fieldElement("status");
const metadata = fieldElement("metadata");
const rootFields = ["apiVersion", "kind"].map(fieldElement);
const metadataFields = [
  "name",
  "namespace",
  "creationTimestamp",
  "selfLink",
  "uid",
  "generation",
  "managedFields",
  "resourceVersion",
].map(fieldElement);

/** Which endpoint a write came through. */
export interface Endpoint {
  /** Empty or absent on the main endpoint. */
  readonly subresource?: string | undefined;
  /** The kind has a status subresource, so the main endpoint does not write status. Default false. */
  readonly hasStatus?: boolean | undefined;
}

/** The part of a set that a write through the endpoint can own: not the server's metadata, not the other endpoint's fields. */
export const ownable = (set: FieldSet, { subresource, hasStatus }: Endpoint): FieldSet => {
  const client = withoutServerFields(set);
  if (subresource === "status") {
    const own = client.children.get(status);
    return fieldSet(false, own === undefined ? new Map() : new Map([[status, own]]));
  }
  return hasStatus === true ? withoutChildren(client, [status]) : client;
};

const withoutServerFields = (set: FieldSet): FieldSet => {
  const rest = fieldSet(false, withoutChildren(set, rootFields).children);
  const meta = rest.children.get(metadata);
  if (meta === undefined) {
    return rest;
  }
  const kept = fieldSet(false, withoutChildren(meta, metadataFields).children);
  return isEmptySet(kept)
    ? withoutChildren(rest, [metadata])
    : fieldSet(false, new Map(rest.children).set(metadata, kept));
};
