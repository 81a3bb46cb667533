import { byText } from "@capstan/kube-values";
import { StatusError } from "../model/status-error.ts";
import type { Authorize, RequestInfo, User } from "../model/types.ts";
import { type FieldRequirement, parseFieldSelector } from "../registry/selectors.ts";
import type { Rbac } from "./rbac.ts";

const resourceRefusal = (user: User, info: RequestInfo): StatusError => {
  const resource = info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`;
  const qualified = info.group === "" ? info.resource : `${info.resource}.${info.group}`;
  const scope = info.namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(info.namespace)}`;
  const subject = info.name === "" ? qualified : `${qualified} ${JSON.stringify(info.name)}`;
  return new StatusError(
    403,
    "Forbidden",
    `${subject} is forbidden: User ${JSON.stringify(user.name)} cannot ${info.verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(info.group)} ${scope}`,
    {
      details: {
        ...(info.name === "" ? {} : { name: info.name }),
        ...(info.group === "" ? {} : { group: info.group }),
        kind: info.resource,
      },
    },
  );
};

const pathRefusal = (user: User, info: RequestInfo): StatusError =>
  new StatusError(
    403,
    "Forbidden",
    `forbidden: User ${JSON.stringify(user.name)} cannot ${info.verb} path ${JSON.stringify(info.path)}`,
    { details: {} },
  );

/** The 403 for a request. */
export const refusalOf = (user: User, info: RequestInfo): StatusError =>
  info.isResource ? resourceRefusal(user, info) : pathRefusal(user, info);

/** The terms of a field selector as they are read for the name of an object; none when it cannot be read, which is refused later. */
const fieldsOf = (selector: string): readonly FieldRequirement[] => {
  try {
    return parseFieldSelector(selector);
  } catch {
    return [];
  }
};

/** A list or watch of one object by field selector is a request for that name; of several names, the first in order counts. */
const withSelection = (info: RequestInfo, query: URLSearchParams): RequestInfo => {
  const fieldSelector = info.verb === "list" || info.verb === "watch" ? (query.get("fieldSelector") ?? "") : "";
  const [name] = fieldsOf(fieldSelector)
    .filter(({ field, equal, value }) => field === "metadata.name" && equal && isPathSegment(value))
    .map(({ value }) => value)
    .sort(byText);
  return fieldSelector === "" ? info : { ...info, fieldSelector, ...(name === undefined ? {} : { name }) };
};

const isPathSegment = (name: string): boolean => name !== "" && name !== "." && name !== ".." && !/[/%]/.test(name);

/** Refuses, with a 403, what no role allows; answers the words that say which role does. */
export const createAuthorizer =
  (rbac: Rbac): Authorize =>
  (user, info, query) => {
    const asked = withSelection(info, query);
    const reason = rbac.allows(user, asked);
    if (reason === undefined) {
      throw refusalOf(user, asked);
    }
    return reason;
  };
