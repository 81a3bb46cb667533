import { valuesInUseAnnotation } from "@capstan/kit/admission";
import type { KubeObject } from "@capstan/schema";
import { partOfLabel } from "../up/apply-set.ts";

/** A field with what it holds before and after. */
export interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** Metadata that the server maintains itself. */
const own = new Set(["managedFields", "resourceVersion", "generation", "uid", "creationTimestamp", "selfLink"]);

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const differences = (from: unknown, to: unknown, path: string): readonly Change[] => {
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  if (!isFields(from) || !isFields(to)) return [{ field: path, from, to }];
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...names].flatMap((name) => differences(from[name], to[name], path === "" ? name : `${path}.${name}`));
};

/** `capstan up` puts its own label on what it applies. */
const shownLabels = (labels: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> | undefined => {
  const { [partOfLabel]: _, ...others } = labels;
  return Object.keys(others).length === 0 ? undefined : others;
};

/** Drops annotations that the server records with an edit: they say no more than the edit and its warning. */
const shownAnnotations = (
  annotations: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> | undefined => {
  const { [valuesInUseAnnotation]: _, ...others } = annotations;
  return Object.keys(others).length === 0 ? undefined : others;
};

const shown = ({ metadata, ...object }: KubeObject): Readonly<Record<string, unknown>> => {
  const { status: _, ...rest } = object as Readonly<Record<string, unknown>>;
  const [labels, annotations] = [shownLabels(metadata.labels), shownAnnotations(metadata.annotations)];
  const fields = Object.entries({ ...metadata, labels, annotations });
  return {
    ...rest,
    metadata: Object.fromEntries(fields.filter(([name, value]) => !own.has(name) && value !== undefined)),
  };
};

/** The fields in which two versions of an object differ; what a Secret holds is not shown. */
export const changesOf = (before: KubeObject, after: KubeObject): readonly Change[] =>
  differences(shown(before), shown(after), "").map((change) =>
    before.kind === "Secret" && /^(?:data|stringData)\b/.test(change.field)
      ? { field: change.field, from: "(secret)", to: "(secret)" }
      : change,
  );
