import { jsonText } from "@capstan/schema/structural";
import { optionCause, invalidOptions } from "../model/status-error.ts";
import type { StatusCause } from "../model/types.ts";
import { booleanOption, isTrue, numberOption } from "./query-values.ts";

/** Options in the query of a list, a watch or the deletion of a collection. */
export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** 0 or less: no limit. */
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly timeoutSeconds: number;
}

const forbidden = (field: string, message: string): StatusCause =>
  optionCause(field, "FieldValueForbidden", `Forbidden: ${message}`);

const matchField = "resourceVersionMatch";

const unsupportedMatch = (match: string, supported: string): StatusCause =>
  optionCause(
    matchField,
    "FieldValueNotSupported",
    `Unsupported value: ${jsonText(match)}: supported values: ${supported}`,
  );

const listCauses = (options: ListOptions): readonly StatusCause[] => {
  const { resourceVersion: version, resourceVersionMatch: match } = options;
  const initial = options.sendInitialEvents === undefined ? [] : ["sendInitialEvents is forbidden for list"];
  const causes = initial.map((message) => forbidden("sendInitialEvents", message));
  if (match === "") {
    return causes;
  }
  return [
    ...(version === "" ? [forbidden(matchField, `${matchField} is forbidden unless resourceVersion is provided`)] : []),
    ...(options.continue === "" ? [] : [forbidden(matchField, `${matchField} is forbidden when continue is provided`)]),
    ...(match === "Exact" || match === "NotOlderThan" ? [] : [unsupportedMatch(match, '"Exact", "NotOlderThan"')]),
    ...(match === "Exact" && version === "0"
      ? [forbidden(matchField, `${matchField} "Exact" is forbidden for resourceVersion "0"`)]
      : []),
    ...causes,
  ];
};

const watchCauses = (options: ListOptions): readonly StatusCause[] => {
  const { sendInitialEvents, resourceVersionMatch: match } = options;
  return [
    ...(sendInitialEvents !== undefined && match !== "NotOlderThan"
      ? [forbidden(matchField, `sendInitialEvents requires setting ${matchField} to NotOlderThan`)]
      : []),
    ...(match !== "" && sendInitialEvents === undefined
      ? [forbidden(matchField, `${matchField} is forbidden for watch unless sendInitialEvents is provided`)]
      : []),
    ...(match === "" || match === "NotOlderThan" ? [] : [unsupportedMatch(match, '"NotOlderThan"')]),
    ...(match === "" || options.continue === ""
      ? []
      : [forbidden(matchField, `${matchField} is forbidden when continue is provided`)]),
  ];
};

/** A watch from the start is one that asks for what there is. */
const completed = (options: ListOptions): ListOptions => {
  const { resourceVersion: version, resourceVersionMatch: match, sendInitialEvents, watch } = options;
  const isLegacy = watch && sendInitialEvents === undefined && match === "" && (version === "" || version === "0");
  return isLegacy ? { ...options, sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" } : options;
};

/** Reads and checks the options of a collection. Throws a 400 or 422. */
export const listOptions = (query: URLSearchParams): ListOptions => {
  const options = completed({
    labelSelector: query.get("labelSelector") ?? "",
    fieldSelector: query.get("fieldSelector") ?? "",
    limit: numberOption(query, "limit") ?? 0,
    continue: query.get("continue") ?? "",
    resourceVersion: query.get("resourceVersion") ?? "",
    resourceVersionMatch: query.get(matchField) ?? "",
    watch: isTrue(query.get("watch")),
    allowWatchBookmarks: isTrue(query.get("allowWatchBookmarks")),
    sendInitialEvents: booleanOption(query, "sendInitialEvents"),
    timeoutSeconds: numberOption(query, "timeoutSeconds") ?? 0,
  });
  const causes = options.watch ? watchCauses(options) : listCauses(options);
  if (causes.length > 0) {
    throw invalidOptions("ListOptions", causes);
  }
  return options;
};
