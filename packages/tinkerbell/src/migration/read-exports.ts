import { isJsonObject, type JsonObject } from "@capstan/schema";

/** Records in the output of `tink … get --format json` and in dumps of its tables, by kind. */
export interface TinkExports {
  readonly hardware: readonly JsonObject[];
  readonly templates: readonly JsonObject[];
  readonly workflows: readonly JsonObject[];
  /** Rows of the table `workflow_state`. */
  readonly states: readonly JsonObject[];
}

type TinkKind = keyof TinkExports;

const text = (value: unknown): value is string => typeof value === "string" && value !== "";

/** Which kind a record is of, by the members that no other has. */
const kindOf = (record: JsonObject): TinkKind | undefined => {
  if (text(record["workflow_id"]) && "current_action_state" in record) return "states";
  if (text(record["template"]) && ("hardware" in record || "devices" in record)) return "workflows";
  if (text(record["name"]) && text(record["data"])) return "templates";
  if (isJsonObject(record["network"])) return "hardware";
  return isJsonObject(record["data"]) && isJsonObject(record["data"]["network"]) ? "hardware" : undefined;
};

/** The records of a document: of `{"data": […]}`, a list, or itself. */
const recordsOf = (document: unknown): readonly unknown[] => {
  if (Array.isArray(document)) return document;
  if (isJsonObject(document) && Array.isArray(document["data"])) return document["data"];
  return [document];
};

/**
 * Sorts the documents of an export. Throws a `SyntaxError` whose message says which record is none; `name` of a document is its file, for
 * messages.
 */
export const readExports = (
  documents: readonly { readonly name: string; readonly document: unknown }[],
): TinkExports => {
  const found: Record<TinkKind, JsonObject[]> = { hardware: [], templates: [], workflows: [], states: [] };
  for (const { document, name } of documents) {
    recordsOf(document).forEach((record, index) => {
      const kind = isJsonObject(record) ? kindOf(record) : undefined;
      if (kind === undefined || !isJsonObject(record)) {
        throw new SyntaxError(
          `${name}, record ${index + 1}: this is not hardware, a template or a workflow of tink; export each with tink hardware get --format json, tink template get and tink workflow get`,
        );
      }
      found[kind].push(record);
    });
  }
  return found;
};
